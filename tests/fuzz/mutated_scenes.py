"""Mutated scenes of the examples through the program: `check`, and three steps of what it accepts.

Each mutant is one of the shipped scenes with one to three changes: a key missing, doubled or mistyped, a value of
another type, an extreme number, a text with a path or control characters. The program must end with 0, 2, 3 or 4 within
seconds and below a gibibyte, tell a place where it refuses, and leave nothing behind where it refused. What `check`
accepts, `run` must not refuse.

    mutated_scenes.py --program build/bin/scree --examples examples --count 1000
"""
import argparse, collections, copy, json, os, pathlib, random, resource, shutil, subprocess, sys, tempfile, time

NUMBERS = [0, -1, 1, 1e308, -1e308, 1e150, -1e150, 1e50, 1e-50, 1e-300, 1e18, 2**31, 2**53, 2**63 - 1, 2**63, 2**64,
           0.5, 1e3, -1e-3]
TEXTS = ["", "x" * 100000, "../../x", "/tmp/x", "..", ".", "a/b", "\x1b[2J", "a,b", 'a"b', "a\nb", "\u202e", "*", "auto",
         "random", "/dev/zero", "/dev/stdin"]
OTHERS = [None, True, False, [], {}, "text", 3, [1, 2, 3, 4, 5], {"a": 1}, [[[[[[]]]]]]]


def places(value, path=()):
    yield path
    if isinstance(value, dict):
        for key, member in value.items():
            yield from places(member, path + (key,))
    elif isinstance(value, list):
        for index, member in enumerate(value[:8]):
            yield from places(member, path + (index,))


def at(scene, path):
    for step in path:
        scene = scene[step]
    return scene


def mutate(scene, rng):
    path = rng.choice([p for p in places(scene) if p])
    parent, key = at(scene, path[:-1]), path[-1]
    old = parent[key]
    kind = rng.choice(["number", "number", "type", "text", "missing", "unknown", "twin"])
    if kind == "number":
        if isinstance(old, (int, float)) and not isinstance(old, bool):
            parent[key] = rng.choice(NUMBERS + [old * 1e3, old * 1e-3, -old])
        elif isinstance(old, list) and old and all(isinstance(x, (int, float)) for x in old):
            old[rng.randrange(len(old))] = rng.choice(NUMBERS)
        else:
            return mutate(scene, rng)
    elif kind == "type":
        parent[key] = copy.deepcopy(rng.choice(OTHERS))
    elif kind == "text":
        if not isinstance(old, str):
            return mutate(scene, rng)
        parent[key] = rng.choice(TEXTS)
    elif kind == "missing":
        del parent[key]
    elif kind == "unknown" and isinstance(parent, dict):
        parent[str(key) + "x"] = parent.pop(key)
    elif isinstance(parent, list):
        parent.insert(key, copy.deepcopy(old))
    else:
        return mutate(scene, rng)
    return kind


def limit_memory():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def start(arguments, folder, seconds):
    """The exit code, what was printed, CPU seconds, and the largest size in MiB."""
    with open(folder / "printed", "wb+") as printed:
        child = subprocess.Popen(arguments, cwd=folder, stdin=subprocess.DEVNULL, stdout=printed, stderr=printed,
                                 preexec_fn=limit_memory)
        deadline, status, usage = time.time() + seconds, 0, None
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if time.time() > deadline:
                child.kill()
                pid, status, usage = os.wait4(child.pid, 0)
                break
            time.sleep(0.005)
        child.returncode = os.waitstatus_to_exitcode(status)
        printed.seek(0)
        text = printed.read(100000)
    return child.returncode, text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--examples", required=True, type=pathlib.Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=5, help="CPU time that `check` may take, or three times that of the scene as it was")
    parser.add_argument("--mebibytes", type=float, default=1024)
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the scenes at fault")
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    # Those that take long or much memory as they are would say nothing about their mutants.
    scenes = [s for s in sorted(arguments.examples.glob("*/scene.json")) if s.stat().st_size < 100000]
    own = {}  # CPU seconds of `check` for scenes as they are
    faults, counts, largest, longest = [], collections.Counter(), 0, 0

    for number in range(arguments.first, arguments.first + arguments.count):
        rng = random.Random(number)
        source = rng.choice(scenes)
        scene = json.loads(source.read_text())
        for _ in range(rng.randint(1, 3)):
            mutate(scene, rng)
        folder = pathlib.Path(tempfile.mkdtemp(prefix="scree_mutant_"))
        for beside in source.parent.iterdir():
            if beside.is_file() and beside.suffix in (".csv", ".json", ".txt", ".msh") and beside.name != "scene.json":
                shutil.copy(beside, folder)
        (folder / "scene.json").write_text(json.dumps(scene, indent=1))
        before = set(folder.rglob("*")) | {folder / "printed"}

        def fault(what, text):
            faults.append(f"mutant {number} of {source.parent.name}: {what}: {text[-300:].decode(errors='replace')}")
            if arguments.keep:
                arguments.keep.mkdir(exist_ok=True)
                shutil.copy(folder / "scene.json", arguments.keep / f"{number}.json")

        code, text, seconds, size = start([program, "check", "scene.json"], folder, 12 * arguments.seconds + 10)
        counts["check", code] += 1
        largest, longest = max(largest, size), max(longest, seconds)
        if code not in (0, 2):
            fault(f"check ends with {code}", text)
        if seconds > arguments.seconds and source not in own:
            own[source] = start([program, "check", str(source.resolve())], folder, 300)[2]
        if seconds > max(arguments.seconds, 3 * own.get(source, 0)):
            fault(f"check takes {seconds:.1f} s", text)
        if size > arguments.mebibytes:
            fault(f"check needs {size:.0f} MiB", text)
        if code == 2 and b"scene.json" not in text:
            fault("no place", text)
        if any(c < 32 and c not in (9, 10, 13) for c in text):
            fault("control characters on the terminal", text)
        if set(folder.rglob("*")) - before:
            fault("check left files behind", text)
        if code == 0:
            dt, duration = scene["integrator"]["dt"], scene["run"]["duration"]
            code, text, seconds, size = start(
                [program, "run", "scene.json", "--quiet", "--threads", "1", "--out", "result", "--set",
                 f"/run/duration={min(duration, 3 * dt)}"], folder, 60)
            counts["run", code] += 1
            if code not in (0, 3, -9):
                fault(f"run of an accepted scene ends with {code}", text)
            stray = {p for p in folder.rglob("*") if p.relative_to(folder).parts[0] != "result"} - before
            if stray:
                fault(f"run wrote outside of its folder: {stray}", text)
        shutil.rmtree(folder)

    for line in faults:
        print(line)
    print(", ".join(f"{command} {code}: {n}" for (command, code), n in sorted(counts.items())))
    print(f"{arguments.count} mutants, {len(faults)} faults; check takes at most {longest:.2f} s and {largest:.0f} MiB")
    return 1 if faults else 0


sys.exit(main())
