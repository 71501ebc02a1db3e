#!/usr/bin/python3
"""Writes three networks with QuantizeLinear and DequantizeLinear as three exporters place them.

Beside each network lie data and what it gives, computed by NumPy in double precision from what the
pairs round, without any of ONNX's operators. Run in this folder: python3 make_networks.py

    python3 make_networks.py FOLDER WIDTH

writes networks WIDTH times as wide to another folder, and their float32 forms, to compare times.
"""
import os
import sys

import numpy as np
import onnx
from onnx import TensorProto as T
from onnx import helper as h
from onnx import numpy_helper

FOLDER = sys.argv[1] if len(sys.argv) > 1 else "."
WIDTH = int(sys.argv[2]) if len(sys.argv) > 2 else 1
random = np.random.default_rng(20)


def scale_of(lowest, highest, dtype, symmetric):
    """Returns scale and zero point of a range, 0 included."""
    info = np.iinfo(dtype)
    lowest, highest = min(lowest, 0.0), max(highest, 0.0)
    if symmetric:
        return np.float32(max(-lowest, highest) / info.max), dtype(0)
    scale = np.float32((highest - lowest) / (info.max - info.min))
    return scale, dtype(np.clip(round(info.min - lowest / float(scale)), info.min, info.max))


def rounded(x, scale, zero):
    """Returns what QuantizeLinear and DequantizeLinear make of real numbers."""
    info = np.iinfo(zero.dtype)
    stored = np.clip(np.rint(x / float(scale)) + int(zero), info.min, info.max)
    return (stored - int(zero)) * float(scale)


def conv(x, weight, bias, step, pad):
    """Returns the convolution of an image in NCHW."""
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    size = weight.shape[2]
    windows = np.lib.stride_tricks.sliding_window_view(x, (size, size), (2, 3))[:, :, ::step, ::step]
    return np.einsum("nchwij,ocij->nohw", windows, weight) + bias[:, None, None]


class Network:
    """Collects the nodes of a network and computes what they give."""

    def __init__(self, name, dtype, symmetric=False, stored_weights=True):
        self.name, self.dtype, self.symmetric, self.stored = name, dtype, symmetric, stored_weights
        self.nodes, self.plain, self.constants, self.floats = [], [], [], []
        self.values, self.scales = {}, {}

    def constant(self, name, array):
        self.constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def input(self, dims):
        self.x = (random.standard_normal(dims)).astype(np.float32)
        self.dims = dims
        self.values["x"] = self.x.astype(np.float64)
        return self.pair("x", "x_float")

    def pair(self, value, old=None):
        """Adds the pair behind a value; `old` is its name in the float32 form."""
        real = self.values[value]
        scale, zero = scale_of(real.min(), real.max(), self.dtype, self.symmetric)
        return self.pair_of(value, scale, zero)

    def pair_of(self, value, scale, zero):
        s = self.constant(value + "_scale", scale)
        z = self.constant(value + "_zero_point", zero)
        self.nodes += [
            h.make_node("QuantizeLinear", [value, s, z], [value + "_q"], name=value + "_quantize"),
            h.make_node("DequantizeLinear", [value + "_q", s, z], [value + "_dq"],
                        name=value + "_dequantize")]
        self.values[value + "_dq"] = rounded(self.values[value], scale, zero)
        self.scales[value + "_dq"] = (scale, zero)
        return value + "_dq"

    def node(self, op, inputs, output, **attributes):
        self.nodes.append(h.make_node(op, inputs, [output], name=output + "_node", **attributes))
        plain = [i[:-3] if i.endswith("_dq") else i for i in inputs]
        self.plain.append(h.make_node(op, plain, [output], name=output + "_node", **attributes))
        return output

    def weights(self, name, weight, axis):
        """Adds int8 weights with a scale per channel, stored or as floats that are quantized."""
        others = tuple(i for i in range(weight.ndim) if i != axis)
        scales = (np.abs(weight).max(axis=others) / 127).astype(np.float32)
        along = scales.reshape([-1 if i == axis else 1 for i in range(weight.ndim)])
        stored = np.clip(np.rint(weight / along), -127, 127).astype(np.int8)
        s = self.constant(name + "_scale", scales)
        z = self.constant(name + "_zero_point", np.zeros(len(scales), np.int8))
        if self.stored:
            self.constant(name + "_q", stored)
        else:
            self.constant(name + "_kept", weight)
            self.nodes.append(h.make_node("QuantizeLinear", [name + "_kept", s, z], [name + "_q"],
                                          name=name + "_quantize", axis=axis))
        self.nodes.append(h.make_node("DequantizeLinear", [name + "_q", s, z], [name + "_dq"],
                                      name=name + "_dequantize", axis=axis))
        self.floats.append(numpy_helper.from_array(weight, name))
        return scales, stored * along.astype(np.float64)

    def bias(self, name, bias, steps):
        """Adds a bias in int32, in steps of the data's scale by the weights'."""
        steps = steps.astype(np.float32)
        stored = np.rint(bias / steps).astype(np.int32)
        self.constant(name + "_q", stored)
        self.nodes.append(h.make_node(
            "DequantizeLinear",
            [name + "_q", self.constant(name + "_scale", steps),
             self.constant(name + "_zero_point", np.zeros(len(bias), np.int32))],
            [name + "_dq"], name=name + "_dequantize", axis=0))
        self.floats.append(numpy_helper.from_array(bias, name))
        return stored * steps.astype(np.float64)

    def conv(self, x, y, channels, size=3, step=1):
        """Adds a convolution with a bias; the result has no pair yet."""
        inside = self.values[x].shape[1]
        weight = (random.standard_normal((channels, inside, size, size)) *
                  np.sqrt(2 / (inside * size * size))).astype(np.float32)
        scales, real = self.weights(y + "_w", weight, 0)
        bias = self.bias(y + "_b", (random.standard_normal(channels) * 0.1).astype(np.float32),
                         scales * self.scales[x][0])
        self.values[y] = conv(self.values[x], real, bias, step, size // 2)
        return self.node("Conv", [x, y + "_w_dq", y + "_b_dq"], y, strides=[step, step],
                         kernel_shape=[size, size], pads=[size // 2] * 4)

    def relu(self, x, y):
        self.values[y] = np.maximum(self.values[x], 0)
        return self.node("Relu", [x], y)

    def relu6(self, x, y):
        for name, bound in (("zero", 0), ("six", 6)):
            if name not in [c.name for c in self.floats]:
                self.floats.append(numpy_helper.from_array(np.float32(bound), name))
                self.constant(name, np.float32(bound))
        self.values[y] = np.clip(self.values[x], 0, 6)
        return self.node("Clip", [x, "zero", "six"], y)

    def add(self, a, b, y):
        self.values[y] = self.values[a] + self.values[b]
        return self.node("Add", [a, b], y)

    def move(self, op, x, y, make, **attributes):
        """Adds an operator that only moves numbers, with a pair of the same scale behind it."""
        self.values[y] = make(self.values[x])
        return self.pair_of(self.node(op, [x], y, **attributes), *self.scales[x])

    def linear(self, x, y, columns, bias="floats"):
        """Adds MatMul and Add, or Gemm where the bias is whole; the result has no pair yet."""
        rows = self.values[x].shape[-1]
        weight = (random.standard_normal((rows, columns)) * np.sqrt(2 / rows)).astype(np.float32)
        summand = (random.standard_normal(columns) * 0.1).astype(np.float32)
        scales, real = self.weights(y + "_w", weight, 1)
        if bias == "whole":
            there = self.bias(y + "_b", summand, scales * self.scales[x][0])
            self.values[y] = self.values[x] @ real + there
            return self.node("Gemm", [x, y + "_w_dq", y + "_b_dq"], y)
        self.constant(y + "_b", summand)
        self.floats.append(self.constants[-1])
        self.values[y] = self.values[x] @ real + summand
        self.node("MatMul", [x, y + "_w_dq"], y + "_product")
        return self.node("Add", [y + "_b", y + "_product"], y)

    def save(self, output):
        dims = list(self.values[output].shape)
        self.write(self.name, self.nodes, self.constants, output, dims)
        np.save(os.path.join(FOLDER, self.name + "_x.npy"), self.x)
        np.save(os.path.join(FOLDER, self.name + "_y.npy"), self.values[output].astype(np.float32))
        if FOLDER != ".":
            self.write(self.name + "_float", self.plain, self.floats, output[:-3], dims)
        print(self.name, output, dims, "step", self.scales[output][0])

    def write(self, name, nodes, constants, output, dims):
        graph = h.make_graph(nodes, self.name,
                             [h.make_tensor_value_info("x", T.FLOAT, self.dims)],
                             [h.make_tensor_value_info(output, T.FLOAT, dims)], constants)
        model = h.make_model(graph, opset_imports=[h.make_opsetid("", 13)],
                             producer_name="make_networks")
        model.ir_version = 8
        onnx.checker.check_model(model)
        onnx.save(model, os.path.join(FOLDER, name + ".onnx"))


def largest_of(x):
    """Returns MaxPool of 3 by 3 in steps of 2, with a pad of 1."""
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=-np.inf)
    views = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))
    return views[:, :, ::2, ::2].max(axis=(4, 5))


def residual():
    """uint8 with zero points, int8 weights and int32 biases in the file: ONNX Runtime's quantizer."""
    net = Network("residual", np.uint8)
    width = 16 * WIDTH
    x = net.input((1, 3, 32, 32))
    x = net.pair(net.relu(net.conv(x, "stem", width), "stem_relu"))
    x = net.move("MaxPool", x, "pool", largest_of, kernel_shape=[3, 3], strides=[2, 2],
                 pads=[1, 1, 1, 1])
    for number in range(2):
        n = f"block{number}_"
        inside = net.pair(net.relu(net.conv(x, n + "a", width), n + "a_relu"))
        apart = net.pair(net.conv(inside, n + "b", width))
        x = net.pair(net.relu(net.add(apart, x, n + "sum"), n + "relu"))
    x = net.pair(net.relu(net.conv(x, "last", 2 * width, step=2), "last_relu"))
    net.values["mean"] = net.values[x].mean(axis=(2, 3), keepdims=True)
    x = net.pair(net.node("GlobalAveragePool", [x], "mean"))
    x = net.move("Flatten", x, "flat", lambda value: value.reshape(1, -1))
    net.save(net.pair(net.linear(x, "scores", 10, bias="whole")))


def perceptron():
    """int8 without zero points, float weights behind their own pairs: TensorRT's tools."""
    net = Network("perceptron", np.int8, symmetric=True, stored_weights=False)
    x = net.input((32, 48 * WIDTH))
    for number in range(2):
        n = f"layer{number}_"
        wide = net.pair(net.relu(net.linear(x, n + "up", 96 * WIDTH), n + "relu"))
        down = net.pair(net.linear(wide, n + "down", 48 * WIDTH))
        x = net.pair(net.add(down, x, n + "sum"))
    net.save(net.pair(net.linear(x, "scores", 16)))


def channels_last():
    """int8 with zero points, images in NHWC turned for Conv, ReLU6 as Clip: tf2onnx of TFLite."""
    net = Network("channels_last", np.int8)
    width = 16 * WIDTH
    x = net.input((1, 24, 24, 4))
    x = net.move("Transpose", x, "planes", lambda v: v.transpose(0, 3, 1, 2), perm=[0, 3, 1, 2])
    x = net.pair(net.relu6(net.conv(x, "first", width, step=2), "first_clip"))
    a = net.pair(net.relu6(net.conv(x, "wide", width), "wide_clip"))
    b = net.pair(net.relu6(net.conv(x, "narrow", width, size=1), "narrow_clip"))
    net.values["both"] = np.concatenate([net.values[a], net.values[b]], axis=1)
    x = net.pair(net.node("Concat", [a, b], "both", axis=1))
    x = net.pair(net.relu6(net.conv(x, "joined", 2 * width, step=2), "joined_clip"))
    x = net.move("Transpose", x, "rows", lambda v: v.transpose(0, 2, 3, 1), perm=[0, 2, 3, 1])
    net.constant("flat_dims", np.array([36, 2 * width], np.int64))
    net.floats.append(net.constants[-1])
    net.values["flat"] = net.values[x].reshape(36, 2 * width)
    x = net.pair_of(net.node("Reshape", [x, "flat_dims"], "flat"), *net.scales[x])
    net.save(net.pair(net.linear(x, "scores", 8)))


residual()
perceptron()
channels_last()
