"""fusion_gains.py CLAIMS COMPARED.json...: the page docs/fusion-gains.md out of what `opkit compare --all --json` says.

CLAIMS has a line per claim of a source document: op, what the source claims, what is to be said about it, with tabs
between them; `#` begins a comment.
"""
import json
import sys

HEAD = """# What fusion gains

Written by `make fusion-gains` from `opkit compare --all`; every figure comes from the model of time
([timing.md](timing.md)) or from the oracle, and is the same on every machine. Do not edit: the claims of the sources and
what is said about them stand in `scripts/fusion_claims.tsv`.

Each fused op that is installed stands beside the cheapest cover of its reference with installed ops of one operator each,
at the first bench shape of its contract in its first type (float16 unless the table says otherwise), L2 cold. Times are
modelled, launches included; GM is what copies move between global memory and the cores, a tensor that is read twice counts
twice. `~` marks launches of which only the first part was watched: times are estimated, traffic is that of the
tensors, once each. Errors are the largest distance from the reference in double precision, as shares of its largest
element. A pipe's figure is the share of the launch in which it is busy, over the cores that use it; the
larger one of cube and vector cores.
"""

UNMEASURED = """Nobody measured figures of this chip: trust the ratios, not the microseconds.
"""


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def claims_of(path):
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file]
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def microseconds(side):
    mark = "" if all(launch["exact"] for launch in side["launches"]) else " ~"
    return f"{side['ns'] / 1000:.2f}{mark}"


def change(now, before):
    return f"{100 * (now / before - 1):+.0f} %" if before else "?"


def traffic_change(one):
    return "?" if one["separate"]["on_host"] else change(one["fused"]["gm_bytes"], one["separate"]["gm_bytes"])


def speed(one):
    return "?" if one["speedup"] is None else f"{one['speedup']:.2f}"


def pipes(launch):
    shares = [(name, share) for name, share in launch["pipes"].items() if share >= 0.005]
    return ", ".join(f"{name} {100 * share:.0f}" for name, share in shares) or "?"


def errors(one):
    if not one["judged"]:
        return "?", "?"
    return tuple(f"{one[side]['worst_error']:.1e}" for side in ("fused", "separate"))


def table(headings, rows):
    lines = ["| " + " | ".join(name.lstrip(">") for name in headings) + " |"]
    lines.append("|" + "|".join("--:" if name.startswith(">") else "---" for name in headings) + "|")
    lines += ["| " + " | ".join(cells) + " |" for cells in rows]
    return "\n".join(lines) + "\n"


def claims_table(claims, chips):
    rows = []
    for op, claim, words in claims:
        ours = []
        for chip in chips:
            found = [one for one in chip["ops"] if one["op"] == op]
            ours.append(f"{speed(found[0])}×, {traffic_change(found[0])} GM" if found else "not installed")
        rows.append([op, claim, *ours, words])
    return table(["Op", "Source", *(chip["soc"] for chip in chips), "Why ours differs"], rows)


def summary_row(one):
    separate = one["separate"]
    host = f" + {len(separate['on_host'])} on the host" if separate["on_host"] else ""
    fused_error, separate_error = errors(one)
    return [
        one["op"],
        one["case"],
        f"{len(separate['launches'])}{host}",
        microseconds(separate),
        microseconds(one["fused"]),
        speed(one),
        traffic_change(one),
        fused_error,
        separate_error,
    ]


def summary(chip):
    headings = ["Op", "Call", ">Launches apart", ">us", ">us fused", ">×", ">GM", ">Error fused", ">apart"]
    text = table(headings, [summary_row(one) for one in chip["ops"]])
    for failed in chip["failed"]:
        text += f"\n{failed['op']} was not compared: {failed['error']['message']}.\n"
    return text


def launch_rows(one):
    for name, side in (("fused", one["fused"]), ("apart", one["separate"])):
        for launch in side["launches"]:
            mark = "" if launch["exact"] else " ~"
            yield [name, launch["op"], f"{launch['ns'] / 1000:.2f}{mark}", f"{launch['gm_bytes']}", pipes(launch)]
        for op in side["on_host"]:
            yield [name, f"{op}, on the host", "?", "?", "?"]


def tensors_of(side):
    """Bytes by tensor, in the order in which launches touch them."""
    bytes_of = {}
    for launch in side["launches"]:
        for tensor in launch["tensors"]:
            read, written = bytes_of.get(tensor["name"], (0, 0))
            bytes_of[tensor["name"]] = (read + tensor["read"], written + tensor["written"])
    return bytes_of


def tensor_rows(one):
    fused, apart = tensors_of(one["fused"]), tensors_of(one["separate"])
    for name in list(fused) + [name for name in apart if name not in fused]:
        cells = []
        for side in (fused, apart):
            read, written = side.get(name, (0, 0))
            cells += [str(read or "-"), str(written or "-")]
        yield [f"`{name}`", *cells]


def details(one):
    text = f"### {one['op']}, {one['case']}\n\n"
    text += table(["Side", "Launch", ">us", ">GM bytes", "Pipes, % busy"], launch_rows(one))
    text += "\n" + table([">Tensor", ">fused reads", ">writes", ">apart reads", ">writes"], tensor_rows(one))
    if one["judged"] and one["judged_at"] != one["case"]:
        text += f"\nThe errors above were taken at {one['judged_at']}: the reference takes too long at the bench shape.\n"
    return text


def page(claims, chips):
    parts = [HEAD, "## Beside what the sources claim\n\n" + claims_table(claims, chips)]
    for chip in chips:
        unmeasured = "" if all(one["chip_is_measured"] for one in chip["ops"]) else UNMEASURED + "\n"
        parts.append(f"## {chip['soc']}\n\n{unmeasured}" + summary(chip))
    parts.append(f"## Launches and tensors on {chips[0]['soc']}\n\n" + "\n".join(map(details, chips[0]["ops"])))
    return "\n".join(parts)


def main():
    sys.stdout.write(page(claims_of(sys.argv[1]), [load(path) for path in sys.argv[2:]]))


main()
