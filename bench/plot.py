#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The causal_conv1d authors
# SPDX-License-Identifier: BSD-3-Clause
"""Turns the records in bench/results/ into the tables of docs/performance.md and the pictures in docs/images/.

forward_gpu*.json and forward_host*.json are what Google Benchmark wrote; of several runs the median counts.
compile_time.json is from bench/compile_time.py. What has no record is said to be not recorded yet. Pictures need
matplotlib; without it only the tables are renewed.
"""

import argparse
import json
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOT_RECORDED = "Not recorded yet."
ELEMENTS = ("bfloat16", "float16", "float32")
LARGE = r"/width[234]/(8x2048x4096|4x4128x4096)$"
LONG = r"/width[234]/1x1024x131072$"
UNALIGNED = r"/(8x2048x4095|8x2047x4096|8x2048x4096/(sliced|misaligned|odd_pitch))$"

# (what, expression that finds its cases among the GPU's, must, aim)
GPU_CONTRACT = (
    ("channel first, at least 64 MiB per tensor, widths 2 to 4", "^forward/channel_first/.*" + LARGE, 0.97, 0.99),
    ("channel first, few long rows (1, 1024, 131072)", "^forward/channel_first/.*" + LONG, 0.96, 0.98),
    ("channel first, odd extents, sliced and misaligned rows", "^forward/channel_first/.*" + UNALIGNED, 0.88, 0.97),
    ("channel last, at least 64 MiB per tensor, widths 2 to 4", "^forward/channel_last/.*" + LARGE, 0.96, 0.985),
    ("channel last, few long rows (1, 1024, 131072)", "^forward/channel_last/.*" + LONG, 0.96, 0.985),
    ("channel last, odd extents, sliced and misaligned rows", "^forward/channel_last/.*" + UNALIGNED, 0.96, 0.985),
    ("channel first, (1, 2048, 2048), bfloat16", "^forward/channel_first/bfloat16/.*/1x2048x2048$", 0.88, 0.95),
    ("channel last, (1, 2048, 2048), bfloat16", "^forward/channel_last/bfloat16/.*/1x2048x2048$", 0.92, 0.95),
)
HOST_CONTRACT = (
    ("CPU, channel last, float32", "^forward_host/channel_last/float32/", 0.35, 0.8),
    ("CPU, channel first, float32", "^forward_host/channel_first/float32/", 0.50, 0.8),
)
STATES_MUST = 0.97  # with states, relative to the same shape without: within 3 %
STATES_AIM = 0.99
COMPILE_MUST = 4.0
COMPILE_AIM = 2.0
HOST_TIME = "host_time/forward"
HOST_TIME_MUST = 1.0
HOST_TIME_AIM = 0.3
COUNTERS = ("ratio", "GB/s", "copy_GB/s", "tokens/s", "threads", "beyond_launch_us")


def load_runs(folder, prefix):
    """The recorded runs of one program: (contexts, {case: {counter: median over the runs}})."""
    contexts = []
    values = {}
    for path in sorted(folder.glob(f"{prefix}*.json")):
        report = json.loads(path.read_text(encoding="utf-8"))
        contexts.append(report["context"])
        for entry in report["benchmarks"]:
            if entry.get("run_type") != "iteration" or entry.get("error_occurred"):
                continue
            name = re.sub(r"/iterations:.*$", "", entry["name"])
            microseconds = entry["real_time"] * {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}[entry["time_unit"]]
            counters = {key: entry[key] for key in COUNTERS if key in entry}
            values.setdefault(name, []).append({**counters, "us": microseconds})
    cases = {name: {key: statistics.median(run[key] for run in runs) for key in runs[0]}
             for name, runs in values.items()}
    return contexts, cases


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def ratio_text(value):
    return "-" if value is None else f"{value:.3f}"


def lowest(cases, expression):
    found = [counters["ratio"] for name, counters in cases.items() if re.search(expression, name)]
    return min(found) if found else None


def lowest_with_states(cases):
    found = [counters["ratio"] / cases[name[: -len("/states")]]["ratio"] for name, counters in cases.items()
             if name.endswith("/states") and name[: -len("/states")] in cases]
    return min(found) if found else None


def contract_section(gpu, host, compile_time):
    def row(what, must, aim, measured, format_value=ratio_text):
        return [what, format_value(must), format_value(aim),
                "not recorded yet" if measured is None else format_value(measured)]

    rows = [row(what, must, aim, lowest(gpu, expression)) for what, expression, must, aim in GPU_CONTRACT]
    rows.append(row("with states, relative to without", STATES_MUST, STATES_AIM, lowest_with_states(gpu)))
    rows += [row(what, must, aim, lowest(host, expression)) for what, expression, must, aim in HOST_CONTRACT]
    host_time = gpu.get(HOST_TIME, {}).get("beyond_launch_us")
    rows.append(row("host time of one call beyond a bare launch", HOST_TIME_MUST, HOST_TIME_AIM, host_time,
                    lambda value: f"+{value:.1f} us"))
    beyond = None
    for result in compile_time["results"] if compile_time else []:
        if result["compiler"] == "nvcc" and result["file"] == "one_width":
            beyond = result["beyond_empty"]
    rows.append(row("compile time of one forward beyond an empty file, nvcc", COMPILE_MUST, COMPILE_AIM, beyond,
                    lambda value: f"+{value:.1f} s"))
    return table(["forward", "must", "aim", "measured"], rows)


def context_text(contexts, keys):
    """One line that says where and with what the runs were made."""
    parts = [f"{len(contexts)} run" + ("s" if len(contexts) > 1 else "")]
    for key, words in keys:
        found = sorted({str(context[key]) for context in contexts if context.get(key)})
        if found:
            parts.append(f"{words} {', '.join(found)}".strip())
    dates = sorted({context["date"][:10] for context in contexts})
    parts.append(", ".join(dates))
    return "; ".join(parts) + "."


def split_name(name):
    operation, layout, element, width, shape, *rest = name.split("/")
    return {"operation": operation, "layout": layout.replace("_", " "), "element": element, "width": width[5:],
            "shape": "(" + shape.replace("x", ", ") + ")", "variant": rest[0].replace("_", " ") if rest else ""}


def gpu_section(contexts, cases, images):
    if not cases:
        return NOT_RECORDED
    by_row = {}
    for name, counters in cases.items():
        if name == HOST_TIME:
            continue
        parts = split_name(name)
        key = (parts["layout"], parts["shape"] + (" " + parts["variant"] if parts["variant"] else ""), parts["width"])
        by_row.setdefault(key, {})[parts["element"]] = counters
    rows = []
    for (layout, shape, width), found in by_row.items():
        best = found.get("bfloat16")
        rows.append([layout, shape, width]
                    + [ratio_text(found[element]["ratio"] if element in found else None) for element in ELEMENTS]
                    + [f"{best['us']:.1f}" if best else "-", f"{best['GB/s']:.0f}" if best else "-",
                       f"{best['tokens/s'] / 1e6:.0f}" if best else "-"])
    about = context_text(contexts, (("device", ""), ("driver_supports_cuda", "driver for CUDA"),
                                    ("cuda_runtime", "CUDA runtime"), ("commit", "commit")))
    header = ["layout", "(batch, channels, length)", "width"] + [f"{element}: ratio" for element in ELEMENTS]
    header += ["bfloat16: us", "GB/s", "million tokens/s"]
    return "\n\n".join([about] + images + [table(header, rows)])


def host_section(contexts, cases, images):
    if not cases:
        return NOT_RECORDED
    rows = []
    for name, counters in cases.items():
        parts = split_name(name)
        rows.append([parts["layout"], parts["element"], f"{counters['threads']:.0f}", ratio_text(counters["ratio"]),
                     f"{counters['GB/s']:.1f}", f"{counters['copy_GB/s']:.1f}", f"{counters['tokens/s'] / 1e3:.0f}"])
    about = context_text(contexts, (("processor", ""), ("compiler", "compiler"), ("commit", "commit")))
    shape = split_name(next(iter(cases)))
    about = f"{shape['shape']}, width {shape['width']}, silu. " + about
    header = ["layout", "element", "threads", "ratio", "GB/s", "copy GB/s", "thousand tokens/s"]
    return "\n\n".join([about] + images + [table(header, rows)])


def compile_section(record):
    if not record:
        return NOT_RECORDED
    words = {"empty": "empty", "headers": "the headers alone", "one_width": "one forward, `only_width<4>`",
             "any_shape": "one forward, `any_shape`"}
    rows = [[result["compiler"], words[result["file"]], f"{result['seconds']:.1f}", f"{result['beyond_empty']:.1f}"]
            for result in record["results"]]
    context = record["context"]
    about = [context["processor"]]
    if context.get("nvcc"):
        about.append(f"nvcc {context['nvcc']} for {context['architecture']}")
    if context.get("cxx"):
        about.append(context["cxx"])
    if context.get("commit"):
        about.append(f"commit {context['commit']}")
    about.append(context["date"][:10])
    return "; ".join(about) + ".\n\n" + table(["compiler", "file", "seconds", "beyond empty"], rows)


def draw_bars(pyplot, path, title, labels, groups):
    """Bars of ratios by case, one colour for each group, against the line of the copy."""
    figure, axes = pyplot.subplots(figsize=(10, 1.2 + 0.22 * len(labels) * (len(groups) + 1)), layout="constrained")
    height = 0.8 / len(groups)
    for index, (group, values) in enumerate(groups.items()):
        positions = [position + (index + 0.5) * height - 0.4 for position in range(len(labels))]
        bars = axes.barh(positions, [value or 0 for value in values], height=height * 0.92, label=group)
        axes.bar_label(bars, ["" if value is None else f"{value:.2f}" for value in values], padding=2, fontsize=7)
    axes.axvline(1.0, color="black", linewidth=1, linestyle="--", label="copy")
    axes.set_yticks(range(len(labels)), labels, fontsize=8)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.set_xlim(0, 1.12)
    axes.set_xlabel("speed relative to a copy of the same bytes", fontsize=9)
    figure.suptitle(title, fontsize=10)
    axes.legend(fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=len(groups) + 1, frameon=False)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def draw(folder, prefix, title, cases, keep):
    """Draws one picture for each layout and returns the lines of markdown that show them."""
    if not cases:
        return []
    try:
        import matplotlib
    except ImportError:
        print("matplotlib is missing: the pictures are not renewed", file=sys.stderr)
        return [f"![{title}, {path.stem[len(prefix) + 1:].replace('_', ' ')}](images/{path.name})"
                for path in sorted(folder.glob(f"{prefix}_*.png"))]
    matplotlib.use("Agg")
    from matplotlib import pyplot

    lines = []
    for layout in ("channel_first", "channel_last"):
        groups = {}
        labels = []
        for name in cases:
            if name.split("/")[1] != layout or not keep(split_name(name)):
                continue
            parts = split_name(name)
            label = (parts["shape"] + " " + parts["variant"]).strip()
            if label not in labels:
                labels.append(label)
            groups.setdefault(parts["element"], {})[label] = cases[name]["ratio"]
        if not labels:
            continue
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{prefix}_{layout}.png"
        words = layout.replace("_", " ")
        draw_bars(pyplot, path, f"{title}, {words}", labels,
                  {group: [values.get(label) for label in labels] for group, values in groups.items()})
        lines.append(f"![{title}, {words}](images/{path.name})")
    return lines


def replace_section(text, name, content):
    begin = f"<!-- {name}:begin -->"
    end = f"<!-- {name}:end -->"
    if begin not in text or end not in text:
        raise SystemExit(f"the page has no section {name}")
    head, rest = text.split(begin, 1)
    return head + begin + "\n\n" + content + "\n\n" + end + rest.split(end, 1)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "bench" / "results")
    parser.add_argument("--page", type=pathlib.Path, default=ROOT / "docs" / "performance.md")
    parser.add_argument("--images", type=pathlib.Path, default=ROOT / "docs" / "images")
    arguments = parser.parse_args()

    gpu_contexts, gpu = load_runs(arguments.results, "forward_gpu")
    host_contexts, host = load_runs(arguments.results, "forward_host")
    compile_path = arguments.results / "compile_time.json"
    compile_time = json.loads(compile_path.read_text(encoding="utf-8")) if compile_path.exists() else None

    gpu_images = draw(arguments.images, "forward_gpu", "Forward on a GPU, width 4, silu", gpu,
                      lambda parts: parts["width"] == "4")
    host_images = draw(arguments.images, "forward_host", "Forward on a CPU, width 4, silu", host, lambda parts: True)

    text = arguments.page.read_text(encoding="utf-8")
    text = replace_section(text, "contract", contract_section(gpu, host, compile_time))
    text = replace_section(text, "forward_gpu", gpu_section(gpu_contexts, gpu, gpu_images))
    text = replace_section(text, "forward_host", host_section(host_contexts, host, host_images))
    text = replace_section(text, "compile_time", compile_section(compile_time))
    arguments.page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
