"""A model application as pyACL programs are written: loads the model of python_test.cpp, runs it at once, on a stream
with a callback, and as single operators; then does what is wrong. Usage: classify.py net.om"""

import sys

import acl
import numpy as np

ACL_MEM_MALLOC_HUGE_FIRST = 0
HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
ACL_FLOAT, ACL_FORMAT_ND = 0, 2
NPY_FLOAT32 = 11
ROWS, WIDTH, HIDDEN, CLASSES = 4, 16, 8, 3


def check_ret(what, ret):
    if ret != 0:
        raise RuntimeError(f"{what} failed, ret={ret}: {acl.get_recent_err_msg()}")


def numbers(count, seed):
    return ((np.arange(count) * 7 + seed) % 17 - 8).astype(np.float32) / 8


def expected(image, shift):
    """In NumPy what the net computes."""
    hidden = np.maximum(
        np.float32(0.5) * (image @ numbers(WIDTH * HIDDEN, 3).reshape(WIDTH, HIDDEN)) + shift, 0
    )
    scores = hidden @ numbers(HIDDEN * CLASSES, 5).reshape(HIDDEN, CLASSES)
    power = np.exp(scores - scores.max(axis=1, keepdims=True))
    return power / power.sum(axis=1, keepdims=True), scores


class Net:
    """Model, buffers and datasets."""

    def __init__(self, path):
        self.model_id, ret = acl.mdl.load_from_file(path)
        check_ret("acl.mdl.load_from_file", ret)
        self.desc = acl.mdl.create_desc()
        check_ret("acl.mdl.get_desc", acl.mdl.get_desc(self.desc, self.model_id))
        self.inputs, self.input_set = self.buffers(
            acl.mdl.get_num_inputs(self.desc), acl.mdl.get_input_size_by_index
        )
        self.outputs, self.output_set = self.buffers(
            acl.mdl.get_num_outputs(self.desc), acl.mdl.get_output_size_by_index
        )

    def buffers(self, count, size_of):
        dataset, buffers = acl.mdl.create_dataset(), []
        for i in range(count):
            size = size_of(self.desc, i)
            address, ret = acl.rt.malloc(size, ACL_MEM_MALLOC_HUGE_FIRST)
            check_ret("acl.rt.malloc", ret)
            _, ret = acl.mdl.add_dataset_buffer(dataset, acl.create_data_buffer(address, size))
            check_ret("acl.mdl.add_dataset_buffer", ret)
            buffers.append((address, size))
        return buffers, dataset

    def feed(self, arrays):
        for (address, size), array in zip(self.inputs, arrays):
            data = array.tobytes()
            pointer = acl.util.bytes_to_ptr(data)
            check_ret("acl.rt.memcpy", acl.rt.memcpy(address, size, pointer, size, HOST_TO_DEVICE))

    def results(self):
        arrays = []
        for i, (address, size) in enumerate(self.outputs):
            host, ret = acl.rt.malloc_host(size)
            check_ret("acl.rt.malloc_host", ret)
            check_ret("acl.rt.memcpy", acl.rt.memcpy(host, size, address, size, DEVICE_TO_HOST))
            dims, ret = acl.mdl.get_cur_output_dims(self.desc, i)
            check_ret("acl.mdl.get_cur_output_dims", ret)
            data = acl.util.ptr_to_bytes(host, size)
            arrays.append(np.frombuffer(data, dtype=np.float32).reshape(dims["dims"]))
            seen = acl.util.ptr_to_numpy(host, tuple(dims["dims"]), NPY_FLOAT32)
            assert np.array_equal(seen, arrays[-1])
            check_ret("acl.rt.free_host", acl.rt.free_host(host))
        return arrays

    def close(self):
        for dataset in (self.input_set, self.output_set):
            for i in range(acl.mdl.get_dataset_num_buffers(dataset)):
                check_ret("destroy", acl.destroy_data_buffer(acl.mdl.get_dataset_buffer(dataset, i)))
            check_ret("acl.mdl.destroy_dataset", acl.mdl.destroy_dataset(dataset))
        for address, _ in self.inputs + self.outputs:
            check_ret("acl.rt.free", acl.rt.free(address))
        check_ret("acl.mdl.destroy_desc", acl.mdl.destroy_desc(self.desc))
        check_ret("acl.mdl.unload", acl.mdl.unload(self.model_id))


def frame(seed):
    return numbers(ROWS * WIDTH, seed).reshape(ROWS, WIDTH), numbers(ROWS * HIDDEN, seed + 1).reshape(
        ROWS, HIDDEN
    )


def wrong_of(net, fed):
    label, scores = net.results()
    wanted_label, wanted_scores = expected(*fed)
    return int(not np.array_equal(scores, wanted_scores)) + int(
        not np.allclose(label, wanted_label, rtol=1e-5, atol=1e-6)
    )


def run_at_once(net):
    wrong = 0
    for seed in (11, 12):
        fed = frame(seed)
        net.feed(fed)
        check_ret("acl.mdl.execute", acl.mdl.execute(net.model_id, net.input_set, net.output_set))
        wrong += wrong_of(net, fed)
    return wrong


def run_on_stream(net, context):
    """The stream calls back behind the model; a thread of this program hears it."""
    running, heard = [True], []

    def listen(arguments):
        acl.rt.set_context(arguments[0])
        while running[0]:
            acl.rt.process_report(arguments[1])

    stream, ret = acl.rt.create_stream()
    check_ret("acl.rt.create_stream", ret)
    thread, ret = acl.util.start_thread(listen, [context, 20])
    check_ret("acl.util.start_thread", ret)
    check_ret("acl.rt.subscribe_report", acl.rt.subscribe_report(thread, stream))
    fed = frame(13)
    net.feed(fed)
    check_ret(
        "acl.mdl.execute_async",
        acl.mdl.execute_async(net.model_id, net.input_set, net.output_set, stream),
    )
    check_ret("acl.rt.launch_callback", acl.rt.launch_callback(heard.extend, ["done"], 1, stream))
    check_ret("acl.rt.synchronize_stream", acl.rt.synchronize_stream(stream))
    check_ret("acl.rt.unsubscribe_report", acl.rt.unsubscribe_report(thread, stream))
    running[0] = False
    check_ret("acl.util.stop_thread", acl.util.stop_thread(thread))
    check_ret("acl.rt.destroy_stream", acl.rt.destroy_stream(stream))
    return wrong_of(net, fed) + int(heard != ["done"])


def run_single_op():
    """BlendRelu, with the shape of its output inferred first."""
    x, y = numbers(60, 1).reshape(3, 20), numbers(60, 2).reshape(3, 20)
    addresses, buffers = [], []
    for array in (x, y, np.zeros_like(x)):
        address, ret = acl.rt.malloc(array.nbytes, ACL_MEM_MALLOC_HUGE_FIRST)
        check_ret("acl.rt.malloc", ret)
        pointer, kept = acl.util.numpy_contiguous_to_ptr(array)
        check_ret("memcpy", acl.rt.memcpy(address, array.nbytes, pointer, kept.nbytes, 1))
        addresses.append(address)
        buffers.append(acl.create_data_buffer(address, array.nbytes))
    descs = [acl.create_tensor_desc(ACL_FLOAT, [3, 20], ACL_FORMAT_ND) for _ in range(2)]
    out = acl.create_tensor_desc(ACL_FLOAT, [-1, -1], ACL_FORMAT_ND)
    attr = acl.op.create_attr()
    check_ret("acl.op.set_attr_float", acl.op.set_attr_float(attr, "alpha", 0.25))
    inferred = acl.op.infer_shape("BlendRelu", descs, buffers[:2], 1, [out], attr)
    check_ret("acl.op.infer_shape", inferred)
    shape = [acl.get_tensor_desc_dim_v2(out, i) for i in range(acl.get_tensor_desc_num_dims(out))]
    assert shape == [(3, 0), (20, 0)], shape
    stream, ret = acl.rt.create_stream()
    done = acl.op.execute_v2("BlendRelu", descs, buffers[:2], [out], buffers[2:], attr, stream)
    check_ret("acl.op.execute_v2", done)
    check_ret("acl.rt.synchronize_stream", acl.rt.synchronize_stream(stream))
    z = np.empty_like(x)
    pointer = acl.util.numpy_to_ptr(z)
    check_ret("memcpy", acl.rt.memcpy(pointer, z.nbytes, addresses[2], z.nbytes, DEVICE_TO_HOST))
    for buffer, address in zip(buffers, addresses):
        acl.destroy_data_buffer(buffer)
        acl.rt.free(address)
    for desc in descs + [out]:
        acl.destroy_tensor_desc(desc)
    acl.op.destroy_attr(attr)
    acl.rt.destroy_stream(stream)
    return int(not np.array_equal(z, np.maximum(np.float32(0.25) * x + y, 0)))


def misuses(net):
    """(what, code, a word of the text) of calls that must fail."""
    device, _ = acl.rt.malloc(64, 0)
    freed, _ = acl.rt.malloc(64, 0)
    acl.rt.free(freed)
    host, _ = acl.rt.malloc_host(64)
    empty = acl.mdl.create_dataset()
    small = acl.mdl.create_dataset()
    buffer = acl.create_data_buffer(device, 16)
    for _ in range(2):
        acl.mdl.add_dataset_buffer(small, buffer)
    gear = {"name": "", "dimCount": 1, "dims": [2]}
    execute, model = acl.mdl.execute, net.model_id
    cases = [
        ("init", lambda: acl.init(), 100002, "before"),
        ("device", lambda: acl.rt.set_device(7), 107001, "one device"),
        ("no file", lambda: acl.mdl.load_from_file("nowhere.om"), 145002, "nowhere.om"),
        ("no model", lambda: acl.mdl.load_from_file("net.onnx"), 100012, "OPK-OM-001"),
        ("bytes", lambda: acl.mdl.load_from_mem(0, 9), 100000, "9 bytes"),
        ("unloaded", lambda: acl.mdl.unload(99), 145003, "99"),
        ("freed twice", lambda: acl.rt.free(freed), 107000, ""),
        ("freed memory", lambda: acl.rt.memset(freed, 64, 0, 64), 107000, ""),
        ("room", lambda: acl.rt.memcpy(device, 8, host, 64, 1), 100000, "64"),
        ("kind", lambda: acl.rt.memcpy(device, 64, host, 64, 9), 100000, "kind"),
        ("host as device", lambda: acl.rt.memcpy(host, 64, host, 64, 3), 107000, "host memory"),
        ("no buffers", lambda: execute(model, empty, net.output_set), 100017, "0 buffers"),
        ("small", lambda: execute(model, small, net.output_set), 100017, "16 bytes"),
        ("no dataset", lambda: execute(model, 0, net.output_set), 100000, ""),
        ("stream", lambda: acl.rt.synchronize_stream(12345), 107003, ""),
        ("event", lambda: acl.rt.synchronize_event(12345), 107017, ""),
        ("gear", lambda: acl.mdl.set_input_dynamic_dims(model, small, 0, gear), 100019, ""),
        ("no op", lambda: acl.op.execute_v2("Nothing", [], [], [], [], 0, 0), 100024, "Nothing"),
    ]
    for what, call, code, word in cases:
        answer = call()
        ret = answer[-1] if isinstance(answer, tuple) else answer
        text = acl.get_recent_err_msg()
        assert ret == code and word in text, (what, ret, text)
        assert acl.get_recent_err_msg() == "", what
    for what, call, error in [
        ("device memory", lambda: acl.util.ptr_to_bytes(device, 64), ValueError),
        ("device array", lambda: acl.util.ptr_to_numpy(device, (16,), NPY_FLOAT32), ValueError),
        ("null", lambda: acl.util.ptr_to_bytes(0, 8), ValueError),
        ("None as stream", lambda: acl.rt.synchronize_stream(None), TypeError),
        ("text as size", lambda: acl.rt.malloc("64", 0), TypeError),
        ("lists", lambda: acl.op.execute_v2("BlendRelu", [1], [], [], [], 0, 0), ValueError),
        ("dims", lambda: acl.mdl.set_input_dynamic_dims(model, small, 0, {"dimCount": 2, "dims": [1]}), ValueError),
    ]:
        try:
            call()
        except error:
            continue
        raise AssertionError(f"{what} was taken")
    acl.destroy_data_buffer(buffer)
    acl.mdl.destroy_dataset(empty)
    acl.mdl.destroy_dataset(small)
    acl.rt.free(device)
    acl.rt.free_host(host)
    return len(cases) + 7


def main():
    check_ret("acl.init", acl.init())
    check_ret("acl.rt.set_device", acl.rt.set_device(0))
    context, ret = acl.rt.create_context(0)
    check_ret("acl.rt.create_context", ret)
    assert acl.rt.get_run_mode() == (1, 0) and acl.get_soc_name() == "Ascend910B1"
    net = Net(sys.argv[1])
    assert acl.mdl.get_input_name_by_index(net.desc, 0) == "image"
    assert acl.mdl.get_input_dims(net.desc, 0) == (
        {"name": "image", "dimCount": 2, "dims": [ROWS, WIDTH]},
        0,
    )
    assert acl.mdl.get_input_index_by_name(net.desc, "shift") == (1, 0)
    assert acl.mdl.get_dynamic_batch(net.desc) == ({"batchCount": 0, "batch": []}, 0)
    work, weights, ret = acl.mdl.query_size(sys.argv[1])
    assert ret == 0 and work > 0 and weights > 0
    wrong = run_at_once(net) + run_on_stream(net, context) + run_single_op()
    heard = misuses(net)
    net.close()
    check_ret("acl.rt.destroy_context", acl.rt.destroy_context(context))
    check_ret("acl.rt.reset_device", acl.rt.reset_device(0))
    check_ret("acl.finalize", acl.finalize())
    print(f"{wrong} wrong, {heard} misuses")


if __name__ == "__main__":
    main()
