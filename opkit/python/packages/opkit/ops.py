"""The installed ops: AddRelu as opkit.ops.add_relu, or opkit.ops.get("AddRelu")."""

import difflib

import opkit_engine

from .context import settings
from .op import Op

_known = {}


def _plain(name):
    return name.replace("_", "").lower()


def get(op_type):
    """The op of exactly this type, or of the package in this folder."""
    if op_type not in _known:
        _known[op_type] = Op(op_type)
    return _known[op_type]


def close():
    """Ends the workers of all ops; ops that were installed anew are seen then."""
    for op in _known.values():
        op.close()


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    types = opkit_engine.op_types(settings().opp)
    matches = [op_type for op_type in types if _plain(op_type) == _plain(name)]
    if len(matches) == 1:
        return get(matches[0])
    if matches:
        raise AttributeError(f"{name} may be {' or '.join(matches)}: opkit.ops.get(type)")
    close_ones = difflib.get_close_matches(_plain(name), map(_plain, types), n=1)
    near = [op_type for op_type in types if _plain(op_type) in close_ones]
    hint = f"; did you mean {near[0]}?" if near else "; `opkit list` shows the installed ops"
    raise AttributeError(f"no op {name} is installed{hint}")


def __dir__():
    return sorted(["get", "close", *opkit_engine.op_types(settings().opp)])
