"""Ops, models and tests of opkit from Python.

    import numpy as np, opkit
    z = opkit.ops.add_relu(x, y)                    # NumPy arrays, or anything with DLPack
    model = opkit.compile("net.onnx")               # atc; then model(x), model.run({"x": x})
    report = opkit.test("AddRelu", tier="smoke")    # what `opkit test` found, as data

What goes wrong is an OpkitError with code, text and action. docs/python.md tells the rest.
"""

from . import ops
from .arrays import BFloat16
from .context import device
from .errors import OpkitError
from .models import Model, compile, load
from .op import Op
from .pipeline import Pipeline
from .testing import Report, test

__all__ = [
    "BFloat16",
    "Model",
    "Op",
    "OpkitError",
    "Pipeline",
    "Report",
    "compile",
    "device",
    "load",
    "ops",
    "test",
]
