#!/usr/bin/python3
"""timing_score.py OPKIT CASES: holds the model of time to published durations of whole kernels.

Runs `opkit profile` on Ascend910B1 for every line of CASES and prints each case with its modelled time and how many
times the published one it is; by class the median of that and the share of pairs of cases of one op, 15 % apart as
published, that the model puts in the same order. A case that the op does not take shows the code of the refusal.
"""
import itertools
import json
import math
import statistics
import subprocess
import sys

HEAD = """# Modelled times beside published ones

Written by `make timing-score`: the model's times of shipped ops on Ascend910B1 (1.85 GHz) beside durations that a
public benchmark gives for the vendor's own operators on Ascend910B2 (1.8 GHz; device time, median of 20, cold L2). No
figure of the model was taken from them. A ratio above 1 says that the shipped kernel is slower than the vendor's, or
that the model counts too much; far below 1 that the vendor's operator is slow at the shape, or that the model does not
see some work. Order is that of pairs of cases of one op that are 15 % apart as published.
"""
APART = 1.15  # times: pairs of durations that are nearer have no order


def read_cases(path):
    """Returns the lines of a file of cases as dictionaries."""
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]
    names = lines[0].split("\t")
    return [dict(zip(names, line.split("\t"))) for line in lines[1:]]


def refusal(text):
    """Returns the code of the error that `--json` prints, or its first line."""
    try:
        return json.loads(text)["error"]["code"]
    except (ValueError, KeyError, TypeError):
        return (text.strip() or "no answer").splitlines()[0]


def modelled(opkit, case):
    """Returns the microseconds of a case, or what opkit says against it."""
    words = [opkit, "profile", case["op"], *case["options"].split(), "--soc", "Ascend910B1", "--in-process", "--json"]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        return None, refusal(run.stdout)
    return json.loads(run.stdout)["task_ns"] / 1000, ""


def in_order(cases):
    """Counts pairs of cases of one op that are apart as published, and those in the same order in the model."""
    right = pairs = 0
    for one, other in itertools.combinations(cases, 2):
        low, high = sorted((one, other), key=lambda case: float(case["us"]))
        if low["op"] != high["op"] or float(high["us"]) < APART * float(low["us"]):
            continue
        pairs += 1
        right += low["model"] < high["model"]
    return right, pairs


def main():
    """Prints the tables."""
    opkit, path = sys.argv[1:3]
    cases = []
    print(HEAD)
    print("| class | case | op | published us | modelled us | times |\n|---|---|---|--:|--:|--:|")
    for case in read_cases(path):
        us, why = modelled(opkit, case)
        if us is None:
            print(f"| {case['class']} | {case['case']} | {case['op']} | {case['us']} | {why} | |")
            continue
        case["model"] = us
        cases.append(case)
        times = us / float(case["us"])
        print(f"| {case['class']} | {case['case']} | {case['op']} | {case['us']} | {us:.2f} | {times:.2f} |", flush=True)
    print("\n| class | cases | median times | median distance | pairs in order |\n|---|--:|--:|--:|--:|")
    for name in dict.fromkeys(case["class"] for case in cases):
        of_class = [case for case in cases if case["class"] == name]
        times = [case["model"] / float(case["us"]) for case in of_class]
        distance = statistics.median(abs(math.log(t)) for t in times)
        right, pairs = in_order(of_class)
        share = f"{right} of {pairs}" if pairs else "no pair"
        print(f"| {name} | {len(times)} | {statistics.median(times):.2f} | {math.expm1(distance):.0%} | {share} |")


if __name__ == "__main__":
    main()
