// Integers of 64 bits on kernels, to the last bit. With the packages of ASCEND_OPP_PATH, else those
// that `make ops` installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "model_test.h"
#include "opkit/atc/compile/report.h"
#include "opkit/reference/infer.h"
#include "tests/graph_text/parse_text.h"

namespace opkit {
namespace {

class Integers : public ModelTest {};

// Numbers of every size up to 2^bits, of both signs, some of them equal in both tensors.
graph::RefTensor numbers(std::mt19937& random, DType dtype, const Shape& shape, int bits) {
  graph::RefTensor tensor{dtype, shape, {}};
  for (int64_t i = 0; i < shape.elements(); ++i) {
    const int size = 1 + static_cast<int>(random() % static_cast<unsigned>(bits));
    const auto digits = static_cast<int64_t>((uint64_t{random()} << 32 | random()) >> (64 - size));
    const int64_t number = i % 5 == 0 ? i % 3 - 1 : i % 7 == 0 ? int64_t{1} << size : digits;
    tensor.values.push_back(static_cast<double>(random() % 2 == 0 ? number : -number));
  }
  return tensor;
}

struct Case {
  const char *text, *type;
  int bits;
};

constexpr Case kCases[] = {
    {"y = Add(a, b)\n", "int64", 51},
    {"y = Sub(a, b)\n", "int64", 51},
    {"y = Mul(a, b)\n", "int64", 25},
    {"y = Equal(a, b)\n", "int64", 52},
    {"y = Less(a, b)\n", "int64", 52},
    {"y = LessOrEqual(a, b)\n", "int64", 52},
    {"y = Greater(a, b)\n", "int64", 52},
    {"y = GreaterOrEqual(a, b)\n", "int64", 52},
    {"c = Less(a, b)\ny = Where(c, a, b)\n", "int64", 52},
    {"y = Less(a, b)\n", "int32", 30},
    {"y = LessOrEqual(a, b)\n", "int32", 30},
    {"y = Greater(a, b)\n", "int32", 30},
    {"y = GreaterOrEqual(a, b)\n", "int32", 30},
    {"y = Equal(a, b)\n", "int32", 30},
    {"m = Add(a, b)\ny = ReduceMax(m) {axes=[1]}\n", "int32", 29},
    {"m = Add(a, b)\ny = ReduceMax(m) {axes=[0], keepdims=0}\n", "int32", 29},
    {"m = Add(a, b)\ny = ReduceMin(m) {axes=[0, 1]}\n", "int32", 29},
    {"m = Add(a, b)\ny = ReduceMin(m) {axes=[0]}\n", "int32", 29},
    {"m = Add(a, b)\ny = Abs(m)\n", "int64", 51},
    {"m = Sub(a, b)\ny = Neg(m)\n", "int64", 51},
    {"m = Add(a, b)\ny = Abs(m)\n", "int32", 29},
    {"m = Sub(a, b)\ny = Neg(m)\n", "int32", 29},
    {"const k: int64[] = 1\nm = Add(a, b)\ny = CumSum(m, k)\n", "int64", 45},
    {"const k: int64[] = 1\nm = Add(a, b)\ny = CumSum(m, k) {exclusive=1, reverse=1}\n", "int64",
     45},
    {"const k: int64[] = 0\nm = Add(a, b)\ny = CumSum(m, k) {exclusive=1}\n", "int64", 45},
    {"const k: int64[] = 0\nm = Add(a, b)\ny = CumSum(m, k) {reverse=1}\n", "int64", 45},
    {"const k: int64[] = 1\nm = Add(a, b)\ny = CumSum(m, k) {reverse=1}\n", "int32", 23},
    {"const k: int64[] = 0\nm = Add(a, b)\ny = CumSum(m, k) {exclusive=1}\n", "int32", 23},
    {"const s: int64[2] = 37, 29\ne = Expand(b, s)\ny = Add(a, e)\n", "int64", 51},
};

TEST_P(Integers, AreComputedByKernels) {
  std::mt19937 random(21);
  const char* const shapes[] = {"37, 29", "29", "37, 1", "1"};
  for (const Case& one : kCases) {
    for (const char* other : shapes) {
      const std::string type = one.type;
      const auto graph = graph::parse_text("graph \"g\" opset 17\ninput a: " + type +
                                           "[37, 29]\ninput b: " + type + "[" + other + "]\n" +
                                           one.text + "output y\n");
      ASSERT_TRUE(graph.ok()) << graph.error().to_string();
      reference::NamedTensors inputs;
      std::vector<Tensor> given;
      for (const std::string& name : graph->inputs) {
        const graph::ValueInfo& value = graph->values.at(name);
        inputs.emplace(name, numbers(random, value.dtype, *value.shape, one.bits));
        given.push_back(*reference::to_tensor(inputs.at(name)));
      }
      const auto expected = reference::evaluate(*graph, inputs);
      ASSERT_TRUE(expected.ok()) << expected.error().to_string();
      compile::Options options;
      options.candidates.soc = GetParam();
      options.candidates.fallback = false;
      const auto made = compile::compile(*graph, *ops_, options);
      ASSERT_TRUE(made.ok()) << one.text << other << made.error().to_string();
      const auto got = run(*made, given);
      ASSERT_EQ(got.size(), 1u);
      const graph::RefTensor& wanted = expected->at("y");
      for (int64_t i = 0; i < wanted.elements(); ++i)
        ASSERT_EQ(got[0].at(i), wanted[i]) << one.text << one.type << "[" << other << "] at " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, Integers, ::testing::Values("Ascend910B1", "Ascend310B1"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace opkit
