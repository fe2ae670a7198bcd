#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The causal_conv1d authors
# SPDX-License-Identifier: BSD-3-Clause
"""Measures how long compilers take for one forward beyond an empty file, and writes bench/results/compile_time.json.

Each file is compiled three times in turn with the others; the median counts. Seconds are those of the processor, all
processes of the compiler together, so that other work on the machine counts little; on an idle machine they are what
one waits for. nvcc builds for one architecture.
"""

import argparse
import datetime
import json
import pathlib
import platform
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROUNDS = 3

INSTANTIATION = """#include <causal_conv1d/forward.{suffix}>

template causal_conv1d::status causal_conv1d::forward<{policy}>(
    const causal_conv1d::{execution}&,
    const causal_conv1d::forward_args<causal_conv1d::bfloat16, causal_conv1d::bfloat16, causal_conv1d::silu>&);
"""


def sources(suffix, execution):
    def forward(policy):
        return INSTANTIATION.format(suffix=suffix, policy=policy, execution=execution)

    return {
        "empty": "",
        "headers": f"#include <causal_conv1d/forward.{suffix}>\n",
        "one_width": forward("causal_conv1d::only_width<4>"),
        "any_shape": forward("causal_conv1d::any_shape"),
    }


def find_nvcc():
    return shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")


def first_match(pattern, command):
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(pattern, text)
    return found.group(0) if found else text.splitlines()[0]


def processor():
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor()
    found = re.search(r"^model name\s*:\s*(.*)$", text, re.MULTILINE)
    return found.group(1) if found else platform.processor()


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def compile_seconds(command, source, folder):
    begin = children_seconds()
    arguments = ["-I", str(ROOT / "include"), "-c", str(source), "-o", str(folder / "object.o")]
    subprocess.run(command + arguments, check=True)
    return children_seconds() - begin


def measure(name, command, extension, suffix, execution):
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        files = {}
        for kind, text in sources(suffix, execution).items():
            files[kind] = folder / f"{kind}.{extension}"
            files[kind].write_text(text, encoding="utf-8")
        seconds = {kind: [] for kind in files}
        for _ in range(ROUNDS):
            for kind, source in files.items():
                seconds[kind].append(compile_seconds(command, source, folder))
    medians = {kind: statistics.median(values) for kind, values in seconds.items()}
    results = []
    for kind, value in medians.items():
        results.append({"compiler": name, "file": kind, "seconds": round(value, 2),
                        "beyond_empty": round(value - medians["empty"], 2)})
        print(f"{name:<6}{kind:<12}{value:6.2f} s   beyond an empty file {value - medians['empty']:6.2f} s")
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--architecture", default="sm_90", help="what nvcc builds for (default: sm_90)")
    parser.add_argument("--compiler", default="g++", help="the C++ compiler (default: g++)")
    parser.add_argument("--commit", help="the commit that is measured (default: what git says)")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "bench" / "results" / "compile_time.json")
    arguments = parser.parse_args()

    commit = arguments.commit
    if not commit:
        git = subprocess.run(["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=40"],
                             capture_output=True, text=True, check=False) if shutil.which("git") else None
        commit = git.stdout.strip() if git and git.returncode == 0 else None
    context = {"date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "commit": commit,
               "processor": processor(), "rounds": ROUNDS}
    results = []
    nvcc = find_nvcc()
    if nvcc:
        context["nvcc"] = first_match(r"V\d+\.\d+\.\d+", [nvcc, "--version"])
        context["architecture"] = arguments.architecture
        results += measure("nvcc", [nvcc, "-std=c++17", "-O3", f"-arch={arguments.architecture}"], "cu", "cuh",
                           "gpu_execution")
    else:
        print("no nvcc on this machine: only the C++ compiler is measured", file=sys.stderr)
    compiler = shutil.which(arguments.compiler)
    if compiler:
        context["cxx"] = first_match(r".+", [compiler, "--version"])
        results += measure("g++" if "g++" in arguments.compiler else arguments.compiler,
                           [compiler, "-std=c++17", "-O3"], "cpp", "hpp", "host_execution<>")
    if not results:
        print("no compiler on this machine", file=sys.stderr)
        return 2
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps({"context": context, "results": results}, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
