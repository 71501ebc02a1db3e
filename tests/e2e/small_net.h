// A classifier that BlendRelu's kernel, the template's op, takes a part of.
#ifndef OPKIT_TESTS_E2E_SMALL_NET_H_
#define OPKIT_TESTS_E2E_SMALL_NET_H_

#include "onnx_writer.h"

namespace opkit::e2e {

// Pieces of 1/8, as programs compute them, too.
inline std::vector<float> eighths(size_t count, int seed) {
  std::vector<float> all(count);
  for (size_t i = 0; i < count; ++i)
    all[i] = static_cast<float>(static_cast<int>(i * 7 + static_cast<size_t>(seed)) % 17 - 8) / 8;
  return all;
}

// scores = relu(0.5 * image w + shift) v, label = softmax(scores)
inline std::string small_net() {
  OnnxWriter net;
  net.input("image", {4, 16});
  net.input("shift", {4, 8});
  net.constant("w", {16, 8}, eighths(128, 3));
  net.constant("half", {}, {0.5f});
  net.constant("v", {8, 3}, eighths(24, 5));
  net.node("MatMul", {"image", "w"}, "m");
  net.node("Mul", {"m", "half"}, "h");
  net.node("Add", {"h", "shift"}, "s");
  net.node("Relu", {"s"}, "r");
  net.node("MatMul", {"r", "v"}, "scores");
  net.node("Softmax", {"scores"}, "label");
  net.output("label", {4, 3});
  net.output("scores", {4, 3});
  return net.model();
}

}  // namespace opkit::e2e

#endif  // OPKIT_TESTS_E2E_SMALL_NET_H_
