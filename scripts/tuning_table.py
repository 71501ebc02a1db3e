#!/usr/bin/env python3
"""Prints docs/tuning-table.md: what a search finds after a tenth of the space, beside the optimum of the whole space.

    python3 scripts/tuning_table.py OPKIT [OP...] > docs/tuning-table.md

Every case is a bench shape of an installed op's contract on a chip. With ops named, only their lines are printed."""
import json
import os
import subprocess
import sys
import tempfile

CHIPS = ["Ascend910B1", "Ascend310B1"]
OPS = ["Add", "AddRelu", "Mul", "Softmax", "LogSoftmax", "RmsNorm", "AddRmsNorm", "AddLayerNorm", "LayerNormGelu",
       "MatMul", "MatMulAddActivation", "QuantMatMulDequant", "ConvBiasActivation", "ConvBottleneck", "ConvBiasLeakyRelu",
       "FlashAttention"]
HEAD = """# The search beside the whole space

Made by `scripts/tuning_table.py`; every figure comes from the model of time ([timing.md](timing.md)). For each bench shape
of ops with knobs: the fastest tiling of the whole space, every one of which was measured; what `opkit tune` finds when it
may measure a tenth of the space; the bound that no tiling goes below; the tiling function's own choice. *space* counts all
combinations of knobs, many of which come to the same tiling, *measured* the launches that the search asked for.

| op | call | chip | space | optimum us | found us | measured | above the optimum | bound us | default us | gain |
|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|"""


def tune(opkit, op, soc, folder, extra):
    """Returns the calls that opkit tunes, or none where the chip has no such op."""
    words = [opkit, "tune", op, "--soc", soc, "--json", "--quiet", "--store", os.path.join(folder, "store.sqlite"),
             "--out", os.path.join(folder, "out.json")] + extra
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    try:
        return json.loads(ran.stdout).get("calls", [])
    except json.JSONDecodeError:
        return []


def micros(nanoseconds):
    return f"{nanoseconds / 1000:.3f}"


def line(op, soc, whole, found):
    for row in whole["rows"]:
        if row["verdict"] in ("measured", "right") and row["ns"] < row["bound_ns"]:
            sys.exit(f"{op} {whole['call']} on {soc}: {row} takes less than its bound")
    best, got, default = whole["winner"]["ns"], found["winner"]["ns"], whole["default"]["ns"]
    return (f"| {op} | {whole['call']} | {soc} | {whole['space']} | {micros(best)} | {micros(got)} | "
            f"{found['measured']} | {100 * (got / best - 1):.1f} % | {micros(whole['bound_ns'])} | {micros(default)} | "
            f"{default / best:.2f} x |"), (got / best, default / best)


def near(ratios, which):
    """Counts the cases whose tiling found (0) or by default (1) is within 2 % of the optimum."""
    return sum(1 for one in ratios if one[which] <= 1.02)


def lines_of(opkit, op, soc, folder):
    lines = []
    whole = tune(opkit, op, soc, folder, ["--everything", "--exhaust", "100000"])
    for number, case in enumerate(whole, 1):
        tenth = max(case["space"] // 10, 2)
        found = tune(opkit, op, soc, folder, ["--case", str(number), "--exhaust", "1", "--most", str(tenth)])
        if found and case["winner"] and found[0]["winner"]:
            lines.append(line(op, soc, case, found[0]))
    return lines


def main():
    opkit, named = sys.argv[1], sys.argv[2:]
    all_lines = []
    if not named:
        print(HEAD, flush=True)
    for op in named or OPS:
        for soc in CHIPS:
            with tempfile.TemporaryDirectory() as folder:
                for text, ratios in lines_of(opkit, op, soc, folder):
                    print(text, flush=True)
                    all_lines.append(ratios)
    if not named:
        print(f"\n{near(all_lines, 0)} of {len(all_lines)} cases are within 2 % of the optimum after a tenth of the space, "
              f"{near(all_lines, 1)} without any search.")


if __name__ == "__main__":
    main()
