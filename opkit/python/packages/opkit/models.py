"""Models: compiled by atc, run here."""

import os
import shutil
import tempfile

import opkit_engine

from . import tools
from .arrays import given, shown
from .context import settings
from .errors import OpkitError

_DASHED = {"no_fallback": "no-fallback"}


class Model:
    """An offline model, loaded. Its dims, or those of the inputs, choose the gear."""

    def __init__(self, engine, explanation=None):
        self._engine = engine
        self.explanation = explanation  # what atc said of it; None when it was loaded

    @property
    def name(self):
        return self._engine.name

    @property
    def soc(self):
        return self._engine.soc

    @property
    def inputs(self):
        """(name, dtype, dims) of each; -1 for a dim that the gear decides."""
        return self._engine.inputs

    @property
    def outputs(self):
        return self._engine.outputs

    @property
    def gears(self):
        return self._engine.gears

    def run(self, feeds):
        """{output: array} of {input: array}."""
        names = [name for name, _, _ in self.inputs]
        unknown = sorted(set(feeds) - set(names))
        if unknown:
            raise _bad_input(f"the model has no input '{unknown[0]}', but {', '.join(names)}")
        missing = [name for name in names if name not in feeds]
        if missing:
            raise _bad_input(f"input '{missing[0]}' is not given")
        results = self._engine.run([given(feeds[name], name) for name in names])
        return {name: shown(one) for (name, _, _), one in zip(self.outputs, results)}

    def __call__(self, *arrays):
        """Inputs in order; the output, or a tuple of them."""
        if len(arrays) != len(self.inputs):
            raise _bad_input(f"{len(arrays)} inputs are given, the model has {len(self.inputs)}")
        results = self.run({name: one for (name, _, _), one in zip(self.inputs, arrays)})
        values = tuple(results.values())
        return values[0] if len(values) == 1 else values


def _bad_input(what):
    return OpkitError("OPK-OM-007", what, action="give the inputs that model.inputs lists")


def load(path, *, threads=0):
    """A model that atc wrote. threads: of this host; 0: one per CPU."""
    return Model(opkit_engine.open_model(os.fspath(path), settings().opp, threads, settings().in_process))


def _flags(options):
    words = []
    for name, value in options.items():
        flag = "--" + _DASHED.get(name, name)
        if value is True:
            words.append(flag)
        elif value is not False and value is not None:
            words.append(f"{flag}={value}")
    return words


def compile(path, *, output=None, threads=0, **options):
    """Compiles an ONNX model for the chip of opkit.device() and loads it.

    output: where the offline model is kept (.om is added); else it is not. options: flags of atc,
    as in input_shape="x:1,3,224,224", precision_mode="force_fp16", no_fallback=True.
    """
    asked = settings()
    folder = tempfile.mkdtemp(prefix="opkit_model_")
    try:
        target = os.fspath(output) if output else os.path.join(folder, "model")
        words = ["atc", f"--model={os.fspath(path)}", "--framework=5", f"--output={target}"]
        words += [f"--soc_version={asked.soc}", *_flags(options)]
        if asked.opp:
            words += ["--opp", asked.opp]
        said = tools.run(words)
        model = load(target if target.endswith(".om") else target + ".om", threads=threads)
        model.explanation = said
        return model
    finally:
        shutil.rmtree(folder, ignore_errors=True)
