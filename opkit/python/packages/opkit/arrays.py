"""Arrays as the engine takes them: a dtype's name and a dense NumPy array of its elements."""

import sys

import numpy as np

from .errors import OpkitError


class BFloat16:
    """An array of bfloat16, which NumPy lacks, as its bits in uint16."""

    def __init__(self, bits):
        self.bits = np.asarray(bits)
        if self.bits.dtype != np.uint16:
            raise OpkitError(
                "OPK-PYTHON-001",
                f"BFloat16 takes the bits as uint16, not {self.bits.dtype}",
                action="BFloat16.of(array) rounds numbers",
            )

    @classmethod
    def of(cls, numbers):
        """The nearest bfloat16 of each number, ties to even."""
        wide = np.asarray(numbers, dtype=np.float32).view(np.uint32)
        rounded = (wide + np.uint32(0x7FFF) + (wide >> np.uint32(16) & np.uint32(1))) >> np.uint32(16)
        nan = (wide & np.uint32(0x7FFFFFFF)) > np.uint32(0x7F800000)
        return cls(np.where(nan, np.uint32(0x7FC0), rounded).astype(np.uint16))

    @property
    def shape(self):
        return self.bits.shape

    def to_float32(self):
        return (self.bits.astype(np.uint32) << np.uint32(16)).view(np.float32)

    def __array__(self, dtype=None):
        return self.to_float32().astype(dtype or np.float32)

    def __repr__(self):
        return f"BFloat16({self.to_float32()!r})"


def _no_array(name, why):
    return OpkitError(
        "OPK-PYTHON-001",
        f"{name}: {why}",
        action="give a NumPy array, an opkit.BFloat16, or an array in host memory that has DLPack",
    )


def _numpy_of(value, name):
    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(value)
    if not hasattr(value, "__dlpack__"):
        raise _no_array(name, f"{type(value).__name__} is no array")
    try:
        return np.from_dlpack(value)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise _no_array(name, f"NumPy does not take its DLPack: {error}") from error


def given(value, name):
    """(dtype, dense array) of what a caller gives."""
    if isinstance(value, BFloat16):
        return "bfloat16", np.array(value.bits, order="C", copy=False)
    array = _numpy_of(value, name)
    word = array.dtype.name
    if word == "bfloat16":  # of ml_dtypes
        array = array.view(np.uint16)
    elif array.dtype.kind not in "biuf":
        raise _no_array(name, f"elements of {array.dtype}")
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return word, np.array(array, order="C", copy=False)


def shown(result):
    """What a caller gets: bfloat16 as ml_dtypes has it where the program uses that."""
    word, array = result
    if word != "bfloat16":
        return array
    ml_dtypes = sys.modules.get("ml_dtypes")
    return array.view(ml_dtypes.bfloat16) if ml_dtypes else BFloat16(array)
