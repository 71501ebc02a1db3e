#!/usr/bin/env python3
"""Prints docs/optimize-table.md: what `atc --optimize` gains on networks, and why not more.

    build/release/tests/models/write_networks FOLDER        # three networks as PyTorch exports them
    python3 scripts/optimize_table.py OPKIT NAME=MODEL.onnx... > docs/optimize-table.md

The models are not run: `--no-check` leaves out atc's comparison on data, which moves no figure of the page."""
import json
import os
import subprocess
import sys
import tempfile

CHIPS = ["Ascend910B1", "Ascend310B1"]
MOST = 100
HEAD = """# What other forms of a graph gain

Made by `scripts/optimize_table.py`, which says how; every figure is the model of time's ([timing.md](timing.md)), of one frame.
*Cover* is the cheapest cover of the graph as it is, *optimized* the one that `atc --optimize --optimize-most={most}` finds
([atc.md](atc.md#other-forms-of-the-graph)).

| network | chip | cover us | optimized us | gain | steps taken | covers tried | bound us |
|---|---|--:|--:|--:|---|--:|--:|"""
WHY = """
## Why not more

Four sums say what a further rewrite could gain at most:

- *own bounds*: what the launches that are left cannot do without: each its weights from memory, its tensors once at the fastest
  rate or its multiply-adds at the cube unit's peak, and a launch. What is above is how well kernels use the chip
  ([rooflines.md](rooflines.md)), which no form of the graph changes.
- *starts*: of all launches that are left and of the cores that they use.
- *merging*: of as many launches as wait for no other one. An upper bound of merging launches without a grid-wide dependency
  between them; what stands one behind the other and works element by element is what `--generate_chains` joins.
- *in L2*: what values between launches would take less if the next launch found them in L2. The model of time begins each launch
  with L2 cold, so that no rewrite gains this; what a launch itself keeps in L2 is in its time, and `split_batch` gains by that.

| network | chip | optimized us | own bounds us | launches | starts us | merging us | in L2 us | the best that was left, by rewrite |
|---|---|--:|--:|--:|--:|--:|--:|---|"""


def us(nanoseconds):
    return f"{nanoseconds / 1000:.1f}"


def compiled(opkit, model, soc, folder):
    words = [opkit, "atc", f"--model={model}", "--framework=5", f"--output={folder}/m", f"--soc_version={soc}", "--json",
             "--quiet", "--optimize", f"--optimize-most={MOST}", "--no-check"]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        sys.exit(f"{model} on {soc}: {ran.stderr}")
    return json.loads(ran.stdout)["optimize"]


def taken(steps):
    counts = {}
    for step in steps:
        counts[step["rewrite"]] = counts.get(step["rewrite"], 0) + step["changed"]
    return ", ".join(f"{name} at {places}" for name, places in counts.items()) or "none"


def left(rewrites):
    """Returns for each rewrite with places what the best step that was not taken costs."""
    words = []
    for one in rewrites:
        gain = one["best_left_ns"]
        if one["places"] > 0 and gain is not None:
            words.append(f"{one['rewrite']} {'+' if gain <= 0 else '-'}{us(abs(gain))} us")
    return ", ".join(words) or "nothing is left to try"


def main():
    opkit, networks = sys.argv[1], [word.split("=", 1) for word in sys.argv[2:]]
    rows = []
    print(HEAD.format(most=MOST))
    for name, model in networks:
        for soc in CHIPS:
            with tempfile.TemporaryDirectory() as folder:
                found = compiled(opkit, os.path.abspath(model), soc, folder)
            plain, best = found["plain_ns"], found["best_ns"]
            print(f"| {name} | {soc} | {us(plain)} | {us(best)} | {100 * (1 - best / plain):.1f} % | {taken(found['steps'])} | "
                  f"{found['tried']} | {us(found['bound_ns'])} |", flush=True)
            rows.append((name, soc, found))
    print(WHY)
    for name, soc, found in rows:
        print(f"| {name} | {soc} | {us(found['best_ns'])} | {us(found['floor_ns'])} | {found['launches']} | "
              f"{us(found['starts_ns'])} | {us(found['merging_most_ns'])} | "
              f"{us(found['residency_most_ns'])} | {left(found['rewrites'])} |")


if __name__ == "__main__":
    main()
