# SPDX-FileCopyrightText: 2026 The causal_conv1d authors
# SPDX-License-Identifier: BSD-3-Clause
"""Proves the library on this machine's GPU, within seven minutes, and records what was proved.

Three phases, all of them unless some are chosen:
  --tests      every registered GPU test; none may fail and none may be skipped
  --sanitize   memcheck, racecheck, initcheck and synccheck on a sample of the GPU tests
  --bench      the benchmarks, into forward_gpu.json and forward_host.json beside the record

The programs are taken from the build folder. Where they are missing, or where the folder was configured from this
source tree, they are built first; programs that were built elsewhere and copied here are taken as they are.

The record, gpu_verification.json, names the trees of include/ and test/ that it proves. In a git checkout these are the
trees of HEAD, and a passing record is refused while the files differ from HEAD. Elsewhere they are computed from the
files as git would; --include-tree and --test-tree are then compared with them. Phases that were not asked for are kept
from an earlier record of the same trees and device.

Exit status: 0 all proved and recorded, 1 something failed (recorded too), 2 nothing could be run (nothing recorded),
3 all passed but the record was refused.
"""

import argparse
import concurrent.futures
import datetime
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SANITIZER_TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
BENCHMARKS = ("forward_gpu", "forward_host")
PHASES = ("tests", "sanitizer", "benchmarks")

# Seconds. The longest that each phase may take; together with the listing of tests they stay within seven minutes.
TESTS_LIMIT = 120
SANITIZER_LIMIT = 160
BENCHMARK_LIMIT = 140


class CannotRun(Exception):
    """Nothing can be verified on this machine, for the reason given."""


def say(text):
    print(text, file=sys.stderr, flush=True)


def find_tool(name):
    """A program on the PATH or in the toolkit's usual places."""
    found = shutil.which(name)
    if found:
        return found
    folders = ["/usr/local/cuda/bin", "/usr/local/cuda/compute-sanitizer"]
    nvcc = shutil.which("nvcc")
    if nvcc:
        toolkit = pathlib.Path(nvcc).resolve().parent.parent
        folders += [str(toolkit / "bin"), str(toolkit / "compute-sanitizer")]
    return shutil.which(name, path=os.pathsep.join(folders))


def output_of(command, **options):
    """What a command prints, stripped; None if it cannot be run or fails."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=60,
                              check=True, **options)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def run_logged(command, environment, log, limit):
    """Runs a command with its output in a file. Returns its exit status, or None if the limit was reached."""
    with open(log, "w", encoding="utf-8") as file:
        file.write("$ " + " ".join(command) + "\n")
        file.flush()
        process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                   env={**os.environ, **environment}, start_new_session=True)
        try:
            return process.wait(timeout=max(limit, 1))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            file.write("\nstopped: the time limit was reached\n")
            return None
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise


def end_of(code):
    return "time limit reached" if code is None else f"exit status {code}"


def last_started(log):
    """The test that a log of GoogleTest ends in."""
    started = re.findall(r"^\[ RUN      \] (\S+)", log.read_text(encoding="utf-8", errors="replace"), re.MULTILINE)
    return started[-1] if started else "no test"


# ---- Where this runs -------------------------------------------------------------------------------------------------


def describe_device():
    query = find_tool("nvidia-smi")
    lines = query and output_of([query, "--query-gpu=name,uuid,driver_version", "--format=csv,noheader"])
    if not lines:
        raise CannotRun("this machine has no GPU that can be used: nvidia-smi finds none")
    devices = [[field.strip() for field in line.split(",")] for line in lines.splitlines()]
    name, uuid, driver = devices[0]
    nvcc = find_tool("nvcc")
    release = re.search(r"V(\d+\.\d+\.\d+)", (nvcc and output_of([nvcc, "--version"])) or "")
    return {"device": name, "device_uuid": uuid, "devices": len(devices), "driver": driver,
            "toolkit": release.group(1) if release else None}


def git_tree(folder):
    """The object name that git gives to a folder with these files."""
    entries = []
    for path in folder.iterdir():
        if path.name == "__pycache__":
            continue
        if path.is_symlink():
            entries.append((path.name, b"120000", git_object(b"blob", os.fsencode(os.readlink(path)))))
        elif path.is_dir():
            entries.append((path.name + "/", b"40000", git_tree(path)))
        else:
            mode = b"100755" if os.access(path, os.X_OK) and path.stat().st_mode & 0o100 else b"100644"
            entries.append((path.name, mode, git_object(b"blob", path.read_bytes())))
    entries.sort(key=lambda entry: os.fsencode(entry[0]))
    content = b"".join(mode + b" " + os.fsencode(name.rstrip("/")) + b"\0" + digest for name, mode, digest in entries)
    return git_object(b"tree", content)


def git_object(kind, content):
    return hashlib.sha1(kind + b" %d\0" % len(content) + content).digest()


def describe_trees(arguments):
    """The trees of include/ and test/, the commit, and why a passing record would be refused (None if it would not)."""
    top = output_of(["git", "rev-parse", "--show-toplevel"], cwd=ROOT)
    if top and pathlib.Path(top).resolve() == ROOT:
        if arguments.include_tree or arguments.test_tree:
            raise CannotRun("in a git checkout the trees are those of HEAD; leave out --include-tree and --test-tree")
        trees = {f"{name}_tree": output_of(["git", "rev-parse", "--verify", f"HEAD:{name}"], cwd=ROOT)
                 for name in ("include", "test")}
        trees["commit"] = output_of(["git", "rev-parse", "--verify", "HEAD"], cwd=ROOT)
        changes = output_of(["git", "status", "--porcelain", "--untracked-files=all", "--", "include", "test"],
                            cwd=ROOT)
        if trees["commit"] is None:
            return trees, "there is no commit yet"
        return trees, "include/ or test/ differ from HEAD:\n" + changes if changes else None
    trees = {}
    for name, given in (("include", arguments.include_tree), ("test", arguments.test_tree)):
        trees[f"{name}_tree"] = git_tree(ROOT / name).hex()
        if given and given != trees[f"{name}_tree"]:
            raise CannotRun(f"the files in {name}/ are the tree {trees[f'{name}_tree']}, not {given}")
    trees["commit"] = arguments.commit
    return trees, None


# ---- Building --------------------------------------------------------------------------------------------------------


def configured_here(build):
    """Whether the build folder was configured from this source tree on this machine."""
    try:
        cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    except OSError:
        return False
    home = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", cache, re.MULTILINE)
    return bool(home) and pathlib.Path(home.group(1)).resolve() == ROOT


def build_programs(build):
    cmake = find_tool("cmake")
    nvcc = find_tool("nvcc")
    if not cmake or not nvcc:
        missing = " and ".join(name for name, found in (("cmake", cmake), ("nvcc", nvcc)) if not found)
        raise CannotRun(f"{build} holds no test programs, and {missing} to build them is missing")
    say(f"verify_gpu: building into {build}")
    configure = [cmake, "-S", str(ROOT), "-B", str(build), "-DCMAKE_BUILD_TYPE=Release",
                 f"-DCMAKE_CUDA_COMPILER={nvcc}", "-DCMAKE_CUDA_ARCHITECTURES=native", "-DCAUSAL_CONV1D_BUILD_TESTS=ON",
                 "-DCAUSAL_CONV1D_BUILD_BENCHMARKS=ON", "-DCAUSAL_CONV1D_BUILD_EXAMPLES=OFF"]
    if configured_here(build):
        configure = []
    for command in (configure, [cmake, "--build", str(build), "--parallel", str(os.cpu_count() or 2)]):
        if command and subprocess.run(command, stdout=sys.stderr, check=False).returncode != 0:
            raise CannotRun("the programs could not be built; the messages are above")


# ---- Tests -----------------------------------------------------------------------------------------------------------


def is_program(path):
    if not path.is_file() or not os.access(path, os.X_OK):
        return False
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def list_gpu_tests(build):
    """The GPU tests of each program: all of a program whose name begins with gpu_, of others those that name a GPU."""
    found = {}
    for program in sorted(path for path in (build / "test").glob("*") if is_program(path)):
        listing = output_of([str(program), "--gtest_list_tests"])
        if listing is None:
            if program.name.startswith("gpu_"):
                raise CannotRun(f"{program} does not list its tests")
            continue
        suite = ""
        tests = []
        for line in listing.splitlines():
            name = line.split("#")[0].rstrip()
            if name.endswith(".") and not name.startswith(" "):
                suite = name
            elif name.startswith("  ") and suite:
                tests.append(suite + name.strip())
        if not program.name.startswith("gpu_"):
            tests = [test for test in tests if "gpu" in test.lower()]
        if tests:
            found[program] = tests
    if not found:
        raise CannotRun(f"{build}/test holds no program with GPU tests")
    return found


def read_results(path):
    """What GoogleTest wrote: {test: "passed" | "failed" | "skipped"}."""
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    results = {}
    for suite in report.get("testsuites", []):
        for test in suite.get("testsuite", []):
            if test.get("status") != "RUN":
                continue
            outcome = "failed" if test.get("failures") else "skipped" if test.get("result") == "SKIPPED" else "passed"
            results[f"{suite['name']}.{test['name']}"] = outcome
    return results


def filter_argument(tests):
    return "--gtest_filter=" + ":".join(tests)


def run_part(program, tests, command, environment, work, label, limit):
    """Runs some tests of a program in one process. Returns (results, exit status, log)."""
    results = work / f"{label}.json"
    log = work / f"{label}.log"
    arguments = [str(program), filter_argument(tests), f"--gtest_output=json:{results}", "--gtest_color=no"]
    code = run_logged(command + arguments, environment, log, limit)
    return read_results(results), code, log


def split_tests(tests, parts):
    """Deals the tests out, neighbours to different parts, as neighbours are often equally heavy."""
    return [part for part in (tests[first::parts] for first in range(parts)) if part]


def gather_logs(logs, target):
    with open(target, "w", encoding="utf-8") as file:
        for log in logs:
            file.write(log.read_text(encoding="utf-8", errors="replace"))
            file.write("\n")


def needs_two_devices(test):
    return "twodevice" in test.lower().replace("_", "")


def run_tests(listed, work, output, jobs):
    single = {program: [test for test in tests if not needs_two_devices(test)] for program, tests in listed.items()}
    registered = sum(len(tests) for tests in single.values())
    say(f"verify_gpu: {registered} GPU tests")
    environment = {"CAUSAL_CONV1D_REQUIRE_GPU": "1"}
    deadline = time.monotonic() + TESTS_LIMIT
    parts = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for program, tests in single.items():
            share = max(1, round(jobs * len(tests) / max(registered, 1)))
            for index, part in enumerate(split_tests(tests, share)):
                label = f"{program.name}_{index}"
                parts.append((part, program, pool.submit(
                    lambda program=program, part=part, label=label: run_part(
                        program, part, [], environment, work, label, deadline - time.monotonic()))))
    results = {}
    problems = []
    for _, program, future in parts:
        found, code, log = future.result()
        results.update({(program.name, test): outcome for test, outcome in found.items()})
        if code != 0 and "failed" not in found.values():
            problems.append(f"{program.name}: {end_of(code)} in {last_started(log)}")
    gather_logs([future.result()[2] for _, _, future in parts], output / "tests.log")
    counts = {outcome: sum(1 for value in results.values() if value == outcome)
              for outcome in ("passed", "failed", "skipped")}
    failed = sorted(f"{program}: {test}" for (program, test), outcome in results.items() if outcome == "failed")
    missing = sorted(f"{program.name}: {test}" for program, tests in single.items() for test in tests
                     if (program.name, test) not in results)
    return {"registered": registered, "run": len(results) - counts["skipped"], **counts,
            "failed_tests": failed,
            "tests_without_result": missing, "problems": problems,
            "ok": registered > 0 and counts["passed"] == registered and not problems}


# ---- Sanitizer -------------------------------------------------------------------------------------------------------


def sample_tests(listed, count, pattern):
    """Tests spread evenly over all of them, or those that a regular expression finds. Left out are tests that fill the
    memory or make thousands of calls, which take minutes under a sanitizer and show nothing that others do not, and
    those that hide the GPU from themselves, where the tools have nothing to look at."""
    names = [(program, test) for program, tests in listed.items() if "absence" not in os.path.basename(program)
             for test in tests]
    if pattern:
        chosen = [(program, test) for program, test in names if re.search(pattern, test)]
    else:
        too_long = r"huge|large|beyond|2_?\^?32|every_axis|of_one_token"
        names = [(program, test) for program, test in names
                 if not needs_two_devices(test) and not re.search(too_long, test, re.IGNORECASE)]
        count = min(count, len(names))
        chosen = [names[index * len(names) // count] for index in range(count)]
    sample = {}
    for program, test in chosen:
        sample.setdefault(program, []).append(test)
    return sample


def count_errors(text):
    """The errors that the tool's closing lines report; None without such a line."""
    found = re.findall(r"ERROR SUMMARY: (\d+) error", text)
    found += re.findall(r"RACECHECK SUMMARY: (\d+) hazard", text)
    return sum(int(number) for number in found) if found else None


def run_sanitizer(listed, work, output, jobs, count, pattern):
    sanitizer = find_tool("compute-sanitizer")
    if not sanitizer:
        raise CannotRun("compute-sanitizer is missing; it is part of the CUDA toolkit")
    sample = sample_tests(listed, count, pattern)
    if not sample:
        raise CannotRun("the sample for the sanitizer is empty")
    total = sum(len(tests) for tests in sample.values())
    say(f"verify_gpu: {', '.join(SANITIZER_TOOLS)} on {total} GPU tests")
    environment = {"CAUSAL_CONV1D_REQUIRE_GPU": "1", "CAUSAL_CONV1D_SANITIZER_RUN": "1"}
    deadline = time.monotonic() + SANITIZER_LIMIT
    parts = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for tool in SANITIZER_TOOLS:
            for program, tests in sample.items():
                share = max(1, round(jobs / len(SANITIZER_TOOLS) * len(tests) / total))
                for index, part in enumerate(split_tests(tests, share)):
                    command = [sanitizer, "--tool", tool, "--error-exitcode", "9"]
                    label = f"{tool}_{program.name}_{index}"
                    parts.append((tool, part, pool.submit(
                        lambda program=program, part=part, command=command, label=label: run_part(
                            program, part, command, environment, work, label, deadline - time.monotonic()))))
    report = {}
    for tool in SANITIZER_TOOLS:
        errors = 0
        passed = 0
        problems = []
        for name, part, future in parts:
            if name != tool:
                continue
            found, code, log = future.result()
            counted = count_errors(log.read_text(encoding="utf-8", errors="replace"))
            errors += counted or 0
            passed += sum(1 for outcome in found.values() if outcome == "passed")
            if code is None:
                problems.append(f"{end_of(code)} in {last_started(log)}")
            elif counted is None:
                problems.append(f"no closing line of the tool, {end_of(code)}")
            elif code != 0 and counted == 0:
                problems.append(end_of(code))
        report[tool] = {"errors": errors, "tests": total, "tests_passed": passed, "problems": problems,
                        "ok": errors == 0 and passed == total and not problems}
    gather_logs([future.result()[2] for _, _, future in parts], output / "sanitizer.log")
    return {"tools": report, "ok": all(result["ok"] for result in report.values())}


# ---- Benchmarks ------------------------------------------------------------------------------------------------------


def run_benchmarks(build, results, output, trees):
    deadline = time.monotonic() + BENCHMARK_LIMIT
    measured = []
    problems = []
    logs = []
    for name in BENCHMARKS:
        program = build / "bench" / name
        if not is_program(program):
            problems.append(f"{program} is missing")
            continue
        say(f"verify_gpu: benchmark {name}")
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.json"
            log = output / f"{name}.log"
            command = [str(program), f"--benchmark_out={report}", "--benchmark_out_format=json",
                       f"--benchmark_context=include_tree={trees['include_tree']}"]
            if trees["commit"]:
                command.append(f"--benchmark_context=commit={trees['commit']}")
            code = run_logged(command, {}, log, deadline - time.monotonic())
            logs.append(log)
            try:
                content = json.loads(report.read_text(encoding="utf-8"))
            except (OSError, ValueError):
                content = {"benchmarks": []}
            found = [entry for entry in content["benchmarks"] if not entry.get("error_occurred")]
            if code != 0 or not found:
                problems.append(f"{name}: {end_of(code)}")
            else:
                content["context"].pop("host_name", None)
                content["context"]["executable"] = name
                write_json(results / f"{name}.json", content)
            for entry in found:
                case = {"name": entry["name"].split("/iterations:")[0]}
                case.update({key: round(entry[key], 4) for key in ("ratio", "GB/s", "beyond_launch_us")
                             if key in entry})
                measured.append(case)
    gather_logs(logs, output / "benchmarks.log")
    for log in logs:
        log.unlink()
    return {"benchmarks": measured, "problems": problems, "ok": bool(measured) and not problems}


# ---- The record ------------------------------------------------------------------------------------------------------


def write_json(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    partial.replace(path)


def earlier_phases(path, record):
    """The phases of an earlier record, if it speaks of the same trees, device, driver and toolkit."""
    try:
        earlier = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    same = ("device_uuid", "driver", "toolkit", "include_tree", "test_tree")
    if earlier.get("files_differ_from_head", True) or any(earlier.get(key) != record[key] for key in same):
        return {}
    return {phase: earlier[phase] for phase in PHASES if earlier.get(phase)}


def print_table(record, chosen):
    rows = []
    tests = record["tests"]
    if tests and "registered" in tests:
        rows.append(("tests", f"{tests['registered']} registered, {tests['run']} run, {tests['passed']} passed, "
                              f"{tests['failed']} failed, {tests['skipped']} skipped", tests["ok"]))
    if record["sanitizer"]:
        for tool, result in record["sanitizer"].get("tools", {}).items():
            rows.append((tool, f"{result['errors']} errors, {result['tests_passed']} of {result['tests']} tests passed",
                         result["ok"]))
    if record["benchmarks"]:
        entries = record["benchmarks"].get("benchmarks", [])
        for prefix in BENCHMARKS:
            operation = "forward/" if prefix == "forward_gpu" else prefix + "/"
            ratios = sorted(entry["ratio"] for entry in entries if entry["name"].startswith(operation))
            text = f"{len(ratios)} cases, ratio {ratios[0]:.2f} to {ratios[-1]:.2f}" if ratios else "no results"
            rows.append((prefix, text, record["benchmarks"]["ok"]))
    print(f"{record['device']} ({record['device_uuid']}), driver {record['driver']}, toolkit {record['toolkit']}")
    for phase in PHASES:
        result = record[phase]
        if result:
            for problem in result.get("problems", []) + result.get("failed_tests", [])[:20]:
                print(f"  {phase}: {problem}")
            for tool, found in result.get("tools", {}).items():
                for problem in found["problems"]:
                    print(f"  {tool}: {problem}")
    for name, text, good in rows:
        print(f"{name:<14}{'ok' if good else 'FAILED':<8}{text}")
    not_run = [phase for phase in PHASES if not record[phase]]
    if not_run:
        print("not run: " + ", ".join(not_run))
    kept = [phase for phase in PHASES if record[phase] and phase not in chosen]
    if kept:
        print("from an earlier run: " + ", ".join(kept))


def main():
    parser = argparse.ArgumentParser(prog="verify_gpu", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", action="store_true", help="run the tests")
    parser.add_argument("--sanitize", action="store_true", help="run the sanitizers")
    parser.add_argument("--bench", action="store_true", help="run the benchmarks")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "gpu",
                        help="the build folder (default: build/gpu)")
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "bench" / "results",
                        help="where the record and the benchmark results go (default: bench/results)")
    parser.add_argument("--output", type=pathlib.Path,
                        help="where the logs go (default: verify_gpu in the build folder)")
    parser.add_argument("--jobs", type=int, default=min(os.cpu_count() or 1, 12), help="processes at a time")
    parser.add_argument("--include-tree", help="outside a checkout: git rev-parse HEAD:include")
    parser.add_argument("--test-tree", help="outside a checkout: git rev-parse HEAD:test")
    parser.add_argument("--commit", help="outside a checkout: git rev-parse HEAD")
    parser.add_argument("--sanitize-count", type=int, default=32,
                        help="how many tests the sanitizers get (default: 32)")
    parser.add_argument("--sanitize-filter", help="a regular expression that chooses those tests instead")
    arguments = parser.parse_args()

    chosen = [phase for phase, wanted in zip(PHASES, (arguments.tests, arguments.sanitize, arguments.bench)) if wanted]
    chosen = chosen or list(PHASES)
    build = arguments.build.resolve()
    output = (arguments.output or build / "verify_gpu").resolve()
    results = arguments.results.resolve()
    try:
        record = {"date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
                  "passed": False, **describe_device()}
        trees, refused = describe_trees(arguments)
        record.update(trees)
        record["files_differ_from_head"] = refused is not None
        if refused:
            say(f"verify_gpu: a passing record will be refused: {refused}")
        if configured_here(build) or not (build / "test").is_dir():
            build_programs(build)
        listed = list_gpu_tests(build)
    except CannotRun as reason:
        say(f"verify_gpu: {reason}")
        say("verify_gpu: nothing was run, nothing was recorded")
        return 2

    begin = time.monotonic()
    output.mkdir(parents=True, exist_ok=True)
    record_path = results / "gpu_verification.json"
    pairs = [test for tests in listed.values() for test in tests if needs_two_devices(test)]
    record["two_device_tests"] = {"registered": len(pairs), "run": 0}
    record.update({phase: None for phase in PHASES})
    if not refused:
        record.update(earlier_phases(record_path, record))
    steps = {
        "tests": lambda work: run_tests(listed, work, output, arguments.jobs),
        "sanitizer": lambda work: run_sanitizer(listed, work, output, arguments.jobs, arguments.sanitize_count,
                                                arguments.sanitize_filter),
        "benchmarks": lambda work: run_benchmarks(build, results, output, trees),
    }
    for phase in chosen:
        with tempfile.TemporaryDirectory() as work:
            try:
                record[phase] = steps[phase](pathlib.Path(work))
            except CannotRun as reason:
                record[phase] = {"problems": [str(reason)], "ok": False}
    record["seconds"] = round(time.monotonic() - begin)
    record["passed"] = all(record[phase] and record[phase]["ok"] for phase in PHASES)
    good = all(record[phase]["ok"] for phase in chosen)

    print_table(record, chosen)
    print(f"logs: {output}")
    if record["passed"] and refused:
        print(f"passed, but NOT recorded: {refused}")
        return 3
    write_json(record_path, record)
    print(f"{'passed' if good else 'FAILED'} in {record['seconds']} s; recorded in {record_path}"
          + ("" if record["passed"] or not good else " (not a full pass: some phases are missing)"))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
