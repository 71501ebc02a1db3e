"""An op as a function of Python."""

import os

import opkit_engine

from .arrays import given, shown
from .context import settings
from .errors import OpkitError


class Op:
    """An installed op by its type, or the op of a package's or built project's folder.

    Called with the inputs in the contract's order, or by name; attributes by name. An optional
    input may be left out or None; a dynamic one is a list. The result is an array, or a tuple of
    them; a dynamic output is a list.
    """

    def __init__(self, word):
        self.__name__ = word
        self._word = _package_of(word) if os.sep in word else word
        self._opened = {}

    def _engine(self):
        asked = settings()
        paths = tuple(os.environ.get(name) for name in ("ASCEND_OPP_PATH", "ASCEND_CUSTOM_OPP_PATH"))
        key = (asked.soc, asked.opp, asked.in_process, paths)
        if key not in self._opened:
            self._opened[key] = opkit_engine.open_op(
                self._word, asked.soc, asked.opp, asked.in_process
            )
        return self._opened[key]

    @property
    def inputs(self):
        """(name, "required" | "optional" | "dynamic") of each."""
        return self._engine().inputs

    @property
    def outputs(self):
        return self._engine().outputs

    @property
    def attrs(self):
        return self._engine().attrs

    @property
    def doc(self):
        return self._engine().doc

    def close(self):
        """Ends its worker; the next call opens the op anew, as it is installed then."""
        self._opened.clear()

    def __call__(self, *positional, **named):
        engine = self._engine()
        ports = [name for name, _ in engine.inputs]
        if len(positional) > len(ports):
            raise _bad_call(engine, f"{len(positional)} inputs, it takes {len(ports)}")
        values = dict(zip(ports, positional))
        attrs = {}
        for name, value in named.items():
            if name in values:
                raise _bad_call(engine, f"input {name} is given twice")
            (values if name in ports else attrs)[name] = value
        arrays = [_port(engine, port, values.get(port[0])) for port in engine.inputs]
        results = engine.run(arrays, attrs, settings().checked)
        return _results(engine, results)

    def __repr__(self):
        return f"<opkit op {self.__name__}>"


def _bad_call(engine, what):
    return OpkitError(
        "OPK-PYTHON-002", what, op=engine.op, action=f"opkit contract explain {engine.op}"
    )


def _package_of(folder):
    built = os.path.join(folder, "build", "package")
    return os.path.abspath(built if os.path.isdir(built) else folder)


def _port(engine, port, value):
    name, presence = port
    if presence == "dynamic":
        if value is None or hasattr(value, "__dlpack__"):
            raise _bad_call(engine, f"input {name} is a list of arrays")
        return [given(one, f"{name}[{i}]") for i, one in enumerate(value)]
    if value is None:
        if presence == "required":
            raise _bad_call(engine, f"input {name} is missing")
        return []
    return [given(value, name)]


def _results(engine, results):
    all_results = []
    for (_, presence), arrays in zip(engine.outputs, results):
        arrays = [shown(one) for one in arrays]
        if presence == "dynamic":
            all_results.append(arrays)
        else:
            all_results.append(arrays[0] if arrays else None)
    return all_results[0] if len(all_results) == 1 else tuple(all_results)
