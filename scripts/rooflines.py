#!/usr/bin/env python3
"""Prints docs/rooflines.md: how near each shipped op comes to the least time that a chip allows.

    python3 scripts/rooflines.py OPKIT ROOT > docs/rooflines.md

Times are those of the ops' benchmark.json (opkit gate), least times those of opkit feasible, pipes those of opkit
profile, which asks the packages that are installed in ROOT/opp."""
import json
import pathlib
import re
import subprocess
import sys

SOCS = ("Ascend910B1", "Ascend310B1")
NEAR = 0.4
WIDTH = 110  # of a call
ROW = 200  # characters of a row at most: docs have no longer ones
HEAD = """# How near ops come to the roofline

Made by `scripts/rooflines.py`; every figure comes from the model of time ([timing.md](timing.md)). For each bench shape of
each shipped op, in the first types of its contract: the time of its cores, the launch apart; the least time: the inputs'
bytes, once each, at the memory's rate, all tensors' at that of L2, or the multiply-adds at the cube unit's peak, whichever
takes longest; and the share of the time that this is. Worst first. The least time knows no vector instructions: kernels
that compute much for each byte are far from it and near to what the vector unit can do.

The reason says which pipe is busiest, on {pipes_of}, where a share is below {near}, and why there is no faster way where
that is known. A start is what a core pays once, about 0.5 us: TPipe, the first load, the last store.
"""


def ask(words):
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    try:
        return json.loads(ran.stdout)
    except json.JSONDecodeError:
        return None


def chip_of(root, soc):
    """What a chip's file states: MHz, bytes per cycle of the memory for all cores, ns of a launch."""
    text = (root / "opkit/soc/specs" / f"{soc.lower()}.yaml").read_text(encoding="utf-8")
    patterns = {"mhz": r"^frequency: \{cube: (\d+)", "hbm": r"^  hbm: \{value: (\d+)",
                "launch_ns": r"^  launch_ns: \{value: (\d+)"}
    return {name: int(re.search(pattern, text, re.M).group(1)) for name, pattern in patterns.items()}


def known_reasons(root):
    """Why an op is far from the roofline: op, tab, sentence, a line each."""
    lines = (root / "scripts/roofline_reasons.tsv").read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t", 1) for line in lines if line and not line.startswith("#"))


def contracts(root):
    found = {}
    for path in sorted(root.glob("ops/*/*/*contract.yaml")):
        match = re.search(r"^op: (\w+)", path.read_text(encoding="utf-8"), re.M)
        if match:
            found[match.group(1)] = path
    return found


def first_types(path):
    """The first column as the keys of benchmark.json have it: ["T=float16"]."""
    texts = [path.read_text(encoding="utf-8")]
    family = re.search(r"^family: (\S+)", texts[0], re.M)
    if family:
        texts.append((path.parent / family.group(1)).read_text(encoding="utf-8"))
    for text in texts:
        types = re.search(r"^types:\s*\{?\s*(\w+): \[(\w+)", text, re.M)
        column = re.search(r"^columns:\n\s*- \{(.*)\}", text, re.M)
        if column:
            return [f"{name}={value}" for name, value in re.findall(r"(\w+):\s*(\w+)", column.group(1))]
        if types:
            return [f"{types.group(1)}={types.group(2)}"]
    return []


def cycles_of(counted, call, types):
    keys = [key for key in counted if key == call or key.startswith(call + ", ") or key == ", ".join(types)]
    exact = [key for key in keys if all(type_ in key.split(", ") for type_ in types)]
    return counted[(exact or keys)[0]]["cycles"] if keys else None


def reason(profile, over_us):
    if profile is None or "pipes" not in profile:
        return "not profiled"
    cores = dict.fromkeys(profile["pipes"], profile["cores"])
    if profile["cores"] == 3 * profile["block_dim"]:  # a cube core and two vector cores for each block
        cores.update({pipe: 2 * profile["block_dim"] for pipe in ("V", "MTE3")})
        cores.update({pipe: profile["block_dim"] for pipe in ("M", "MTE1", "FIX")})
    busy = {pipe: facts["busy_cycles"] / (cores[pipe] * profile["cycles"])
            for pipe, facts in profile["pipes"].items() if facts["instructions"] and pipe != "S"}
    pipe = max(busy, key=busy.get)
    said = f"{pipe} {100 * busy[pipe]:.0f} %"
    if busy[pipe] >= 0.6:
        return said
    return said + (", starts" if over_us < 2 else ", pipes take turns")


def shortened(call, room):
    width = min(WIDTH, room - len(" ..."))
    return call if len(call) <= min(width + len(" ..."), WIDTH) else call[:width] + " ..."


def rows_of(opkit, root):
    rows = {soc: [] for soc in SOCS}
    known = {soc: chip_of(root, soc) for soc in SOCS}
    paths, reasons = contracts(root), known_reasons(root)
    for file in sorted(root.glob("ops/*/*/benchmark.json")):
        for op, chips in json.loads(file.read_text(encoding="utf-8")).items():
            case = 1
            while op in paths and add(opkit, root, op, paths[op], case, chips, known, reasons.get(op), rows):
                case += 1
    return rows


def add(opkit, root, op, path, case, chips, known, because, rows):
    said = ask([opkit, "feasible", str(path), "--case", str(case), "--json", "--quiet"])
    if said is None or "chips" not in said:
        return False  # no such bench shape
    profile = None
    for soc, chip in known.items():
        least = [c["fused"]["bound_ns"] for c in said["chips"] if soc.startswith(c["soc"])]
        cycles = cycles_of(chips.get(soc, {}), said["call"], first_types(path))
        if not least or cycles is None:
            continue
        read = sum(tensor["fused_read"] for tensor in said["traffic"]["tensors"])
        least_us = max((least[0] - chip["launch_ns"]) / 1000, read / chip["hbm"] / chip["mhz"])
        us = cycles / chip["mhz"]
        share = least_us / us
        if share < NEAR and profile is None:
            profile = ask([opkit, "profile", op, "--case", str(case), "--opp", str(root / "opp"), "--json", "--quiet"])
        why = reason(profile, us - least_us) if share < NEAR else "a part of a tensor is read" if share > 1 else ""
        if share < NEAR and because:
            why += f": {because}"
        begin, end = f"| {op} | ", f" | {us:.2f} | {least_us:.2f} | {share:.2f} | {why} |"
        rows[soc].append((share, begin + shortened(said["call"], ROW - len(begin + end)) + end))
    return True


def main():
    opkit, root = sys.argv[1], pathlib.Path(sys.argv[2])
    rows = rows_of(opkit, root)
    print(HEAD.format(pipes_of="Ascend910B1", near=NEAR))
    for soc, found in rows.items():
        reached = sum(share >= NEAR for share, _ in found)
        print(f"## {soc}\n\n{reached} of {len(found)} calls reach {NEAR} of it.\n")
        print("| Op | Call | us | Least us | Share | Busiest pipe |\n|---|---|--:|--:|--:|---|")
        print("\n".join(row for _, row in sorted(found)), end="\n\n")


if __name__ == "__main__":
    main()
