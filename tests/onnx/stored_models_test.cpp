// The stored models of a folder that may be absent (OPKIT_MODELS) give their expected outputs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "opkit/base/file.h"
#include "opkit/reference/evaluate.h"
#include "opkit/reference/infer.h"
#include "opkit/rewrite/onnx/import.h"
#include "opkit/rewrite/passes/rewrite.h"

namespace opkit::onnx_frontend {
namespace {

namespace fs = std::filesystem;

// The input that the models' authors used: 0, 1/n, 2/n, ...
graph::RefTensor ramp(const graph::ValueInfo& value) {
  graph::RefTensor tensor{value.dtype, *value.shape, {}};
  const int64_t n = value.shape->elements();
  for (int64_t i = 0; i < n; ++i)
    tensor.values.push_back(static_cast<float>(static_cast<float>(i) / static_cast<float>(n)));
  return tensor;
}

std::string folder_of_models() {
  const char* stated = std::getenv("OPKIT_MODELS");
  return stated != nullptr ? stated : "";
}

class StoredModel : public ::testing::TestWithParam<const char*> {};

TEST_P(StoredModel, GivesItsExpectedOutput) {
  const fs::path folder = folder_of_models();
  const fs::path model = folder / fmt::format("light_{}.onnx", GetParam());
  if (folder.empty() || !fs::exists(model))
    GTEST_SKIP() << "OPKIT_MODELS holds no " << model.filename();
  auto graph = import_file(model);
  ASSERT_TRUE(graph.ok()) << graph.error().to_string();
  const Status inferred = reference::infer(*graph);
  ASSERT_TRUE(inferred.ok()) << inferred.error().to_string();
  ASSERT_EQ(graph->inputs.size(), 1u);
  const auto changes = passes::canonicalize(*graph);
  ASSERT_TRUE(changes.ok()) << changes.error().to_string();
  for (const auto& [name, places] : *changes) fmt::print("{}: {}\n", name, places);
  const std::string in = graph->inputs[0];
  const auto outputs = reference::evaluate(*graph, {{in, ramp(graph->values.at(in))}});
  ASSERT_TRUE(outputs.ok()) << outputs.error().to_string();
  const auto bytes = read_file(folder / fmt::format("light_{}_output_0.pb", GetParam()));
  ASSERT_TRUE(bytes.ok());
  const auto expected = read_tensor(*bytes);
  ASSERT_TRUE(expected.ok()) << expected.error().to_string();
  const graph::RefTensor& got = outputs->at(graph->outputs[0]);
  ASSERT_EQ(got.shape, expected->second.shape);
  double worst = 0;
  for (int64_t i = 0; i < got.elements(); ++i)
    worst = std::max(
        worst, std::abs(got[i] - expected->second[i]) / (std::abs(expected->second[i]) + 1e-6));
  fmt::print("{} nodes, worst relative difference {:.3g}\n", graph->nodes.size(), worst);
  EXPECT_LT(worst, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Light, StoredModel,
                         ::testing::Values("bvlc_alexnet", "inception_v1", "resnet50", "shufflenet",
                                           "squeezenet"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace opkit::onnx_frontend
