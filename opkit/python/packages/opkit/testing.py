"""`opkit test` as data."""

import os

from . import tools
from .context import settings


class Report:
    """What a test of an op against its contract found. data: everything, as --json has it."""

    def __init__(self, data):
        self.data = data

    @property
    def passed(self):
        return self.data["verdict"] == "PASSED"

    @property
    def verdict(self):
        return self.data["verdict"]

    @property
    def counts(self):
        """{"PASSED": 275, "FAILED": 0, ...}"""
        return self.data["counts"]

    @property
    def failures(self):
        return self.data["failures"]

    def __bool__(self):
        return self.passed

    def __repr__(self):
        counts = ", ".join(f"{number} {word.lower()}" for word, number in self.counts.items() if number)
        return f"<opkit test of {self.data['op']}: {self.verdict}, {counts}>"


def test(op, *, tier="smoke", soc=None, seed=1, **options):
    """Tests an installed op, a package or a built project. soc: one or several chips;
    else every chip of the contract. options: flags of opkit test, as in random=100,
    max_failures=1."""
    asked = settings()
    chips = [soc] if isinstance(soc, str) else list(soc or [])
    words = ["test", os.fspath(op), "--tier", tier, "--seed", str(seed)]
    for chip in chips:
        words += ["--soc", chip]
    if asked.opp:
        words += ["--opp", asked.opp]
    for name, value in options.items():
        words += ["--" + name.replace("_", "-")] + ([] if value is True else [str(value)])
    return Report(tools.run(words))
