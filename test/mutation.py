#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The causal_conv1d authors
# SPDX-License-Identifier: BSD-3-Clause
"""Damages copies of the library in known ways and demands that the tests notice each.

A mutation replaces one piece of text in one header (white space aside). mutation_probe.cpp is built against the damaged
copy and must fail; built against an undamaged copy it must pass. A piece of text that is no longer in its header is an
error: then the mutation has to follow the code.
"""

import argparse
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# name, header below causal_conv1d/detail (or causal_conv1d), [(text, replacement), ...]
MUTATIONS = [
    (
        "taps in the other order",
        "detail/program/taps.hpp",
        [("operands = tap(j);", "operands = tap(width - 1 - j);")],
    ),
    (
        "no guard at the end of a tile",
        "detail/host/row_access.hpp",
        [
            (
                "for (int i = 0; i < active; ++i) { data[i * stride] =",
                "for (int i = 0; i < Count; ++i) { data[i * stride] =",
            )
        ],
    ),
    (
        "carried state off by one",
        "detail/program/forward_states.hpp",
        [("carried - (last - problem.x.length))", "carried - (last - problem.x.length) - 1)")],
    ),
    (
        "zeros instead of the initial state",
        "detail/program/forward_states.hpp",
        [("return {entries, entries.length};", "return {tensor{}, entries.length};")],
    ),
    (
        "halo in place not saved",
        "detail/program/forward_states.hpp",
        [("if (workspace.saves_halos) {", "if (workspace.saves_halos && unit.chunk < 0) {")],
    ),
    (
        "tail in place not saved",
        "detail/program/forward_states.hpp",
        [("if (workspace.saves_tails) {", "if (workspace.saves_tails && unit.chunk < 0) {")],
    ),
    (
        "window of a shared state not saved",
        "detail/program/forward_states.hpp",
        [("if (workspace.saves_windows) {", "if (workspace.saves_windows && unit.chunk < 0) {")],
    ),
    (
        "rounding towards zero",
        "element.hpp",
        [("(bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16", "bits >> 16")],
    ),
    (
        "wrong filter for shared rows",
        "detail/program/forward.hpp",
        [("channel / plan.channels_per_filter", "channel / plan.channels_per_filter / 2")],
    ),
    (
        "in place from left to right",
        "detail/program/forward.hpp",
        [("ascends_(!Traits::in_registers && !problem.is_in_place())", "ascends_(true)")],
    ),
    (
        "final state written before the outputs",
        "detail/program/forward.hpp",
        [
            (
                "tile_walk<Traits> walk(problem, plan, unit);",
                "if (unit.chunk == 0 && problem.final_state.data != nullptr) { write_final_state(problem, plan, unit); }"
                " tile_walk<Traits> walk(problem, plan, unit);",
            )
        ],
    ),
    (
        "bias dropped",
        "detail/program/forward.hpp",
        [("filters.bias[c] = problem.bias.data == nullptr ?", "filters.bias[c] = true ?")],
    ),
    (
        "dilation ignored",
        "detail/program/forward.hpp",
        [("(problem.weight.width - 1 - j) * problem.dilation", "(problem.weight.width - 1 - j)")],
    ),
]


def replace_once(text, old, new, where):
    """Replaces the first occurrence, whatever white space stands between its words."""
    pattern = r"\s*".join(re.escape(word) for word in old.split())
    replaced, count = re.subn(pattern, lambda _: new, text, count=1)
    if count == 0:
        raise LookupError(f"{where} does not contain: {old}")
    return replaced


def run_one(arguments, name, header, replacements):
    """Returns (name, what happened): 'green', 'red', or why there is no answer."""
    with tempfile.TemporaryDirectory(prefix="mutation_") as folder:
        include = pathlib.Path(folder) / "include"
        shutil.copytree(arguments.include, include)
        if header:
            path = include / "causal_conv1d" / header
            text = path.read_text()
            try:
                for old, new in replacements:
                    text = replace_once(text, old, new, header)
            except LookupError as missing:
                return name, str(missing)
            path.write_text(text)
        program = pathlib.Path(folder) / "probe"
        build = [
            arguments.compiler, "-std=c++17", "-O1", "-w", f"-I{include}", f"-I{arguments.source}",
            *(f"-isystem{path}" for path in arguments.include_directory),
            str(arguments.source / "mutation_probe.cpp"), "-o", str(program), *arguments.library, "-pthread",
        ]  # fmt: skip
        built = subprocess.run(build, capture_output=True, text=True, check=False)
        if built.returncode != 0:
            return name, "did not compile:\n" + built.stderr
        try:
            ran = subprocess.run([program], capture_output=True, text=True, check=False, timeout=120)
        except subprocess.TimeoutExpired:
            return name, "red"
        return name, "green" if ran.returncode == 0 else "red"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", required=True, help="the C++ compiler")
    parser.add_argument("--include", required=True, type=pathlib.Path, help="the library's include folder")
    parser.add_argument("--source", required=True, type=pathlib.Path, help="the folder of mutation_probe.cpp")
    parser.add_argument("--library", required=True, action="append", help="a library to link, in order")
    parser.add_argument("--include-directory", action="append", default=[], help="a further include folder")
    parser.add_argument("--jobs", type=int, default=2, help="mutations at a time")
    arguments = parser.parse_args()

    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as workers:
        waiting = [workers.submit(run_one, arguments, "no damage", None, [])]
        waiting += [workers.submit(run_one, arguments, *mutation) for mutation in MUTATIONS]
        for number, future in enumerate(waiting):
            name, happened = future.result()
            expected = "green" if number == 0 else "red"
            wrong += happened != expected
            print(f"{'ok    ' if happened == expected else 'WRONG '} {name}: {happened}", flush=True)
    print(f"{len(MUTATIONS)} mutations, {wrong} wrong answers")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
