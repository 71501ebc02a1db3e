"""The package opkit: ops on arrays, models, tests, errors. Usage: package.py net.onnx open.onnx"""

import os
import sys
import tempfile
import threading
import unittest

import numpy as np
import opkit

NET, OPEN = sys.argv.pop(1), sys.argv.pop(1)


def numbers(count, seed):
    return ((np.arange(count) * 7 + seed) % 17 - 8).astype(np.float32) / 8


class Foreign:
    """An array of another library: DLPack is all it has."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Ops(unittest.TestCase):
    def setUp(self):
        self.x, self.y = numbers(60, 1).reshape(3, 20), numbers(60, 2).reshape(3, 20)
        self.wanted = np.maximum(self.x + self.y, 0)

    def test_arrays_of_every_kind(self):
        blend = opkit.ops.blend_relu
        self.assertEqual(blend.inputs, [("x", "required"), ("y", "required")])
        np.testing.assert_array_equal(blend(self.x, self.y), self.wanted)
        np.testing.assert_array_equal(blend(y=self.y, x=self.x), self.wanted)
        np.testing.assert_array_equal(blend(Foreign(self.x), Foreign(self.y)), self.wanted)
        turned = np.asfortranarray(self.x)
        np.testing.assert_array_equal(blend(turned, self.y[:, ::-1][:, ::-1]), self.wanted)
        swapped = self.x.astype(">f4")
        np.testing.assert_array_equal(blend(swapped, self.y), self.wanted)
        half = blend(self.x.astype(np.float16), self.y.astype(np.float16), alpha=0.25)
        self.assertEqual(half.dtype, np.float16)
        np.testing.assert_allclose(half, np.maximum(0.25 * self.x + self.y, 0), atol=1e-2)
        scalar = blend(np.float32(2), np.float32(3))
        self.assertEqual((scalar.shape, float(scalar)), ((), 5.0))

    def test_bfloat16(self):
        rounded = opkit.BFloat16.of([1.00390625, 1.01171875, np.nan, -np.inf, 3e38])
        np.testing.assert_array_equal(rounded.bits[:2], [0x3F80, 0x3F82])  # ties to even
        self.assertTrue(np.isnan(rounded.to_float32()[2]))
        z = opkit.ops.blend_relu(opkit.BFloat16.of(self.x), opkit.BFloat16.of(self.y))
        self.assertIsInstance(z, opkit.BFloat16)
        np.testing.assert_array_equal(z.to_float32(), self.wanted)  # eighths fit

    def test_settings(self):
        with opkit.device(soc="Ascend910B4", checked=True, in_process=True) as now:
            self.assertEqual(now.soc, "Ascend910B4")
            np.testing.assert_array_equal(opkit.ops.blend_relu(self.x, self.y), self.wanted)
        opkit.ops.close()
        np.testing.assert_array_equal(opkit.ops.blend_relu(self.x, self.y), self.wanted)

    def test_a_project(self):
        blend = opkit.Op("./blend_relu")
        np.testing.assert_array_equal(blend(self.x, self.y), self.wanted)

    def refused(self, code, call):
        with self.assertRaises(opkit.OpkitError) as raised:
            call()
        error = raised.exception
        self.assertEqual(error.code, code, str(error))
        self.assertTrue(error.text and error.action, str(error))
        self.assertIn(error.code, str(error))
        return error

    def test_refusals(self):
        blend, x, y = opkit.ops.blend_relu, self.x, self.y
        self.refused("OPK-PYTHON-001", lambda: blend([1.0], y))
        self.refused("OPK-PYTHON-001", lambda: blend(x.astype(np.complex64), y))
        self.refused("OPK-PYTHON-001", lambda: opkit.BFloat16(x))
        self.refused("OPK-PYTHON-002", lambda: blend(x))
        self.refused("OPK-PYTHON-002", lambda: blend(x, y, x))
        self.refused("OPK-PYTHON-002", lambda: blend(x, y, x=x))
        self.refused("OPK-PYTHON-002", lambda: blend(x, y, beta=1.0))
        self.refused("OPK-PYTHON-002", lambda: blend(x, y, alpha="much"))
        self.assertEqual(self.refused("OPK-EXPR-014", lambda: blend(x, y[:2])).op, "BlendRelu")
        self.refused("OPK-REG-001", lambda: opkit.ops.get("Nothing")(x))
        with self.assertRaisesRegex(AttributeError, "BlendRelu"):
            opkit.ops.blend_rellu
        with opkit.device(soc="Ascend999"):
            self.refused("OPK-SOC-002", lambda: blend(x, y))


class Models(unittest.TestCase):
    def test_compile_run_and_load(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = os.path.join(folder, "net")
            model = opkit.compile(NET, output=kept)
            again = opkit.load(kept + ".om")
        image, shift = numbers(64, 11).reshape(4, 16), numbers(32, 12).reshape(4, 8)
        hidden = np.maximum(0.5 * (image @ numbers(128, 3).reshape(16, 8)) + shift, 0)
        scores = hidden @ numbers(24, 5).reshape(8, 3)
        for net in (model, again):
            self.assertEqual([name for name, _, _ in net.inputs], ["image", "shift"])
            by_name = net.run({"shift": shift, "image": image})
            np.testing.assert_array_equal(by_name["scores"], scores)
            label, again_scores = net(image, shift)
            np.testing.assert_array_equal(again_scores, scores)
            np.testing.assert_allclose(label.sum(axis=1), 1, rtol=1e-6)
        self.assertIsNotNone(model.explanation)
        for call in (lambda: model(image), lambda: model.run({"image": image}),
                     lambda: model.run({"image": image, "shift": shift, "more": shift}),
                     lambda: model(image.astype(np.float16), shift)):
            with self.assertRaises(opkit.OpkitError) as raised:
                call()
            self.assertEqual(raised.exception.code, "OPK-OM-007")

    def test_dims_that_the_gear_decides(self):
        model = opkit.compile(OPEN, input_shape="x:-1,4", dynamic_batch_size="1,3")
        self.assertEqual(model.gears, [[1], [3]])
        self.assertEqual(model.inputs, [("x", "float32", [-1, 4])])
        self.assertEqual(model.outputs, [("y", "float32", [-1, 4])])
        for batch in (1, 3):
            x = numbers(4 * batch, 2).reshape(batch, 4)
            np.testing.assert_array_equal(model(x), np.maximum(x, 0))

    def test_a_pipeline_of_frames(self):
        model = opkit.compile(NET)
        frames = [(numbers(64, i).reshape(4, 16), numbers(32, i).reshape(4, 8)) for i in range(20)]
        pipeline = opkit.Pipeline(
            lambda i: frames[i], model, lambda label, scores: scores.argmax(axis=1)
        )
        for found, (image, shift) in zip(pipeline(range(20)), frames, strict=True):
            np.testing.assert_array_equal(found, model(image, shift)[1].argmax(axis=1))

    def test_errors_of_the_compiler(self):
        for call, code in [(lambda: opkit.compile("nowhere.onnx"), "E10001"),
                           (lambda: opkit.compile(NET, no_fallback=True), "EZ3003"),
                           (lambda: opkit.load(NET), "OPK-OM-001")]:
            with self.assertRaises(opkit.OpkitError) as raised:
                call()
            self.assertEqual(raised.exception.code, code, str(raised.exception))


class Pipelines(unittest.TestCase):
    def setUp(self):
        self.threads = threading.active_count()

    def tearDown(self):
        self.assertEqual(threading.active_count(), self.threads)

    def test_stages_work_on_frames_of_their_own_in_order(self):
        meet = threading.Barrier(2, timeout=60)  # breaks when stages wait for each other

        def early(i):
            if i > 0:
                meet.wait()
            return i

        def late(i):
            if i < 9:
                meet.wait()
            return 10 * i

        found = list(opkit.Pipeline(early, late, in_flight=2)(range(10)))
        self.assertEqual(found, [10 * i for i in range(10)])

    def test_only_so_many_are_in_flight(self):
        taken, most, given = 0, 0, 0

        def source():
            nonlocal taken
            while True:
                taken += 1
                yield taken

        for given, frame in enumerate(opkit.Pipeline(int, float, in_flight=3)(source()), 1):
            most = max(most, taken - given)
            self.assertEqual(frame, given)
            if given == 200:
                break
        self.assertLessEqual(most, 3)

    def test_an_exception_comes_behind_the_results_before_it(self):
        def source():
            yield from range(7)
            raise OSError("the camera")

        def work(i):
            return 12 // (5 - i)

        for pipeline, frames, count, error in [
            (opkit.Pipeline(work, int), range(100), 5, ZeroDivisionError),
            (opkit.Pipeline(int, work), range(100), 5, ZeroDivisionError),
            (opkit.Pipeline(int), source(), 7, OSError),
        ]:
            found = []
            with self.assertRaises(error):
                for one in pipeline(frames):
                    found.append(one)
            self.assertEqual(len(found), count)

    def test_what_is_no_pipeline(self):
        for call in (lambda: opkit.Pipeline(), lambda: opkit.Pipeline(int, 5),
                     lambda: opkit.Pipeline(int, in_flight=0)):
            with self.assertRaises(opkit.OpkitError) as raised:
                call()
            self.assertEqual(raised.exception.code, "OPK-PYTHON-004")
            self.assertIn("in_flight=4", str(raised.exception))


class Tests(unittest.TestCase):
    def test_reports(self):
        report = opkit.test("BlendRelu", soc="Ascend910B1")
        self.assertTrue(report.passed and report, report)
        self.assertEqual(report.failures, [])
        self.assertGreater(report.counts["PASSED"], 50)
        with self.assertRaises(opkit.OpkitError) as raised:
            opkit.test("BlendRelu", tier="endless")
        self.assertTrue(raised.exception.code.startswith("OPK-"))

    def test_without_the_program(self):
        said, os.environ["OPKIT_BIN"] = os.environ.get("OPKIT_BIN"), "/bin/echo"
        try:
            with self.assertRaises(opkit.OpkitError) as raised:
                opkit.test("BlendRelu")
            self.assertEqual(raised.exception.code, "OPK-PYTHON-003")
        finally:
            os.environ.pop("OPKIT_BIN")
            if said:
                os.environ["OPKIT_BIN"] = said


if __name__ == "__main__":
    unittest.main(verbosity=2)
