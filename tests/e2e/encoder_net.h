// A layer of an encoder as an ONNX model.
#ifndef OPKIT_TESTS_E2E_ENCODER_NET_H_
#define OPKIT_TESTS_E2E_ENCODER_NET_H_

#include <string>
#include <vector>

#include "classifier_net.h"

namespace opkit::e2e {

inline void add_weights(OnnxWriter& net, const std::string& name, std::vector<int64_t> dims,
                        uint32_t seed) {
  size_t count = 1;
  for (const int64_t dim : dims) count *= static_cast<size_t>(dim);
  net.constant(name, dims, drawn(count, seed, 0.3f));
}

// Attention with four heads and a residual, from x to "residual".
inline void add_attention(OnnxWriter& net) {
  net.integer_constant("heads", {4}, {2, 8, 4, 8});
  net.integer_constant("whole", {3}, {2, 8, 32});
  uint32_t seed = 1;
  for (const std::string part : {"q", "k", "v"}) {
    add_weights(net, part + "_w", {32, 32}, seed++);
    add_weights(net, part + "_b", {32}, seed++);
    net.node("MatMul", {"x", part + "_w"}, part + "_m");
    net.node("Add", {part + "_m", part + "_b"}, part + "_s");
    net.node("Reshape", {part + "_s", "heads"}, part + "_r");
    net.node("Transpose", {part + "_r"}, part, "perm",
             part == "k" ? std::vector<int64_t>{0, 2, 3, 1} : std::vector<int64_t>{0, 2, 1, 3});
  }
  net.node("MatMul", {"q", "k"}, "products");
  net.constant("root", {}, {0.35355339f});
  net.node("Mul", {"products", "root"}, "scaled");
  net.node("Softmax", {"scaled"}, "shares");
  net.node("MatMul", {"shares", "v"}, "mixed");
  net.node("Transpose", {"mixed"}, "turned", "perm", {0, 2, 1, 3});
  net.node("Reshape", {"turned", "whole"}, "joined");
  add_weights(net, "o_w", {32, 32}, seed++);
  net.node("MatMul", {"joined", "o_w"}, "attention");
  net.node("Add", {"attention", "x"}, "residual");
}

// A layer of an encoder: behind the attention normalization, and a Gelu of Erf between products.
inline std::string encoder() {
  OnnxWriter net;
  net.input("x", {2, 8, 32});
  add_attention(net);
  net.constant("gamma", {32}, drawn(32, 50, 1));
  net.constant("beta", {32}, drawn(32, 51, 1));
  net.node_with("LayerNormalization", {"residual", "gamma", "beta"}, "normal",
                OnnxWriter::integer_attribute("axis", -1));
  add_weights(net, "f_w", {32, 64}, 20);
  net.node("MatMul", {"normal", "f_w"}, "wide");
  net.constant("two", {}, {1.41421356f});
  net.constant("one", {}, {1.0f});
  net.constant("half", {}, {0.5f});
  net.node("Div", {"wide", "two"}, "g1");
  net.node("Erf", {"g1"}, "g2");
  net.node("Add", {"g2", "one"}, "g3");
  net.node("Mul", {"wide", "g3"}, "g4");
  net.node("Mul", {"g4", "half"}, "gelu");
  add_weights(net, "l_w", {64, 32}, 21);
  net.node("MatMul", {"gelu", "l_w"}, "y");
  net.output("y", {2, 8, 32});
  return net.model(17);
}

}  // namespace opkit::e2e

#endif  // OPKIT_TESTS_E2E_ENCODER_NET_H_
