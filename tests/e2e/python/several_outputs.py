"""Installed ops with several outputs, as tuples of arrays. Usage: several_outputs.py"""

import unittest

import numpy as np
import opkit


class SeveralOutputs(unittest.TestCase):
    def setUp(self):
        self.x = np.random.default_rng(5).permutation(70).astype(np.float32).reshape(2, 35)

    def test_values_beside_their_places(self):
        for largest in (1, 0):
            order = np.argsort(-self.x if largest else self.x, axis=1)[:, :6]
            values, indices = opkit.ops.top_k(self.x, k=6, largest=largest)
            self.assertEqual((values.dtype, indices.dtype), (np.float32, np.int64))
            np.testing.assert_array_equal(indices, order)
            np.testing.assert_array_equal(values, np.take_along_axis(self.x, order, axis=1))

    def test_outputs_of_other_shapes_and_without_an_optional_input(self):
        whole = np.rint(self.x / 2).astype(np.int8)
        whole[:, 3] = -127  # a scale of 2 ** -n is exact
        scales = np.array([0.5, 0.125], np.float32)
        x = whole * scales[:, None]
        smooth = np.full(35, 4, np.float32)
        for wanted, given in ((scales, (x,)), (scales, (x, None)), (4 * scales, (x, smooth))):
            y, scale = opkit.ops.dynamic_quant(*given)
            self.assertEqual((y.dtype, y.shape, scale.shape), (np.int8, (2, 35), (2,)))
            np.testing.assert_array_equal(y, whole)
            np.testing.assert_array_equal(scale, wanted)

    def test_bfloat16_beside_integers(self):
        values, indices = opkit.ops.top_k(opkit.BFloat16.of(self.x), k=1)
        np.testing.assert_array_equal(values.to_float32(), self.x.max(axis=1, keepdims=True))
        np.testing.assert_array_equal(indices[:, 0], self.x.argmax(axis=1))

    def test_a_refusal_gives_no_half_of_them(self):
        with self.assertRaises(opkit.OpkitError) as raised:
            opkit.ops.top_k(self.x, k=36)
        self.assertEqual(raised.exception.constraint, "C1", str(raised.exception))


if __name__ == "__main__":
    unittest.main()
