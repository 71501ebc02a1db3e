#!/usr/bin/env python3
"""merge_tests.py [--of N] FILE...: what shards of opkit's own tests found, as one result.

    ctest -I 1,,2 --output-junit one.xml        # on one machine: tests 1, 3, 5, ...
    ctest -I 2,,2 --output-junit two.xml        # on another one
    scripts/merge_tests.py --of "$(ctest -N | awk '/^Total Tests:/ {print $3}')" one.xml two.xml

Exit code 1: a test failed, stands in two files, or (with --of) is missing."""
import argparse
import sys
import xml.etree.ElementTree as tree


def verdicts(file):
    """Returns what became of each test of a file: ran, failed, or why it did not run."""
    return [(case.get("name"), case.get("status", "run")) for case in tree.parse(file).getroot().iter("testcase")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--of", type=int, help="how many tests there are")
    asked = parser.parse_args()
    found, twice = {}, []
    for file in asked.files:
        for name, status in verdicts(file):
            if name in found:
                twice.append(name)
            found[name] = status
    failed = sorted(name for name, status in found.items() if status == "fail")
    ran = sum(1 for status in found.values() if status in ("run", "fail"))
    print(f"{len(found)} tests of {len(asked.files)} files: {ran - len(failed)} passed, {len(failed)} failed, "
          f"{len(found) - ran} did not run")
    for word, names in (("failed", failed), ("in two files", sorted(twice))):
        for name in names:
            print(f"{word}: {name}")
    missing = asked.of is not None and len(found) != asked.of
    if missing:
        print(f"of {asked.of} tests {asked.of - len(found)} are missing: run the shard again whose file is not here")
    sys.exit(1 if failed or twice or missing else 0)


if __name__ == "__main__":
    main()
