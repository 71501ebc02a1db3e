"""feasible_gains.py OPKIT ROOT: the page docs/feasible-gains.md: what `opkit feasible` calculates from contracts alone,
beside what kernels were measured to do (docs/fusion-gains.md, which `opkit compare` made).
"""
import json
import pathlib
import re
import subprocess
import sys

HEAD = """# Calculated and measured

Written by `scripts/feasible_gains.py` out of the contracts (`opkit feasible`) and of [fusion-gains.md](fusion-gains.md)
(`opkit compare`, which launches kernels under the model of time). Do not edit; a test makes it again and compares.

**Traffic.** Calculated are the bytes of all tensors, each once for each kernel, apart and fused; measured is what copies
moved. *Exact* counts the accesses (a tensor, read or written, apart or fused) whose bytes are the calculated ones. All
others have a reason: tensors that are read for every core or block again, a workspace, parts of rows that are left out,
constants that the cover folded away.

**Gain.** Calculated gains within 15 % of the measured ones stand without words; of others the reason is what the launches
show and no contract tells.
"""

WITHIN = 0.15
WIDTH = 196  # of a line


def contracts(root):
    found = {}
    for path in sorted(root.glob("ops/*/*/*contract.yaml")):
        match = re.search(r"^op: (\w+)", path.read_text(encoding="utf-8"), re.M)
        if match:
            found[match.group(1)] = path
    return found


def rows_of(page):
    """Rows of the table of each chip: op, call, launches apart, gain or None."""
    chips = {}
    for soc in ("Ascend910B1", "Ascend310B1"):
        section = page.split(f"\n## {soc}\n", 1)[1].split("\n## ", 1)[0]
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines()
                if line.startswith("| ") and not line.startswith("| Op ")]
        chips[soc] = {row[0]: {"call": row[1], "apart": row[2], "gain": None if row[5] == "?" else float(row[5])}
                      for row in rows}
    return chips


def launches_of(page, soc):
    """Launches and tensors of each op: {"op": {"launches": [...], "tensors": {...}}}."""
    section = page.split(f"\n## Launches and tensors on {soc}\n", 1)[1].split("\n## Launches and tensors on", 1)[0]
    found = {}
    for part in section.split("\n### ")[1:]:
        op = part.split(",", 1)[0].split("\n", 1)[0].strip()
        launches, tensors = [], {}
        for line in part.splitlines():
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if len(cells) == 5 and cells[0] in ("fused", "apart"):
                pipes = dict(re.findall(r"(\w+) (\d+)", cells[4]))
                launches.append((cells[0], cells[1], cells[3], {k: int(v) for k, v in pipes.items()}))
            if len(cells) == 5 and cells[0].startswith("`"):
                counts = [0 if cell == "-" else int(cell) for cell in cells[1:]]
                tensors[cells[0].strip("`")] = counts
        found[op] = {"launches": launches, "tensors": tensors}
    return found


def calculated(opkit, path, soc):
    shown = subprocess.run([opkit, "feasible", str(path), "--soc", soc, "--json"], capture_output=True, text=True,
                           check=False)
    return json.loads(shown.stdout)


KEYS = ("fused_read", "fused_written", "separate_read", "separate_written")


def compare_traffic(mine, theirs):
    """How many accesses are exact, of how many, and why others are not."""
    exact = wrong = 0
    reasons = {}
    tensors = {one["tensor"]: one for one in mine["traffic"]["tensors"]}
    for name, counts in theirs["tensors"].items():
        if name == "workspace":
            reasons.setdefault("through a workspace", []).append(name)
            continue
        if name not in tensors:
            reasons.setdefault("another tensor of the cover", []).append(name)
            continue
        for key, count in zip(KEYS, counts):
            said = tensors[name][key]
            if said == count:
                exact += said > 0
                continue
            wrong += 1
            if count == 0:
                why = "not touched by copies, or folded away"
            elif said == 0:
                why = "read by no kernel of the reference"
            elif count > said:
                why = f"{count / said:.3g} times"
            else:
                why = f"{100 * count / said:.0f} % of it"
            reasons.setdefault(why, []).append(f"`{name}` {key.replace('_', ' ')}")
    return exact, exact + wrong, reasons


def reason_text(reasons):
    parts = []
    for why, names in reasons.items():
        shown = ", ".join(names[:3]) + (" ..." if len(names) > 3 else "")
        parts.append(why if why == "through a workspace" else f"{shown}: {why}")
    return "; ".join(parts[:4]) + ("; ..." if len(parts) > 4 else "")


def gain_reason(measured, launches):
    """Why a gain is not the calculated one, from what the launches show."""
    if "host" in measured["apart"]:
        return "operators on the host have no time"
    if not launches:
        return "the launches of this chip are not listed"
    fused = [one for one in launches if one[0] == "fused"]
    apart = [one for one in launches if one[0] == "apart"]
    worst = {}
    for side, group in (("fused", fused), ("apart", apart)):
        pipes = {}
        for _, _, _, busy in group:
            for pipe, share in busy.items():
                pipes[pipe] = max(pipes.get(pipe, 0), share)
        worst[side] = max(pipes, key=pipes.get) if pipes else "?"
    words = {"V": "the vector unit's instructions", "MTE3": "stores of windows or panels", "MTE2": "loads of parts",
             "S": "the scalar unit", "M": "the cube unit", "MTE1": "moves from L1", "FIX": "the way out of L0C"}
    return (f"fused bound by {words.get(worst['fused'], worst['fused'])}, apart by "
            f"{words.get(worst['apart'], worst['apart'])}")


def gain_table(rows, mine, launches):
    lines = ["| Op | Calculated | Range | Measured | Why it is not within 15 % |", "|---|--:|--:|--:|---|"]
    near_ones = 0
    for op, measured in rows.items():
        if op not in mine:
            continue
        if "error" in mine[op]:
            lines.append(f"| {op} | ? | ? | ? | {mine[op]['error']['code']} |")
            continue
        chip, gain = mine[op]["chips"][0], measured["gain"]
        near = gain is not None and abs(chip["gain"] / gain - 1) <= WITHIN
        near_ones += near
        why = "" if near else gain_reason(measured, launches.get(op, {}).get("launches", []))
        lines.append(f"| {op} | {chip['gain']:.2f} | {chip['gain_least']:.2f} to {chip['gain_most']:.2f} | "
                     f"{'?' if gain is None else f'{gain:.2f}'} | {why} |")
    known = sum(one["gain"] is not None for op, one in rows.items() if op in mine)
    return "\n".join(lines) + f"\n\n{near_ones} of {known} gains are within 15 %.\n"


def traffic_table(rows, mine, launches):
    lines = ["| Op | Bytes apart | fused | Exact | Other accesses |", "|---|--:|--:|--:|---|"]
    for op in rows:
        if op not in mine or "error" in mine[op] or op not in launches:
            continue
        exact, all_of, reasons = compare_traffic(mine[op], launches[op])
        traffic = mine[op]["traffic"]
        head = (f"| {op} | {traffic['separate_bytes']} | {traffic['fused_bytes']} | {exact} of {all_of} | ")
        room = WIDTH - len(head) - 2
        text = reason_text(reasons)
        lines.append(head + (text if len(text) <= room else text[:room - 4] + " ...") + " |")
    return "\n".join(lines) + "\n"


def main():
    opkit, root = sys.argv[1], pathlib.Path(sys.argv[2])
    page = (root / "docs/fusion-gains.md").read_text(encoding="utf-8")
    rows = rows_of(page)
    launches = launches_of(page, "Ascend910B1")
    paths = contracts(root)
    mine = {soc: {op: calculated(opkit, paths[op], soc) for op in rows[soc] if op in paths} for soc in rows}
    print(HEAD)
    for soc in rows:
        print(f"## Gain on {soc}\n")
        print(gain_table(rows[soc], mine[soc], launches))
    print("## Traffic on Ascend910B1\n")
    print(traffic_table(rows["Ascend910B1"], mine["Ascend910B1"], launches), end="")


main()
