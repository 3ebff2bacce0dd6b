"""Files of read_data: box, masses, spheres of atom_style sphere (granular)."""

from deck import Atom
from report import DeckError

SECTIONS = ("Atoms", "Velocities", "Masses", "PairIJ Coeffs", "Pair Coeffs", "Bonds", "Angles", "Ellipsoids")
MOST_LINES = 4_000_000


def read_data(arguments, deck, report, files):
    """Reads a data file."""
    name = arguments.word("the file")
    command = arguments.command
    for word in arguments.rest():
        report.changed(command, f"The keyword {word!r} of read_data is not taken.")
        break
    lines = files.text(name, command.place, 256 * 1024 * 1024).splitlines()
    if len(lines) > MOST_LINES:
        raise DeckError(f"{command.place}: {name!r} has more than {MOST_LINES} lines.")
    at = read_header(lines, name, deck)
    deck.box_command = command
    atoms = {}
    while at < len(lines):
        heading = lines[at].split("#")[0].strip()
        at += 1
        if not heading:
            continue
        if heading not in SECTIONS:
            raise DeckError(f"{name}:{at}: the section {heading[:40]!r} is not known.")
        rows, at = section(lines, at)
        if heading == "Atoms":
            for number, words in rows:
                add_atom(words, f"{name}:{number}", deck, atoms, command)
        elif heading == "Velocities":
            for number, words in rows:
                set_velocity(words, f"{name}:{number}", deck, atoms)
        elif heading != "Masses":
            report.left(command, f"The section {heading} of {name!r} is not taken.", "Spheres alone are read.")
    deck.atoms += atoms.values()


def read_header(lines, name, deck):
    """Reads the head of a data file. Returns the number of the line after it."""
    lower, upper = [0.0] * 3, [0.0] * 3
    for at, line in enumerate(lines):
        words = line.split("#")[0].split()
        if at == 0 or not words:
            continue
        if words[0][:1].isalpha():
            if " ".join(words[-2:]) in ("xlo xhi", "ylo yhi", "zlo zhi"):
                continue
            deck.lower = tuple(x * deck.units.length for x in lower)
            deck.upper = tuple(x * deck.units.length for x in upper)
            return at
        if words[-1] in ("xhi", "yhi", "zhi") and len(words) == 4:
            axis = "xyz".index(words[-1][0])
            lower[axis], upper[axis] = numbers(words[:2], f"{name}:{at + 1}")
        elif words[1:3] == ["atom", "types"]:
            deck.types = int(numbers(words[:1], f"{name}:{at + 1}")[0])
        elif words[-1] == "yz":
            raise DeckError(f"{name}:{at + 1}: a tilted box cannot be converted.")
    raise DeckError(f"{name}: there are no sections.")


def section(lines, at):
    """Returns the rows of a section with their line numbers, and where it ends."""
    rows = []
    while at < len(lines):
        words = lines[at].split("#")[0].split()
        if words and words[0][:1].isalpha():
            break
        at += 1
        if words:
            rows.append((at, words))
    return rows, at


def numbers(words, where):
    try:
        values = [float(word) for word in words]
    except ValueError:
        raise DeckError(f"{where}: numbers are needed.") from None
    if any(x != x or abs(x) == float("inf") for x in values):
        raise DeckError(f"{where}: finite numbers are needed.")
    return values


def add_atom(words, where, deck, atoms, command):
    """Takes id type diameter density x y z, with image flags after them."""
    if len(words) not in (7, 10):
        raise DeckError(f"{where}: 7 or 10 columns are needed: id type diameter density x y z. Use atom_style sphere.")
    n, unit = numbers(words[:7], where), deck.units
    position = tuple(x * unit.length for x in n[4:7])
    atoms[int(n[0])] = Atom(int(n[0]), int(n[1]), position, n[2] / 2 * unit.length, n[3] * unit.density, command=command)


def set_velocity(words, where, deck, atoms):
    n = numbers(words, where)
    atom = atoms.get(int(n[0])) if n else None
    if atom is None or len(n) != 7:
        raise DeckError(f"{where}: 7 columns of a known atom are needed: id vx vy vz wx wy wz.")
    atom.velocity = tuple(x * deck.units.velocity for x in n[1:4])
    atom.spin = tuple(x / deck.units.time for x in n[4:7])
