#!/usr/bin/python3
"""Writes three networks with control flow, data for them, and what they give.

The networks are ONNX files (package onnx); what they give is computed by NumPy, without any of
ONNX's operators. Run in this folder: python3 make_networks.py
"""
import numpy as np
import onnx
from onnx import TensorProto as T
from onnx import helper as h
from onnx import numpy_helper

random = np.random.default_rng(20)


def weights(*dims, scale=0.3):
    return (random.standard_normal(dims) * scale).astype(np.float32)


def tensor(name, value):
    return numpy_helper.from_array(np.asarray(value), name)


def value(name, dims, dtype=T.FLOAT):
    return h.make_tensor_value_info(name, dtype, dims)


def node(op, inputs, outputs, **attributes):
    outputs = [outputs] if isinstance(outputs, str) else outputs
    return h.make_node(op, inputs, outputs, name=outputs[0] + "_" + op.lower(), **attributes)


def save(name, graph, inputs, outputs):
    model = h.make_model(graph, opset_imports=[h.make_opsetid("", 13)], producer_name="make_networks")
    model.ir_version = 8
    onnx.checker.check_model(model)
    onnx.save(model, name + ".onnx")
    for key, array in {**inputs, **outputs}.items():
        np.save(f"{name}_{key}.npy", array)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def windows(x, weight, bias, step):
    """Products of every window with every kernel, behind a ReLU, averaged over the windows."""
    size = weight.shape[2]
    rows = [x[0, at:at + size] @ weight[:, 0].T + bias for at in range(0, x.shape[1] - size + 1, step)]
    return np.maximum(np.stack(rows), 0).mean(axis=0, keepdims=True)


def vad():
    """Detects speech: the rate of the samples chooses the front, a gated cell keeps the state."""
    hidden = 32
    wide, narrow = weights(hidden, 1, 64, scale=0.1), weights(hidden, 1, 32, scale=0.15)
    wide_bias, narrow_bias = weights(hidden), weights(hidden)
    gate, reset = weights(2 * hidden, hidden), weights(2 * hidden, hidden)
    out = weights(hidden, 1)

    def front(prefix, nodes, weight, bias, size):
        nodes += [
            node("Unsqueeze", [prefix + "samples", prefix + "one"], prefix + "signal"),
            node("Conv", [prefix + "signal", weight, bias], prefix + "conv", strides=[size],
                 kernel_shape=[size]),
            node("Relu", [prefix + "conv"], prefix + "relu"),
            node("ReduceMean", [prefix + "relu"], prefix + "mean", axes=[2], keepdims=0),
        ]
        return [tensor(prefix + "one", np.array([1], np.int64))]

    then_nodes = [node("Identity", ["audio"], "w_samples")]
    then_constants = front("w_", then_nodes, "wide", "wide_bias", 64)
    else_nodes = [node("Slice", ["audio", "n_from", "n_to", "n_axis"], "n_samples")]
    else_constants = front("n_", else_nodes, "narrow", "narrow_bias", 32) + [
        tensor("n_from", np.array([0], np.int64)), tensor("n_to", np.array([256], np.int64)),
        tensor("n_axis", np.array([1], np.int64)),
        tensor("narrow", narrow), tensor("narrow_bias", narrow_bias)]
    then_branch = h.make_graph(then_nodes, "wide_band", [], [value("w_mean", [1, hidden])],
                               then_constants)
    else_branch = h.make_graph(else_nodes, "narrow_band", [], [value("n_mean", [1, hidden])],
                               else_constants)
    nodes = [
        node("Equal", ["rate", "high"], "is_wide"),
        node("If", ["is_wide"], "features", then_branch=then_branch, else_branch=else_branch),
        node("Concat", ["features", "state"], "both", axis=1),
        node("MatMul", ["both", "gate"], "gate_sum"),
        node("Sigmoid", ["gate_sum"], "keep"),
        node("MatMul", ["both", "reset"], "reset_sum"),
        node("Tanh", ["reset_sum"], "fresh"),
        node("Sub", ["state", "fresh"], "apart"),
        node("Mul", ["keep", "apart"], "kept"),
        node("Add", ["fresh", "kept"], "next_state"),
        node("MatMul", ["next_state", "out"], "score"),
        node("Sigmoid", ["score"], "speech"),
    ]
    graph = h.make_graph(
        nodes, "vad",
        [value("audio", [1, 512]), value("rate", [], T.INT64), value("state", [1, hidden])],
        [value("speech", [1, 1]), value("next_state", [1, hidden])],
        [tensor("high", np.array(16000, np.int64)), tensor("wide", wide),
         tensor("wide_bias", wide_bias), tensor("gate", gate), tensor("reset", reset),
         tensor("out", out)])
    audio, state = weights(1, 512, scale=1), weights(1, hidden)
    results = {}
    for rate in (16000, 8000):
        features = (windows(audio, wide, wide_bias, 64) if rate == 16000 else
                    windows(audio[:, :256], narrow, narrow_bias, 32))
        both = np.concatenate([features, state], axis=1)
        keep, fresh = sigmoid(both @ gate), np.tanh(both @ reset)
        after = fresh + keep * (state - fresh)
        results[f"speech_{rate}"] = sigmoid(after @ out).astype(np.float32)
        results[f"next_state_{rate}"] = after.astype(np.float32)
    save("vad", graph, {"audio": audio, "state": state, "rate_16000": np.array(16000, np.int64),
                        "rate_8000": np.array(8000, np.int64)}, results)


def lstm():
    """A layer of LSTM cells, written as a Scan, and one that runs backwards."""
    steps, size, hidden = 20, 24, 32
    w, r, b = weights(size, 4 * hidden), weights(hidden, 4 * hidden), weights(4 * hidden)

    def cell(prefix):
        nodes = [
            node("MatMul", [prefix + "x", "w"], prefix + "xw"),
            node("MatMul", [prefix + "h", "r"], prefix + "hr"),
            node("Add", [prefix + "xw", prefix + "hr"], prefix + "sum"),
            node("Add", [prefix + "sum", "b"], prefix + "gates"),
            node("Split", [prefix + "gates"], [prefix + g for g in ("i", "o", "f", "g")], axis=1),
            node("Sigmoid", [prefix + "i"], prefix + "si"),
            node("Sigmoid", [prefix + "o"], prefix + "so"),
            node("Sigmoid", [prefix + "f"], prefix + "sf"),
            node("Tanh", [prefix + "g"], prefix + "tg"),
            node("Mul", [prefix + "sf", prefix + "c"], prefix + "kept"),
            node("Mul", [prefix + "si", prefix + "tg"], prefix + "new"),
            node("Add", [prefix + "kept", prefix + "new"], prefix + "c_out"),
            node("Tanh", [prefix + "c_out"], prefix + "tc"),
            node("Mul", [prefix + "so", prefix + "tc"], prefix + "h_out"),
            node("Identity", [prefix + "h_out"], prefix + "y"),
        ]
        return h.make_graph(
            nodes, prefix + "cell",
            [value(prefix + "h", [1, hidden]), value(prefix + "c", [1, hidden]),
             value(prefix + "x", [1, size])],
            [value(prefix + "h_out", [1, hidden]), value(prefix + "c_out", [1, hidden]),
             value(prefix + "y", [1, hidden])])

    nodes = [
        node("Scan", ["h0", "c0", "x"], ["h", "c", "y"], body=cell("f_"), num_scan_inputs=1),
        node("Scan", ["h0", "c0", "x"], ["back_h", "back_c", "back_y"], body=cell("b_"),
             num_scan_inputs=1, scan_input_directions=[1], scan_output_directions=[1],
             scan_output_axes=[1]),
    ]
    graph = h.make_graph(
        nodes, "lstm",
        [value("x", [steps, 1, size]), value("h0", [1, hidden]), value("c0", [1, hidden])],
        [value("y", [steps, 1, hidden]), value("h", [1, hidden]), value("c", [1, hidden]),
         value("back_y", [1, steps, hidden]), value("back_c", [1, hidden])],
        [tensor("w", w), tensor("r", r), tensor("b", b)])
    x, h0, c0 = weights(steps, 1, size, scale=1), weights(1, hidden), weights(1, hidden)

    def run(order):
        state, memory, ys = h0.astype(np.float64), c0.astype(np.float64), {}
        for t in order:
            i, o, f, g = np.split(x[t] @ w + state @ r + b, 4, axis=1)
            memory = sigmoid(f) * memory + sigmoid(i) * np.tanh(g)
            state = sigmoid(o) * np.tanh(memory)
            ys[t] = state
        return state, memory, np.stack([ys[t] for t in range(steps)])

    state, memory, y = run(range(steps))
    _, back_memory, back_y = run(reversed(range(steps)))
    save("lstm", graph, {"x": x, "h0": h0, "c0": c0},
         {key: array.astype(np.float32) for key, array in
          {"y": y, "h": state, "c": memory, "back_y": back_y.transpose(1, 0, 2),
           "back_c": back_memory}.items()})


def decoder():
    """Decodes greedily: a token per iteration, until the end token comes or nothing fits any more."""
    vocabulary, size, hidden, most, end = 48, 24, 32, 12, 0
    table, w, u = weights(vocabulary, size, scale=1), weights(size, hidden), weights(hidden, hidden)
    v = weights(hidden, vocabulary, scale=1)
    body = h.make_graph(
        [
            node("Gather", ["table", "token"], "embedded", axis=0),
            node("MatMul", ["embedded", "w"], "ew"),
            node("MatMul", ["state", "u"], "su"),
            node("Add", ["ew", "su"], "sum"),
            node("Add", ["sum", "context"], "sum2"),
            node("Tanh", ["sum2"], "state_out"),
            node("MatMul", ["state_out", "v"], "logits"),
            node("ArgMax", ["logits"], "token_out", axis=1, keepdims=0),
            node("Equal", ["places", "i"], "here"),
            node("Where", ["here", "token_out", "tokens"], "tokens_out"),
            node("Add", ["count", "one"], "count_out"),
            node("Equal", ["token_out", "end"], "ended"),
            node("Squeeze", ["ended", "zero"], "is_end"),
            node("Not", ["is_end"], "goes_on_out"),
        ],
        "step",
        [value("i", [], T.INT64), value("goes_on", [], T.BOOL), value("token", [1], T.INT64),
         value("state", [1, hidden]), value("tokens", [most], T.INT64),
         value("count", [], T.INT64)],
        [value("goes_on_out", [], T.BOOL), value("token_out", [1], T.INT64),
         value("state_out", [1, hidden]), value("tokens_out", [most], T.INT64),
         value("count_out", [], T.INT64)],
        [tensor("places", np.arange(most, dtype=np.int64)), tensor("one", np.array(1, np.int64)),
         tensor("end", np.array([end], np.int64)), tensor("zero", np.array([0], np.int64))])
    graph = h.make_graph(
        [node("MatMul", ["source", "encode"], "encoded"), node("Tanh", ["encoded"], "context"),
         node("Loop", ["most", "yes", "start", "context", "no_tokens", "none"],
              ["last", "final_state", "sequence", "length"], body=body)],
        "decoder", [value("source", [1, size]), value("start", [1], T.INT64)],
        [value("sequence", [most], T.INT64), value("length", [], T.INT64),
         value("final_state", [1, hidden])],
        [tensor("most", np.array(most, np.int64)), tensor("yes", np.array(True)),
         tensor("no_tokens", np.full(most, -1, np.int64)), tensor("none", np.array(0, np.int64)),
         tensor("encode", weights(size, hidden)), tensor("table", table), tensor("w", w),
         tensor("u", u), tensor("v", v)])
    encode = numpy_helper.to_array(next(t for t in graph.initializer if t.name == "encode"))

    def run(source, start):
        context = np.tanh(source @ encode)
        state, token, tokens, margin = context, start, np.full(most, -1, np.int64), np.inf
        for i in range(most):
            state = np.tanh(table[token] @ w + state @ u + context)
            logits = np.sort(state @ v)[0]
            margin = min(margin, logits[-1] - logits[-2])
            token = int((state @ v).argmax())
            tokens[i] = token
            if token == end:
                break
        return tokens, np.array(i + 1, np.int64), state.astype(np.float32), margin

    # Data of which one decoding ends early and one does not, and no two tokens are nearly even.
    chosen = {}
    while len(chosen) < 2:
        source, start = weights(1, size, scale=1), int(random.integers(1, vocabulary))
        tokens, length, state, margin = run(source, start)
        kind = "early" if 3 <= length <= 8 and tokens[length - 1] == end else "full"
        if kind == "full" and end in tokens or margin < 0.05:
            continue
        chosen.setdefault(kind, (source, start, tokens, length, state))
    inputs, outputs = {}, {}
    for kind, (source, start, tokens, length, state) in chosen.items():
        inputs["source_" + kind] = source
        inputs["start_" + kind] = np.array([start], np.int64)
        outputs["sequence_" + kind] = tokens
        outputs["length_" + kind] = length
        outputs["final_state_" + kind] = state
        print(kind, length, tokens)
    save("decoder", graph, inputs, outputs)


vad()
lstm()
decoder()
