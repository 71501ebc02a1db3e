// A small classifier of pictures with what networks have: branches, a concat, a residual sum,
// pools.
#ifndef OPKIT_TESTS_E2E_CLASSIFIER_NET_H_
#define OPKIT_TESTS_E2E_CLASSIFIER_NET_H_

#include <cmath>
#include <random>

#include "onnx_writer.h"

namespace opkit::e2e {

// Drawn evenly from [-most, most); always the same numbers.
inline std::vector<float> drawn(size_t count, uint32_t seed, float most) {
  std::mt19937 random(seed);
  std::vector<float> values(count);
  for (float& value : values)
    value = most * (static_cast<float>(random() >> 8) / static_cast<float>(1 << 23) - 1);
  return values;
}

struct ClassifierChanges {
  float factor_of_c3 = 1;     // multiplies its weights
  std::string fourth = "c4";  // the fourth layer's name
};

class ClassifierWriter {
 public:
  explicit ClassifierWriter(const ClassifierChanges& changes = {}) : changes_(changes) {}

  std::string run(uint64_t opset = 13) {
    net_.input("image", {1, 3, 16, 16});
    conv("c1", "image", 3, 8, 3);
    relu("c1", "r1");
    net_.node_with("MaxPool", {"r1"}, "p1",
                   OnnxWriter::list_attribute("kernel_shape", {2, 2}) +
                       OnnxWriter::list_attribute("strides", {2, 2}));
    conv("c2", "p1", 8, 8, 1);
    relu("c2", "r2");
    conv("c3", "p1", 8, 8, 3);
    relu("c3", "r3");
    net_.node_with("Concat", {"r2", "r3"}, "both", OnnxWriter::integer_attribute("axis", 1));
    conv(changes_.fourth, "both", 16, 16, 3);
    relu(changes_.fourth, "r4");
    conv("c5", "r4", 16, 16, 3);
    net_.node("Add", {"c5", "r4"}, "sum");
    relu("sum", "r5");
    conv("c6", "r5", 16, 16, 1);
    net_.node("GlobalAveragePool", {"c6"}, "pooled");
    net_.node("Flatten", {"pooled"}, "flat");
    net_.constant("fw", {10, 16}, drawn(160, 90, std::sqrt(3.0f / 16) * 2));
    net_.constant("fb", {10}, drawn(10, 91, 0.5f));
    net_.node_with("Gemm", {"flat", "fw", "fb"}, "scores",
                   OnnxWriter::integer_attribute("transB", 1));
    net_.output("scores", {1, 10});
    return net_.model(opset);
  }

 private:
  void conv(const std::string& name, const std::string& from, int64_t in, int64_t out,
            int64_t kernel) {
    const auto count = static_cast<size_t>(in * out * kernel * kernel);
    const float most = std::sqrt(6.0f / static_cast<float>(in * kernel * kernel));
    std::vector<float> weights = drawn(count, seed_++, most);
    if (name == "c3") {
      for (float& weight : weights) weight *= changes_.factor_of_c3;
    }
    net_.constant(name + "_w", {out, in, kernel, kernel}, weights);
    net_.constant(name + "_b", {out}, drawn(static_cast<size_t>(out), seed_++, 0.1f));
    const int64_t pad = kernel / 2;
    net_.node_with("Conv", {from, name + "_w", name + "_b"}, name,
                   OnnxWriter::list_attribute("kernel_shape", {kernel, kernel}) +
                       OnnxWriter::list_attribute("pads", {pad, pad, pad, pad}));
  }
  void relu(const std::string& from, const std::string& to) { net_.node("Relu", {from}, to); }

  const ClassifierChanges changes_;
  OnnxWriter net_;
  uint32_t seed_ = 40;
};

// Pictures of waves, so many, as one array.
inline std::vector<float> wave_pictures(size_t count, float size = 1) {
  std::vector<float> values;
  std::mt19937 random(5);
  for (size_t n = 0; n < count; ++n) {
    const float phase = static_cast<float>(random() % 628) / 100;
    const float rate = 0.2f + static_cast<float>(random() % 100) / 100;
    for (int c = 0; c < 3; ++c) {
      for (int i = 0; i < 256; ++i) {
        const auto x = static_cast<float>(i % 16), y = static_cast<float>(i / 16);
        values.push_back(size * std::sin(phase + rate * x + 0.3f * y * static_cast<float>(c + 1)));
      }
    }
  }
  return values;
}

}  // namespace opkit::e2e

#endif  // OPKIT_TESTS_E2E_CLASSIFIER_NET_H_
