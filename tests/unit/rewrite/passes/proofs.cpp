#include "proofs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "opkit/reference/evaluate.h"
#include "opkit/reference/infer.h"
#include "tests/graph_text/parse_text.h"

namespace opkit::passes {
namespace {

using graph::Graph;

reference::NamedTensors random_inputs(const Graph& graph, uint32_t seed) {
  std::mt19937 random(seed);
  reference::NamedTensors inputs;
  for (const std::string& name : graph.inputs) {
    const graph::ValueInfo& value = graph.values.at(name);
    graph::RefTensor tensor{value.dtype, *value.shape, {}};
    for (int64_t i = 0; i < value.shape->elements(); ++i) {
      const int whole = static_cast<int>(random() % 17) - 8;
      tensor.values.push_back(is_float(value.dtype)         ? whole / 4.0
                              : value.dtype == DType::kBool ? whole > 0
                                                            : whole);
    }
    inputs.emplace(name, std::move(tensor));
  }
  return inputs;
}

}  // namespace

Graph parsed(const std::string& text) {
  auto graph = graph::parse_text(text);
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  if (!graph.ok()) return {};
  const Status inferred = reference::infer(*graph);
  EXPECT_TRUE(inferred.ok()) << inferred.error().to_string() << text;
  const Status valid = graph::validate(*graph);
  EXPECT_TRUE(valid.ok()) << valid.error().to_string();
  return std::move(graph).value();
}

void expect_same_values(const Graph& first, const Graph& second, double tolerance) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    const auto inputs = random_inputs(first, seed);
    const auto before = reference::evaluate(first, inputs);
    const auto after = reference::evaluate(second, inputs);
    ASSERT_TRUE(before.ok()) << before.error().to_string();
    ASSERT_TRUE(after.ok()) << after.error().to_string() << to_text(second);
    for (const auto& [name, tensor] : *before) {
      const graph::RefTensor& got = after->at(name);
      EXPECT_EQ(got.dtype, tensor.dtype) << name;
      ASSERT_EQ(got.shape, tensor.shape) << name << to_text(second);
      for (int64_t i = 0; i < tensor.elements(); ++i)
        ASSERT_NEAR(got[i], tensor[i], tolerance * (1 + std::abs(tensor[i]))) << name;
    }
  }
}

}  // namespace opkit::passes
