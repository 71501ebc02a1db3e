// The rules of composed operators and of sums of products, against float32 evaluations of the
// formulas: what a plain float kernel computes must be accepted, and the interval must stay narrow.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "opkit/oracle/rule.h"

namespace opkit::oracle {
namespace {

using graph::Node;
using reference::RefTensor;

RefTensor filled(Shape shape, uint64_t stream, double lo, double hi) {
  RefTensor tensor;
  tensor.dtype = DType::kFloat32;
  tensor.shape = shape;
  std::mt19937_64 random(7 + stream);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int64_t i = 0; i < shape.elements(); ++i) {
    const double value = lo + (hi - lo) * unit(random);
    tensor.values.push_back(static_cast<double>(static_cast<float>(value)));
  }
  return tensor;
}

RefTensor bytes(const Shape& shape) {
  RefTensor tensor = filled(shape, 16, -128, 127);
  tensor.dtype = DType::kInt8;
  for (double& value : tensor.values) value = std::round(value);
  return tensor;
}

struct ComposedCase {
  const char* name;
  Node node;
  std::vector<RefTensor> inputs;
  double width;  // limits an interval, relative to the largest result
};

std::vector<ComposedCase> composed_cases() {
  const Shape matrix{6, 33}, image{2, 3, 7, 5};
  const RefTensor x = filled(matrix, 1, -3, 3), row = filled({33}, 2, 0.5, 2);
  const RefTensor picture = filled(image, 3, -2, 2), channels = filled({3}, 4, 0.5, 2);
  RefTensor last_axis;
  last_axis.dtype = DType::kInt64;
  last_axis.shape = Shape{1};
  last_axis.values = {-1};
  return {
      {"Softmax", {"Softmax", {"x"}, {"z"}, {{"axis", int64_t{-1}}}, ""}, {x}, 1e-4},
      {"LogSoftmax", {"LogSoftmax", {"x"}, {"z"}, {{"axis", int64_t{-1}}}, ""}, {x}, 1e-4},
      {"LayerNormalization",
       {"LayerNormalization", {"x", "y", "w"}, {"z"}, {{"axis", int64_t{-1}}}, ""},
       {x, row, filled({33}, 5, -1, 1)},
       1e-4},
      {"BatchNormalization",
       {"BatchNormalization", {"x", "y", "w", "m", "v"}, {"z"}, {}, ""},
       {picture, channels, filled({3}, 6, -1, 1), filled({3}, 7, -1, 1), filled({3}, 8, 0.5, 2)},
       1e-4},
      {"InstanceNormalization",
       {"InstanceNormalization", {"x", "y", "w"}, {"z"}, {}, ""},
       {picture, channels, filled({3}, 6, -1, 1)},
       1e-4},
      {"LeakyRelu", {"LeakyRelu", {"x"}, {"z"}, {{"alpha", 0.1}}, ""}, {x}, 1e-6},
      {"PRelu", {"PRelu", {"x", "y"}, {"z"}, {}, ""}, {x, row}, 1e-6},
      {"Gelu", {"Gelu", {"x"}, {"z"}, {{"approximate", std::string("tanh")}}, ""}, {x}, 1e-5},
      {"Sigmoid", {"Sigmoid", {"x"}, {"z"}, {}, ""}, {x}, 1e-5},
      {"MatMul", {"MatMul", {"x", "y"}, {"z"}, {}, ""}, {x, filled({33, 4}, 9, -1, 1)}, 1e-4},
      {"Gemm",
       {"Gemm",
        {"x", "y", "w"},
        {"z"},
        {{"alpha", 0.5}, {"beta", 2.0}, {"transB", int64_t{1}}},
        ""},
       {x, filled({4, 33}, 10, -1, 1), filled({4}, 11, -1, 1)},
       1e-4},
      {"Conv",
       {"Conv", {"x", "y", "w"}, {"z"}, {{"pads", std::vector<int64_t>{1, 1, 1, 1}}}, ""},
       {picture, filled({4, 3, 3, 3}, 12, -1, 1), filled({4}, 13, -1, 1)},
       1e-4},
      {"AveragePool",
       {"AveragePool", {"x"}, {"z"}, {{"kernel_shape", std::vector<int64_t>{2, 2}}}, ""},
       {picture},
       1e-5},
      {"ReduceL2", {"ReduceL2", {"x"}, {"z"}, {}, ""}, {x}, 1e-4},
      {"ReduceLogSum", {"ReduceLogSum", {"x"}, {"z"}, {}, ""}, {filled(matrix, 14, 0.5, 3)}, 1e-4},
      {"ReduceProd",
       {"ReduceProd", {"x", "axes"}, {"z"}, {}, ""},
       {filled(matrix, 15, -2, 2), last_axis},
       1e-4},
      {"Shrink", {"Shrink", {"x"}, {"z"}, {{"bias", 0.3}, {"lambd", 1.5}}, ""}, {x}, 1e-6},
      {"DequantizeLinear",
       {"DequantizeLinear", {"x", "y", "w"}, {"z"}, {}, ""},
       {bytes({2, 3, 5}), channels, bytes({3})},
       1e-6},
  };
}

class ComposedRules : public testing::TestWithParam<ComposedCase> {};

// The float32 results of a framework (each node rounded) lie inside; the ends lie close together.
TEST_P(ComposedRules, HoldFloatResultsAndStayNarrow) {
  BoundedTensors tensors;
  std::vector<const RefTensor*> inputs;
  for (size_t k = 0; k < GetParam().inputs.size(); ++k) {
    tensors[GetParam().node.inputs[k]] = Bounded::exactly(GetParam().inputs[k]);
    inputs.push_back(&GetParam().inputs[k]);
  }
  const Status done = evaluate_step(GetParam().node, {}, false, tensors);
  ASSERT_TRUE(done.ok()) << done.error().to_string();
  const auto rounded = reference::evaluate_node(GetParam().node, inputs, reference::kDefaultOpset,
                                                {reference::Precision::kRounded});
  ASSERT_TRUE(rounded.ok()) << rounded.error().to_string();
  const Bounded z = settle(tensors.at("z"), {});
  double largest = 0, widest = 0;
  for (int64_t i = 0; i < z.value.elements(); ++i) {
    ASSERT_TRUE(z.at(i).contains((*rounded)[0][i])) << "element " << i;
    largest = std::max(largest, std::abs(z.value[i]));
    widest = std::max(widest, z.at(i).hi - z.at(i).lo);
  }
  EXPECT_LT(widest, GetParam().width * largest);
}

INSTANTIATE_TEST_SUITE_P(Each, ComposedRules, testing::ValuesIn(composed_cases()),
                         [](const auto& info) { return std::string(info.param.name); });

void PrintTo(const ComposedCase& one, std::ostream* out) { *out << one.name; }

}  // namespace
}  // namespace opkit::oracle
