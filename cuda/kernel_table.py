#!/usr/bin/env python3
"""Prints tables of all kernels as nvcc compiles them: registers, stack, spills, shared memory, instructions, branches; and
of their loops.

    cuda/kernel_table.py [--arch sm_90] [--check] [--loops | --all-loops] [file.cu ...]

Needs nvcc, and neither a GPU nor a disassembler: instructions are read in the cubin (compiled/). --loops prints the named
loops, such as that of a node test, and --all-loops all innermost ones. --check fails where a kernel spills registers, or,
for sm_90, where a named loop is no longer found.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from compiled import sass
from compiled.cubin import Cubin
from compiled.functions import place

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
FLAGS = ["-std=c++20", "-fmad=false", "--expt-relaxed-constexpr", "-diag-suppress=20012", "--resource-usage", "-lineinfo", "-cubin"]
INCLUDES = [f"{HERE}/include", HERE, f"{ROOT}/framework", "/usr/include/eigen3"]
COUNTS = [*sass.CLASSES, "branch", "parting"]
# Loops that matter: what a turn does, a part of the kernel's name, and where the loop is.
LOOPS = [
    ("pair of stars: still valid?", "RememberedContacts<StarPairsOf<UnitSizes>>", "remembered_pairs.hpp: puts_off"),
    ("depth of a node in a star", "RememberedContacts<StarPairsOf<UnitSizes>>", "remembered_pairs.hpp: compare"),
    ("run of nodes that touch", "WorkOutForgotten<StarPairsOf<UnitSizes>>", "pair_kernel.hpp: search_side"),
    ("contact, `linear` in the plane", "OverActive<ForceOfContact<LinearNormal, SpringFriction<0>>, ContactIndex<true>>",
     "active.hpp: operator()"),
    ("contact, `hertz-mindlin` in space", "OverActive<ForceOfContact<HertzNormal, MindlinFriction<1>>, ContactIndex<false>>",
     "active.hpp: operator()"),
    ("contact, in the sum of a body", "SumKickDrift<InSpace>", "step_kernels.hpp: add_item"),
    ("the same in the plane", "SumKickDrift<InPlane>", "step_kernels.hpp: add_item"),
    ("body: kick and drift", "KickDrift<InSpace>", "execution.hpp: for_each_kernel"),
    ("candidate pair, counted", "CountEntries", "list_kernels.hpp: for_partners"),
    ("node test of the paper's scheme", "Collide", "kernels.hpp: meet"),
]


def nvcc():
    found = os.environ.get("CUDACXX") or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    if not os.path.exists(found):
        sys.exit("kernel_table.py: no nvcc on PATH, in CUDACXX or in /usr/local/cuda/bin")
    return found


def short(mangled):
    text = subprocess.run(["c++filt", "-p", mangled], capture_output=True, text=True).stdout.strip()
    text = re.sub(r"^void ", "", text)
    text = re.sub(r"scree::(device|compliant|spheres|star|obstacles|paper)::|\(anonymous namespace\)::|scree::", "", text)
    text = re.sub(r"\s+>", ">", re.sub(r"\(\w+\)(\d)", r"\1", text))  # (Carry)1
    return re.sub(r"(for_each_kernel|block_kernel|warp_kernel)<(.*)>$", r"\2", text.strip())


def compile_file(source, arch):
    with tempfile.TemporaryDirectory() as folder:
        cubin = os.path.join(folder, "out.cubin")
        command = [nvcc(), *FLAGS, f"-arch={arch}", "-o", cubin, source, f"-I{os.path.dirname(source)}"]
        command += [f"-I{i}" for i in INCLUDES]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            sys.exit(run.stdout + run.stderr)
        return open(cubin, "rb").read(), run.stdout + run.stderr


def resources(log):
    """By mangled name: registers, stack, spilled bytes, shared memory."""
    found, name, properties = {}, None, None
    for line in log.splitlines():
        if m := re.search(r"Compiling entry function '(\S+)'", line):
            name = m[1]
            found[name] = {"registers": 0, "stack": 0, "spills": 0, "shared": 0}
        if m := re.search(r"Function properties for (\S+)", line):
            properties = m[1]
        if name and properties == name and (m := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", line)):
            found[name].update(stack=int(m[1]), spills=int(m[2]) + int(m[3]))
        if name and (m := re.search(r"Used (\d+) registers", line)):
            found[name]["registers"] = int(m[1])
            if s := re.search(r"(\d+) bytes smem", line):
                found[name]["shared"] = int(s[1])
    return found


def kernels(data, log):
    """A row for each, and its innermost loops."""
    cubin, used = Cubin(data), resources(log)
    lines = cubin.lines()
    for mangled, code in cubin.code():
        if mangled not in used:
            continue
        all_of = sass.instructions(code)
        row = {"kernel": short(mangled), **used[mangled], "instructions": len(all_of), **sass.count(all_of), "loops": []}
        for loop in sass.innermost_loops(all_of):
            where = place(*lines.at(mangled, 16 * loop[-1].index), ROOT)
            row["loops"].append({"where": where, "least": sass.shortest_turn(loop), "instructions": len(loop),
                                 **sass.count(loop)})
        yield row


def print_table(heads, columns, rows):
    print("| " + " | ".join([*heads, *columns]) + " |\n|" + "---|" * (len(heads) + len(columns)))
    for row in rows:
        print("| " + " | ".join([*(row[h] for h in heads), *(str(row[c]) for c in columns)]) + " |")


def named_loops(rows):
    """Of several at one place, that with most instructions: others are rests of unrolled ones."""
    for what, kernel, where in LOOPS:
        found = [loop for row in rows if row["kernel"] == kernel for loop in row["loops"] if loop["where"] == where]
        yield what, kernel, where, max(found, key=lambda loop: loop["instructions"], default=None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--loops", action="store_true")
    parser.add_argument("--all-loops", action="store_true")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    plugins = [f"{ROOT}/plugins/{p}/device.cu" for p in sorted(os.listdir(f"{ROOT}/plugins"))]
    every = [f"{HERE}/kernels/own_stages.cu", *filter(os.path.exists, plugins), f"{HERE}/bench/paper/device.cu"]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        compiled = pool.map(lambda source: compile_file(os.path.abspath(source), options.arch), options.files or every)
        rows = [row for data, log in compiled for row in sorted(kernels(data, log), key=lambda r: r["kernel"])]
    loop_columns = ["least", "instructions", *COUNTS]
    named = list(named_loops(rows))
    if options.loops:
        print_table(["a turn is", "kernel", "loop"], loop_columns,
                    [{"a turn is": what, "kernel": f"`{kernel}`", "loop": f"`{where}`", **loop}
                     for what, kernel, where, loop in named if loop])
    elif options.all_loops:
        print_table(["kernel", "loop"], loop_columns,
                    [{"kernel": f"`{row['kernel']}`", "loop": f"`{loop['where']}`", **{c: loop[c] for c in loop_columns}}
                     for row in rows for loop in row["loops"] if loop["where"]])
    else:
        print_table(["kernel"], ["registers", "stack", "spills", "shared", "instructions", *COUNTS],
                    [{**row, "kernel": f"`{row['kernel']}`"} for row in rows])
    if options.check:
        check(rows, named if options.arch == "sm_90" and not options.files else [])


def check(rows, named):
    spilled = [row["kernel"] for row in rows if row["spills"]]
    lost = [f"{what} ({kernel}, {where})" for what, kernel, where, loop in named if not loop]
    if spilled:
        sys.exit("kernels that spill registers: " + ", ".join(spilled))
    if lost:
        sys.exit("named loops that are not there, see LOOPS: " + ", ".join(lost))


if __name__ == "__main__":
    main()
