#include "opkit/quantize/compare_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/quantize/graphs.h"

namespace opkit::quantize {
namespace {

// Returns a side that shows these values, each of a node of its own name, in every sample; x is an
// input, which no node gives.
ModelSide showing(std::vector<std::pair<std::string, graph::RefTensor>> values) {
  ModelSide side;
  side.outputs = {values.back().first};
  side.run = [values = std::move(values)](size_t, const LookAtPlace& look) -> Status {
    for (const auto& [name, tensor] : values)
      OPKIT_CHECK(
          look({name, name == "x" ? "" : name + "_node", "Relu", tensor.shape.dims()}, tensor));
    return {};
  };
  return side;
}

Result<ModelComparison> compared(const ModelSide& a, const ModelSide& b,
                                 const std::vector<std::vector<int64_t>>& labels = {}) {
  InnerCompareOptions options;
  options.labels = labels;
  return compare_models(a, b, 1, options, [](size_t) {});
}

TEST(CompareModels, CountsValuesWithoutAPartner) {
  const auto scores = floats({1, 2}, {1, 2});
  const auto found =
      compared(showing({{"y", scores}}), showing({{"p", floats({3}, {1, 2, 3})}, {"y", scores}}));
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->values.size(), 1u);
  EXPECT_EQ(found->only_a, 0u);
  EXPECT_EQ(found->only_b, 1u);
}

TEST(CompareModels, RefusesLabelsThatFitNothing) {
  const ModelSide scores = showing({{"y", floats({2, 3}, {1, 2, 3, 4, 5, 6})}}),
                  vector = showing({{"y", floats({3}, {1, 2, 3})}});
  const auto right = compared(scores, scores, {{2, 0}});
  ASSERT_TRUE(right.ok());
  EXPECT_EQ(right->scores.at("y").right_a, 1u);
  for (const auto& [side, labels, part] :
       std::vector<std::tuple<ModelSide, std::vector<int64_t>, std::string>>{
           {scores, {1}, "1 label for each sample, and no output"},
           {vector, {1, 2, 3}, "no output holds as many rows"},
           {scores, {1, 3}, "a label is 3, and 'y' has 3 classes"},
           {scores, {-1, 0}, "a label is -1"}}) {
    const auto refused = compared(side, side, {labels});
    ASSERT_FALSE(refused.ok()) << part;
    EXPECT_EQ(refused.error().code, "OPK-QUANT-013");
    EXPECT_THAT(refused.error().to_string(), testing::HasSubstr(part));
  }
}

// A model that runs as a whole is compared with what the other one's pieces make of its values.
TEST(CompareModels, TellsWhatAPieceAddsBesideAWholeModel) {
  const graph::Graph net = two_readers();
  const auto walk = Walk::make(net);
  ASSERT_TRUE(walk.ok());
  reference::NamedTensors inputs;
  inputs["x"] = floats({2, 2}, {1, 0, 0, 1});
  ModelSide plain;
  plain.walk = &*walk;
  plain.outputs = {"y"};
  plain.run = [&](size_t, const LookAtPlace& look) {
    return walk->run(inputs, [&](const std::string& value, const graph::RefTensor& tensor) {
      const graph::Node* node = walk->maker(value);
      return look({value, node == nullptr ? "" : node->name, node == nullptr ? "" : node->op_type,
                   tensor.shape.dims()},
                  tensor);
    });
  };
  // The product b is off by 1 in one element; the sum is that of b as it is.
  const ModelSide whole = showing({{"x", inputs.at("x")},
                                   {"a", floats({2, 2}, {1, 0, 0, 1})},
                                   {"b", floats({2, 2}, {1, 2, 3, 5})},
                                   {"y", floats({2, 2}, {2, 2, 3, 6})}});
  const auto found = compared(plain, whole);
  ASSERT_TRUE(found.ok()) << found.error().to_string();
  ASSERT_EQ(found->ranking().size(), 1u);
  EXPECT_EQ(found->values[found->ranking()[0]].a.node, "right");
  const ComparedValue* sum = found->find("y");
  ASSERT_NE(sum, nullptr);
  EXPECT_EQ(sum->carried.largest, 1);
  ASSERT_TRUE(sum->added.has_value());
  EXPECT_EQ(sum->added->largest, 0);
}

}  // namespace
}  // namespace opkit::quantize
