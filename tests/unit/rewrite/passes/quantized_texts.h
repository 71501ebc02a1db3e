// Parts of quantised models as text, for the cases of their rewrites and of their form.
#ifndef OPKIT_TESTS_UNIT_REWRITE_PASSES_QUANTIZED_TEXTS_H_
#define OPKIT_TESTS_UNIT_REWRITE_PASSES_QUANTIZED_TEXTS_H_

#include <string>

#include "rewritten.h"

namespace opkit::passes {

inline const std::string kSteps =
    "const s: float32[] = 0.03125\nconst t: float32[] = 0.0625\nconst z: int8[] = 3\n"
    "const o: int8[] = -128\nconst n: int8[] = 0\n";
// x in whole numbers, and weights of int8 for its three channels.
inline const std::string kWhole =
    kX + kSteps + "q = QuantizeLinear(x, s, z)\nd = DequantizeLinear(q, s, z)\n";
inline const std::string kWeights =
    "const w: int8[2, 3, 1, 1] = 1, 2, -5, 25, 4, -1\nconst ws: float32[2] = 0.5, 0.25\n"
    "const wz: int8[2] = 0, 0\nf = DequantizeLinear(w, ws, wz) {axis=0}\n"
    "const b: int32[2] = 5, -7\nconst bs: float32[2] = 0.015625, 0.0078125\n"
    "c = DequantizeLinear(b, bs) {axis=0}\n";

}  // namespace opkit::passes

#endif  // OPKIT_TESTS_UNIT_REWRITE_PASSES_QUANTIZED_TEXTS_H_
