#!/usr/bin/env python3
"""Prints a table of all kernels as nvcc compiles them: registers, stack, spills, shared memory, instructions.

    cuda/kernel_table.py [--arch sm_90] [--check] [file.cu ...]

Needs nvcc, and neither a GPU nor a disassembler: instructions are counted in the cubin, 16 bytes each, by the opcode in
their lowest nine bits. --check fails where a kernel spills registers.
"""
import argparse
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
FLAGS = ["-std=c++20", "-fmad=false", "--expt-relaxed-constexpr", "-diag-suppress=20012", "--resource-usage", "-cubin"]
INCLUDES = [f"{HERE}/include", HERE, f"{ROOT}/framework", "/usr/include/eigen3"]
FP64 = {0x028: "DMUL", 0x029: "DADD", 0x02A: "DSETP", 0x02B: "DFMA"}
CLASSES = {"fp64": set(FP64), "load": {0x181}, "store": {0x186}, "lds": {0x184, 0x188}, "branch": {0x147}}


def nvcc():
    found = os.environ.get("CUDACXX") or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    if not os.path.exists(found):
        sys.exit("kernel_table.py: no nvcc on PATH, in CUDACXX or in /usr/local/cuda/bin")
    return found


def sections(elf):
    """(name, bytes) of all sections of a 64-bit little-endian ELF file."""
    offset, = struct.unpack_from("<Q", elf, 0x28)
    size, count, names = struct.unpack_from("<HHH", elf, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", elf, offset + i * size) for i in range(count)]
    table = headers[names]
    for h in headers:
        end = elf.index(b"\0", table[4] + h[0])
        yield elf[table[4] + h[0]:end].decode(), elf[h[4]:h[4] + h[5]] if h[1] != 8 else b""


def short(mangled):
    text = subprocess.run(["c++filt", "-p", mangled], capture_output=True, text=True).stdout.strip()
    text = re.sub(r"^void ", "", text)
    text = re.sub(r"scree::(device|compliant|spheres|obstacles)::|\(anonymous namespace\)::|scree::", "", text)
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


def count(code):
    total, classes = 0, dict.fromkeys(CLASSES, 0)
    for i in range(0, len(code) - 15, 16):
        opcode = struct.unpack_from("<H", code, i)[0] & 0x1FF
        if opcode == 0x118:  # NOP behind the end
            continue
        total += 1
        for name, opcodes in CLASSES.items():
            classes[name] += opcode in opcodes
    return total, classes


def rows(source, arch):
    elf, log = compile_file(source, arch)
    used = resources(log)
    for name, code in sections(elf):
        if not name.startswith(".text."):
            continue
        mangled = name[len(".text."):]
        if mangled not in used:
            continue
        total, classes = count(code)
        yield {"kernel": short(mangled), **used[mangled], "instructions": total, **classes}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    plugins = [f"{ROOT}/plugins/{p}/device.cu" for p in sorted(os.listdir(f"{ROOT}/plugins"))]
    files = options.files or [f"{HERE}/kernels/own_stages.cu"] + [f for f in plugins if os.path.exists(f)]
    columns = ["registers", "stack", "spills", "shared", "instructions", *CLASSES]
    print("| kernel | " + " | ".join(columns) + " |\n|---|" + "---|" * len(columns))
    spilled = []
    for source in files:
        for row in sorted(rows(os.path.abspath(source), options.arch), key=lambda r: r["kernel"]):
            print(f"| `{row['kernel']}` | " + " | ".join(str(row[c]) for c in columns) + " |")
            if row["spills"]:
                spilled.append(row["kernel"])
    if options.check and spilled:
        sys.exit("kernels that spill registers: " + ", ".join(spilled))


if __name__ == "__main__":
    main()
