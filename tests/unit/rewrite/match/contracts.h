// Contracts for tests of matching.
#ifndef OPKIT_TESTS_UNIT_REWRITE_MATCH_CONTRACTS_H_
#define OPKIT_TESTS_UNIT_REWRITE_MATCH_CONTRACTS_H_

#include <gtest/gtest.h>

#include <string>

#include "opkit/contract/op_contract.h"

namespace opkit::match {

inline OpContract contract_of(const std::string& text) {
  auto parsed = OpContract::parse(text, "op_contract.yaml");
  EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error().to_string());
  return std::move(parsed).value();
}

inline const OpContract& add_relu() {
  static const OpContract op = contract_of(R"yaml(
op: AddRelu
version: "1.0.0"
inputs: {x: {dtype: T, shape: "S.."}, y: {dtype: T, shape: "S.."}}
outputs: {z: {dtype: T, shape: "S.."}}
types: {T: [float16, float32]}
where: {C1: "rank(S) <= 4", C2: "prod(S) % 2 == 0"}
reference:
  - {op: Add, in: [x, y], out: sum}
  - {op: Relu, in: [sum], out: z}
)yaml");
  return op;
}

// As exporters write it: two spellings, one of them for one value of an attribute.
inline const OpContract& swish() {
  static const OpContract op = contract_of(R"yaml(
op: Swish
version: "1.0.0"
inputs: {x: {dtype: T, shape: "S.."}, bias: {dtype: T, shape: "S..", presence: optional}}
outputs: {y: {dtype: T, shape: "S.."}}
types: {T: [float16, float32]}
attrs: {kind: {type: string, default: "silu", enum: ["silu", "relu"]}}
reference:
  - {op: Add, in: [x, bias], out: sum, when: "present(bias)", else: x}
  - {op: Sigmoid, in: [sum], out: gate, when: "kind == 'silu'"}
  - {op: Mul, in: [sum, gate], out: y1, when: "kind == 'silu'", else: sum}
  - {op: Relu, in: [y1], out: y, when: "kind == 'relu'", else: y1}
spellings:
  quotient:
    attrs: {kind: "silu"}
    reference:
      - {op: Add, in: [x, bias], out: sum, when: "present(bias)", else: x}
      - {op: Neg, in: [sum], out: minus}
      - {op: Exp, in: [minus], out: power}
      - {op: Add, in: [power, {const: 1}], out: below}
      - {op: Div, in: [sum, below], out: y}
  maximum:
    attrs: {kind: "relu"}
    reference:
      - {op: Add, in: [x, bias], out: sum, when: "present(bias)", else: x}
      - {op: Max, in: [sum, {const: 0}], out: y}
)yaml");
  return op;
}

inline const OpContract& variance() {
  static const OpContract op = contract_of(R"yaml(
op: Variance
version: "1.0.0"
inputs: {x: {dtype: float32, shape: "S.., N"}}
outputs: {y: {dtype: float32, shape: "S.., 1"}}
reference:
  - {op: Mul, in: [x, x], out: squares}
  - {op: ReduceMean, in: [squares, {const: [-1], dtype: int64}], out: y, attrs: {keepdims: 1}}
spellings:
  power:
    - {op: Pow, in: [x, {const: 2}], out: squares}
    - {op: ReduceMean, in: [squares], out: y, attrs: {axes: [-1], keepdims: 1}}
)yaml");
  return op;
}

inline const OpContract& linear() {
  static const OpContract op = contract_of(R"yaml(
op: Linear
version: "1.0.0"
inputs:
  x:    {dtype: T, shape: "M, K"}
  w:    {dtype: T, shape: "K, N"}
  bias: {dtype: T, shape: "N", presence: optional}
outputs: {y: {dtype: T, shape: "M, N"}}
types: {T: [float16, float32]}
attrs: {slope: {type: float, default: 0.01, range: [0, 1]}}
where: {C1: "K <= 64"}
reference:
  - {op: MatMul, in: [x, w], out: product}
  - {op: Add, in: [product, bias], out: sum, when: "present(bias)", else: product}
  - {op: LeakyRelu, in: [sum], out: y, attrs: {alpha: $slope}}
)yaml");
  return op;
}

inline const OpContract& conv() {
  static const OpContract op = contract_of(R"yaml(
op: ConvRelu
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "N, C, H, W", format: F}
  w: {dtype: T, shape: "O, C, KH, KW"}
  b: {dtype: T, shape: "O", presence: optional}
outputs:
  y:
    dtype: T
    shape:
      - N
      - O
      - "(H + pads[0] + pads[2] - (KH - 1) * dilations[0] - 1) // strides[0] + 1"
      - "(W + pads[1] + pads[3] - (KW - 1) * dilations[1] - 1) // strides[1] + 1"
    format: F
columns: [{T: float32, F: ND}, {T: float32, F: NC1HWC0}]
attrs:
  strides:   {type: list_int, length: 2, default: [1, 1], range: [1, 4]}
  pads:      {type: list_int, length: 4, default: [0, 0, 0, 0], range: [0, 3]}
  dilations: {type: list_int, length: 2, default: [1, 1], range: [1, 4]}
where: {C1: "C <= 512"}
reference:
  - {op: Pad, in: [x, $pads, "", {const: [2, 3], dtype: int64}], out: padded}
  - {op: Conv, in: [padded, w, b], out: sum, attrs: {strides: $strides, dilations: $dilations}}
  - {op: Relu, in: [sum], out: y}
tests: {shapes: [{N: 1, C: 3, H: 8, W: 8, O: 4, KH: 3, KW: 3, pads: [1, 1, 1, 1]}]}
)yaml");
  return op;
}

inline const OpContract& gelu() {
  static const OpContract op = contract_of(R"yaml(
op: TanhGelu
version: "1.0.0"
inputs: {x: {dtype: float32, shape: "S.."}}
outputs: {y: {dtype: float32, shape: "S.."}}
attrs: {scale: {type: float, default: 0.5}}
reference:
  - {op: Mul, in: [x, x], out: square}
  - {op: Tanh, in: [square], out: t}
  - {op: Add, in: [t, {const: 1.0}], out: one}
  - {op: Mul, in: [one, x], out: product}
  - {op: Mul, in: [product, $scale], out: y}
)yaml");
  return op;
}

inline const OpContract& diamond() {
  static const OpContract op = contract_of(R"yaml(
op: Gates
version: "1.0.0"
inputs: {x: {dtype: float32, shape: "S.."}}
outputs: {y: {dtype: float32, shape: "S.."}, t: {dtype: float32, shape: "S.."}}
reference:
  - {op: Sigmoid, in: [x], out: s}
  - {op: Tanh, in: [x], out: t}
  - {op: Mul, in: [s, t], out: y}
)yaml");
  return op;
}

inline const OpContract& residual() {
  static const OpContract op = contract_of(R"yaml(
op: TanhAdd
version: "1.0.0"
inputs: {x: {dtype: float32, shape: "S.."}, y: {dtype: float32, shape: "S.."}}
outputs: {z: {dtype: float32, shape: "S.."}, t: {dtype: float32, shape: "S.."}}
reference:
  - {op: Tanh, in: [x], out: t}
  - {op: Add, in: [t, y], out: z}
)yaml");
  return op;
}

inline const OpContract& concat() {
  static const OpContract op = contract_of(R"yaml(
op: ConcatRelu
version: "1.0.0"
inputs: {xs: {dtype: float32, shape: "M, N[]", presence: dynamic}}
outputs: {y: {dtype: float32, shape: "M, sum(N)"
}
}
where: {C1: "count(xs) >= 2"}
reference:
  - {op: Concat, in: [xs], out: joined, attrs: {axis: -1}}
  - {op: Relu, in: [joined], out: y}
)yaml");
  return op;
}

inline const OpContract& softmax() {
  static const OpContract op = contract_of(R"yaml(
op: RowSoftmax
version: "1.0.0"
inputs: {x: {dtype: float32, shape: "S.., N"}}
outputs: {y: {dtype: float32, shape: "S.., N"}}
reference: [{op: Softmax, in: [x], out: y, attrs: {axis: -1}}]
)yaml");
  return op;
}

inline const OpContract& pool() {
  static const OpContract op = contract_of(R"yaml(
op: Pool
version: "1.0.0"
inputs: {x: {dtype: float32, shape: "N, C, H, W"}}
outputs: {y: {dtype: float32, shape: opaque}}
attrs:
  kernel:  {type: list_int, length: 2, range: [1, 8]}
  strides: {type: list_int, length: 2, default: [1, 1]}
  pads:    {type: list_int, length: 4, default: [0, 0, 0, 0]}
reference:
  - {op: MaxPool, in: [x], out: y, attrs: {kernel_shape: $kernel, strides: $strides, pads: $pads}}
tests: {shapes: [{N: 1, C: 1, H: 8, W: 8, kernel: [2, 2]}]}
)yaml");
  return op;
}

inline const OpContract& transposed() {
  static const OpContract op = contract_of(R"yaml(
op: TransposedMatMul
version: "1.0.0"
inputs: {x: {dtype: float32, shape: "M, K"}, w: {dtype: float32, shape: "A, B"}}
outputs: {y: {dtype: float32, shape: opaque}}
attrs: {transpose_w: {type: bool, default: false}}
where: {C1: "select(transpose_w, B, A) == K"}
reference:
  - {op: Transpose, in: [w], out: wt, attrs: {perm: [-1, -2]}, when: "transpose_w", else: w}
  - {op: MatMul, in: [x, wt], out: y}
tests: {shapes: [{M: 2, K: 3, A: 3, B: 5}, {M: 2, K: 3, A: 5, B: 3, transpose_w: true}]}
)yaml");
  return op;
}

inline const OpContract& sized() {
  static const OpContract op = contract_of(R"yaml(
op: TakeRows
version: "1.0.0"
inputs:
  x:    {dtype: float32, shape: "M, N"}
  rows: {dtype: int64, shape: "R", value_depend: true}
outputs: {y: {dtype: float32, shape: "R, N"}}
where: {C1: "max_of(rows) < M", C2: "R <= 3"}
reference: [{op: Gather, in: [x, rows], out: y, attrs: {axis: 0}}]
)yaml");
  return op;
}

}  // namespace opkit::match

#endif  // OPKIT_TESTS_UNIT_REWRITE_MATCH_CONTRACTS_H_
