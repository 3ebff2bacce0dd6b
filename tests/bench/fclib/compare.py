"""Solves friction problems with scree and with Siconos, one thread each, and prints how they compare. See run."""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

import numpy as np

from friction_problem import Problem

HERE = pathlib.Path(__file__).parent
OURS = {
    "scree hybrid": ["--solver", "hybrid"],
    "scree hybrid, plain": ["--solver", "hybrid", "--plain"],
    "scree newton, plain": ["--solver", "newton", "--plain"],
    "scree enumerative, plain": ["--solver", "enumerative", "--plain"],
}
SICONOS = {f"siconos {name}": name for name in ("gs-hybrid", "gs-projection", "gs-quartic", "nsn-ac", "admm")}
ONE_THREAD = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
ENOUGH_CONTACTS = 20  # below, a solve takes microseconds and says nothing of a solver
ROUNDING = 1 + 1e-6  # a solver's own sum of the error may differ in its last digits


def program(arguments, good=(0, 3)):
    done = subprocess.run(arguments, capture_output=True, text=True, env=ONE_THREAD)
    if done.returncode not in good:
        sys.exit(f"{arguments[0]} failed:\n{done.stderr}")
    return done.stdout


def local_forms(args, files):
    """Copies of the problems in the local form, whatever form they have: the same W for all solvers."""
    program([args.fclib_solve, *map(str, files), "--sweeps", "1", "--plain", "--save", str(args.work)])
    return [args.work / file.name for file in files]


def scree(args, solver, tolerance, files):
    """{file: (error, sweeps, ms)}"""
    saved = args.work / "solved"
    saved.mkdir(exist_ok=True)
    command = [args.fclib_solve, *map(str, files), "--json", "--tolerance", str(tolerance), "--sweeps", str(args.sweeps)]
    outcomes = json.loads(program([*command, "--repeat", str(args.repeats), "--save", str(saved), *OURS[solver]]))["files"]
    answer = {}
    for file, outcome in zip(files, outcomes):
        problem = Problem(saved / file.name)
        answer[file] = (problem.error(problem.r), outcome["sweeps"], outcome["processor_ms"])
    return answer


def siconos(args, solver, tolerance, files):
    """The same. A file on which Siconos crashes, or takes more than the time allowed, counts as not solved."""
    name, answer, left = SICONOS[solver], {}, list(files)
    while left:
        command = [sys.executable, HERE / "siconos_side.py", name, str(tolerance), str(args.sweeps), str(args.repeats)]
        try:
            done = subprocess.run([*command, *map(str, left)], capture_output=True, text=True, errors="replace",
                                  env=ONE_THREAD, timeout=args.time_limit)
            printed = done.stdout
        except subprocess.TimeoutExpired as late:
            printed = (late.stdout or b"").decode(errors="replace")
        for line in printed.splitlines():
            if line.startswith("outcome "):
                outcome = json.loads(line[len("outcome "):])
                file = left.pop(0)
                error = Problem(file).error(np.load(f"{file}.{name}.npy"))
                answer[file] = (error, outcome["sweeps"], outcome["ms"])
        if left:
            answer[left.pop(0)] = (1e99, 0, 0.0)
    return answer


def median_of_rounds(rounds):
    return {file: (*rounds[-1][file][:2], statistics.median(r[file][2] for r in rounds)) for file in rounds[0]}


def measure(args, files):
    """{solver: {tolerance: {file: (error, sweeps, ms)}}}; solvers take turns round by round."""
    runs = {}
    for _ in range(args.rounds):
        for tolerance in args.tolerances:
            for solver in args.solvers:
                side = scree if solver in OURS else siconos
                runs.setdefault((solver, tolerance), []).append(side(args, solver, tolerance, files))
    return {s: {t: median_of_rounds(runs[s, t]) for t in args.tolerances} for s in args.solvers}


def solved(row, tolerance):
    return row[0] <= tolerance * ROUNDING


def solved_by_all(results, tolerance, contacts):
    """Files of enough contacts."""
    return [file for file in contacts if contacts[file] >= ENOUGH_CONTACTS
            and all(solved(by_tolerance[tolerance][file], tolerance) for by_tolerance in results.values())]


def print_table(args, results, contacts):
    for tolerance in args.tolerances:
        common = solved_by_all(results, tolerance, contacts)
        print(f"\ntolerance {tolerance:g}; all solvers solve {len(common)} problems of {ENOUGH_CONTACTS} contacts or more")
        print(f"  {'':26} {'not solved':>10}   {'-- of those problems --':^23}   {'all problems':>12}   us per contact   largest error")
        print(f"  {'':26} {'':>10}   {'mean sweeps':>11} {'total ms':>11}   {'total ms':>12}   {'and sweep':>14}   of those solved")
        for solver, by_tolerance in results.items():
            rows = by_tolerance[tolerance]
            sweeps = statistics.mean(rows[f][1] for f in common) if common else 0
            visits = sum(contacts[f] * rows[f][1] for f in rows)
            total = sum(row[2] for row in rows.values())
            visit = f"{1e3 * total / max(visits, 1):.3f}" if "nsn" not in solver else "-"
            error = max((row[0] for row in rows.values() if solved(row, tolerance)), default=float("nan"))
            print(f"  {solver:26} {sum(not solved(row, tolerance) for row in rows.values()):>10}   {sweeps:>11.0f} "
                  f"{sum(rows[f][2] for f in common):>11.1f}   {total:>12.1f}   {visit:>14}   {error:>13.1e}")


def write_details(args, results, contacts):
    with open(args.details, "w") as out:
        print(f"{'tolerance':>9}  {'solver':26} {'file':44} {'contacts':>8} {'error':>9} {'sweeps':>7} {'ms':>10}", file=out)
        for solver, by_tolerance in results.items():
            for tolerance, rows in by_tolerance.items():
                for file, row in rows.items():
                    mark = "" if solved(row, tolerance) else "  not solved"
                    print(f"{tolerance:9g}  {solver:26} {file.stem:44} {contacts[file]:8} {row[0]:9.1e} {row[1]:7} "
                          f"{row[2]:10.3f}{mark}", file=out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fclib-solve", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--tolerances", type=lambda text: [float(t) for t in text.split()])
    parser.add_argument("--solvers", default="")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--repeats", type=int)
    parser.add_argument("--sweeps", type=int)
    parser.add_argument("--time-limit", type=float)
    parser.add_argument("--details", type=pathlib.Path)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    known = [*OURS, *SICONOS]
    wanted = [name.strip() for name in args.solvers.split(";") if name.strip()]
    for name in wanted:
        if name not in known:
            print(f"tests/bench/fclib/run: --solvers: unknown \"{name}\". Known: {'; '.join(known)}.", file=sys.stderr)
            sys.exit(2)
    args.solvers = wanted or known
    files = local_forms(args, args.files)
    contacts = {file: Problem(file).contacts for file in files}
    results = measure(args, files)
    print(f"{len(files)} problems, at most {args.sweeps} sweeps (NSN_AC: 200 steps), cold start, processor time on one core")
    print_table(args, results, contacts)
    write_details(args, results, contacts)


main()
