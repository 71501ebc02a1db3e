"""qdq.py MODEL DUMP: evaluates an ONNX model with QuantizeLinear by NumPy in float32 and compares every
tensor with what `opkit model compare --dump` wrote of it. Shares nothing with opkit: it reads the file
field by field."""
import glob
import os
import struct
import sys

import numpy as np

TYPES = {1: np.float32, 3: np.int8, 6: np.int32, 7: np.int64}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = varint(data, at)
            if value >= 1 << 63:
                value -= 1 << 64
        elif wire == 2:
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
        elif wire == 5:
            value, at = struct.unpack("<f", data[at : at + 4])[0], at + 4
        else:
            raise ValueError("wire type %d" % wire)
        yield number, value


def tensor(data):
    dims, kind, name, raw = [], 1, "", b""
    for number, value in fields(data):
        if number == 1:
            dims.append(value)
        elif number == 2:
            kind = value
        elif number == 8:
            name = value.decode()
        elif number == 9:
            raw = value
    return name, np.frombuffer(raw, TYPES[kind]).reshape(dims)


def attribute(data):
    name, value, ints = "", None, []
    for number, content in fields(data):
        if number == 1:
            name = content.decode()
        elif number in (2, 3):
            value = content
        elif number == 8:
            ints.append(content)
    return name, ints if ints else value


def node(data):
    made = {"in": [], "out": [], "op": "", "attributes": {}}
    for number, value in fields(data):
        if number == 1:
            made["in"].append(value.decode())
        elif number == 2:
            made["out"].append(value.decode())
        elif number == 4:
            made["op"] = value.decode()
        elif number == 5:
            name, content = attribute(value)
            made["attributes"][name] = content
    return made


def read(path):
    nodes, values, opset = [], {}, 0
    for number, value in fields(open(path, "rb").read()):
        if number == 8:
            opset = dict(fields(value)).get(2, 0)
        if number != 7:
            continue
        for part, content in fields(value):
            if part == 1:
                nodes.append(node(content))
            elif part == 5:
                name, array = tensor(content)
                values[name] = array
    return nodes, values, opset


def windows(x, kernel, strides, pads, fill):
    x = np.pad(x, ((0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])), constant_values=fill)
    view = np.lib.stride_tricks.sliding_window_view(x, tuple(kernel), axis=(2, 3))
    return view[:, :, :: strides[0], :: strides[1]]


def per_axis(array, rank, axis):
    if array.ndim == 0:
        return array
    shape = [1] * rank
    shape[axis] = array.size
    return array.reshape(shape)


def conv(x, w, b, attributes):
    pads, strides = attributes.get("pads", [0] * 4), attributes.get("strides", [1, 1])
    groups = attributes.get("group", 1)
    outs = []
    for g in range(groups):
        inputs = x[:, g * w.shape[1] : (g + 1) * w.shape[1]]
        step = w.shape[0] // groups
        view = windows(inputs, w.shape[2:], strides, pads, 0)
        outs.append(np.einsum("nchwij,ocij->nohw", view, w[g * step : (g + 1) * step]))
    y = np.concatenate(outs, axis=1)
    return (y if b is None else y + b.reshape(1, -1, 1, 1)).astype(np.float32)


def evaluate(one, values):
    x = [values[name] if name else None for name in one["in"]]
    op, attributes = one["op"], one["attributes"]
    axis = attributes.get("axis", 1)
    if op == "QuantizeLinear":
        q = np.rint(x[0] / per_axis(x[1], x[0].ndim, axis)) + per_axis(x[2], x[0].ndim, axis)
        return np.clip(q, -128, 127).astype(np.int8)
    if op == "DequantizeLinear":
        zero = per_axis(x[2], x[0].ndim, axis).astype(np.int64)
        scale = per_axis(x[1], x[0].ndim, axis)
        return ((x[0].astype(np.int64) - zero) * scale.astype(np.float64)).astype(np.float32)
    if op == "Conv":
        return conv(x[0], x[1], x[2] if len(x) > 2 else None, attributes)
    if op == "MatMul":
        return x[0] @ x[1]
    if op == "Gemm":
        w = x[1].T if attributes.get("transB", 0) else x[1]
        return x[0] @ w + (x[2] if len(x) > 2 else np.float32(0))
    if op == "Relu":
        return np.maximum(x[0], 0)
    if op in ("Add", "Sum"):
        return x[0] + x[1]
    if op == "MaxPool":
        view = windows(x[0], attributes["kernel_shape"], attributes.get("strides", [1, 1]),
                       attributes.get("pads", [0] * 4), -np.inf)
        return view.max(axis=(4, 5))
    if op == "GlobalAveragePool":
        return x[0].mean(axis=(2, 3), keepdims=True, dtype=np.float64).astype(np.float32)
    if op == "Concat":
        return np.concatenate(x, axis=axis)
    if op == "Flatten":
        return x[0].reshape(x[0].shape[0], -1)
    raise ValueError("no formula for " + op)


def dumped(folder):
    found = {}
    for path in glob.glob(os.path.join(folder, "*.npy")):
        found[int(os.path.basename(path).split(".")[2])] = np.load(path)
    return [found[number] for number in sorted(found)]


def main(path, folder):
    nodes, constants, opset = read(path)
    assert opset == 13, opset
    quantized = compared = elements = off = 0
    for sample in sorted(os.listdir(folder)):
        arrays = dumped(os.path.join(folder, sample))
        values = dict(constants)
        read_first = [name for one in nodes for name in one["in"] if name not in values]
        made = {name for one in nodes for name in one["out"]}
        inputs = [name for name in dict.fromkeys(read_first) if name and name not in made]
        assert len(inputs) == 1, inputs
        values[inputs[0]] = arrays[0]
        at = 1
        varying = set(inputs)
        for one in nodes:
            values[one["out"][0]] = evaluate(one, values)
            if not varying.intersection(one["in"]):
                continue
            varying.update(one["out"])
            mine, its = values[one["out"][0]], arrays[at]
            at += 1
            assert mine.shape == its.shape and mine.dtype == its.dtype, (one, mine.shape, its.shape)
            compared += 1
            if one["op"] != "QuantizeLinear":
                continue
            quantized += 1
            steps = np.abs(mine.astype(int) - its.astype(int))
            elements += steps.size
            off += int((steps > 0).sum())
            assert steps.max() <= 1, (one["out"], steps.max())
        assert at == len(arrays), (at, len(arrays))
        scale = np.abs(its).max()
        assert np.abs(mine - its).max() <= 0.02 * scale, (np.abs(mine - its).max(), scale)
    assert quantized > 0 and off <= elements * 0.001, (off, elements)
    print("%d tensors, %d of them quantized: %d of %d elements differ by a step"
          % (compared, quantized, off, elements))


main(*sys.argv[1:])
