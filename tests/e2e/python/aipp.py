"""A model with dynamic AIPP as pyACL programs run one: images of RGB, cropped and normalized. Usage: aipp.py dynamic.om"""

import sys

import acl
import numpy as np

RGB888_U8 = 3
HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
IMAGES, HEIGHT, WIDTH = 2, 4, 6
MEANS, FACTOR = (10, 20, 30), 0.5


def check_ret(what, ret):
    if ret != 0:
        raise RuntimeError(f"{what} failed, ret={ret}: {acl.get_recent_err_msg()}")


def settings():
    aipp = acl.mdl.create_aipp(IMAGES)
    check_ret("format", acl.mdl.set_aipp_input_format(aipp, RGB888_U8))
    check_ret("size", acl.mdl.set_aipp_src_image_size(aipp, 8, 5))
    check_ret("swap", acl.mdl.set_aipp_rbuv_swap_switch(aipp, 1))
    check_ret("alpha", acl.mdl.set_aipp_ax_swap_switch(aipp, 0))
    check_ret("colours", acl.mdl.set_aipp_csc_params(aipp, 0, *[0] * 15))
    for n in range(IMAGES):
        check_ret("crop", acl.mdl.set_aipp_crop_params(aipp, 1, 1, n, WIDTH, HEIGHT, n))
        check_ret("padding", acl.mdl.set_aipp_padding_params(aipp, 0, 0, 0, 0, 0, n))
        check_ret("mean", acl.mdl.set_aipp_dtc_pixel_mean(aipp, *MEANS, 0, n))
        check_ret("min", acl.mdl.set_aipp_dtc_pixel_min(aipp, 0, 0, 0, 0, n))
        check_ret("factor", acl.mdl.set_aipp_pixel_var_reci(aipp, FACTOR, FACTOR, FACTOR, 1, n))
    return aipp


def expected(images):
    parts = [images[n, n : n + HEIGHT, 1 : 1 + WIDTH, ::-1] for n in range(IMAGES)]
    return 2 * (np.stack(parts).astype(np.float32) - MEANS).transpose(0, 3, 1, 2) * FACTOR


def dataset(buffers):
    made = acl.mdl.create_dataset()
    for device, size in buffers:
        check_ret("buffer", acl.mdl.add_dataset_buffer(made, acl.create_data_buffer(device, size))[1])
    return made


def destroy(made):
    for i in range(acl.mdl.get_dataset_num_buffers(made)):
        acl.destroy_data_buffer(acl.mdl.get_dataset_buffer(made, i))
    acl.mdl.destroy_dataset(made)


def describe(model, desc):
    index, ret = acl.mdl.get_input_index_by_name(desc, "ascend_dynamic_aipp_data")
    check_ret("index", ret)
    assert acl.mdl.get_aipp_type(model, 0) == (2, index, 0)
    assert acl.mdl.get_aipp_type(model, index) == (3, 0xFFFFFFFF, 0)
    assert acl.mdl.get_aipp_data_size(IMAGES) == (acl.mdl.get_input_size_by_index(desc, index), 0)
    info, ret = acl.mdl.get_first_aipp_info(model, 0)
    check_ret("info", ret)
    assert len(info) == 52 and info["cropSwitch"] == 0 and info["meanChn3"] == 0
    assert info["srcDimNum"] == 4 and info["outDims"][0]["srcDims"]["dims"] == [2, 3, 4, 6]
    return index


def run(model):
    desc = acl.mdl.create_desc()
    check_ret("get_desc", acl.mdl.get_desc(desc, model))
    index = describe(model, desc)
    sizes = [acl.mdl.get_input_size_by_index(desc, i) for i in range(2)]
    sizes.append(acl.mdl.get_output_size_by_index(desc, 0))
    devices = []
    for size in sizes:
        device, ret = acl.rt.malloc(size, 0)
        check_ret("malloc", ret)
        devices.append(device)
    images = (np.arange(IMAGES * 5 * 8 * 3) * 37 + 11).astype(np.uint8).reshape(IMAGES, 5, 8, 3)
    data = images.tobytes()
    check_ret("memcpy", acl.rt.memcpy(devices[0], sizes[0], acl.util.bytes_to_ptr(data), len(data), HOST_TO_DEVICE))
    given, made = dataset(zip(devices[:2], sizes[:2])), dataset([(devices[2], sizes[2])])
    aipp = settings()
    check_ret("set_input_aipp", acl.mdl.set_input_aipp(model, given, index, aipp))
    check_ret("execute", acl.mdl.execute(model, given, made))
    result = bytes(sizes[2])
    check_ret("memcpy", acl.rt.memcpy(acl.util.bytes_to_ptr(result), sizes[2], devices[2], sizes[2], DEVICE_TO_HOST))
    np.testing.assert_array_equal(np.frombuffer(result, np.float32).reshape(2, 3, 4, 6), expected(images))
    check_ret("destroy_aipp", acl.mdl.destroy_aipp(aipp))
    destroy(given)
    destroy(made)
    acl.mdl.destroy_desc(desc)
    for device in devices:
        acl.rt.free(device)


def main():
    check_ret("init", acl.init())
    check_ret("set_device", acl.rt.set_device(0))
    model, ret = acl.mdl.load_from_file(sys.argv[1])
    check_ret("load", ret)
    run(model)
    check_ret("unload", acl.mdl.unload(model))
    acl.rt.reset_device(0)
    acl.finalize()
    print("2 images right")


main()
