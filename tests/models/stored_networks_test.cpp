// The stored networks of the folder OPKIT_MODELS give their expected outputs. With the packages of
// ASCEND_OPP_PATH, else those that `make ops` installed.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "model_test.h"
#include "networks.h"
#include "opkit/atc/compile/report.h"
#include "opkit/base/file.h"
#include "opkit/model/file/gears.h"
#include "opkit/rewrite/onnx/import.h"

namespace opkit {
namespace {

namespace fs = std::filesystem;

class StoredNetworks : public ModelTest {};

fs::path folder_of_models() {
  const char* stated = std::getenv("OPKIT_MODELS");
  return stated != nullptr ? stated : "";
}

// The input that the models' authors used: 0, 1/n, 2/n, ...
Tensor ramp(const TensorDesc& desc) {
  Tensor tensor(desc.dtype, desc.shape, desc.name);
  const auto n = static_cast<float>(tensor.elements());
  for (int64_t i = 0; i < tensor.elements(); ++i) tensor.set(i, static_cast<float>(i) / n);
  return tensor;
}

// Judges what SqueezeNet's last Softmax reads: its stored weights are one number, so that its
// classes are equal but for rounding, of which a Softmax of values near 1e10 makes ones and zeros.
TEST_P(StoredNetworks, SqueezeNetsClassesAreEqual) {
  const fs::path model = folder_of_models() / "light_squeezenet.onnx";
  if (folder_of_models().empty() || !fs::exists(model))
    GTEST_SKIP() << "OPKIT_MODELS names no folder with light_squeezenet.onnx";
  auto graph = onnx_frontend::import_file(model);
  ASSERT_TRUE(graph.ok()) << graph.error().to_string();
  const graph::Node& last = graph->nodes.back();
  ASSERT_EQ(last.op_type, "Softmax");
  graph->outputs = {last.inputs[0]};
  graph->nodes.pop_back();
  const compile::Compiled made = compiled(std::move(*graph));
  const model::OfflineModel& offline = made.model();
  const auto outputs = run(made, {ramp(offline.tensors[offline.inputs[0]].desc)});
  ASSERT_EQ(outputs[0].elements(), 1000);
  for (int64_t i = 0; i < outputs[0].elements(); ++i)
    ASSERT_NEAR(outputs[0].at(i), outputs[0].at(0), 1e-6 * std::abs(outputs[0].at(0))) << i;
}

TEST_P(StoredNetworks, StoredNetworksGiveTheirExpectedOutputs) {
  size_t models = 0;
  for (const char* name : {"bvlc_alexnet", "inception_v1", "resnet50", "shufflenet"}) {
    const fs::path model = folder_of_models() / fmt::format("light_{}.onnx", name);
    if (folder_of_models().empty() || !fs::exists(model)) continue;
    auto graph = onnx_frontend::import_file(model);
    ASSERT_TRUE(graph.ok()) << graph.error().to_string();
    const compile::Compiled made = compiled(std::move(*graph));
    const model::OfflineModel& offline = made.model();
    const auto outputs = run(made, {ramp(offline.tensors[offline.inputs[0]].desc)});
    const auto bytes = read_file(folder_of_models() / fmt::format("light_{}_output_0.pb", name));
    ASSERT_TRUE(bytes.ok());
    const auto expected = onnx_frontend::read_tensor(*bytes);
    ASSERT_TRUE(expected.ok());
    for (int64_t i = 0; i < outputs[0].elements(); ++i)
      ASSERT_NEAR(outputs[0].at(i), expected->second[i],
                  1e-3 * std::abs(expected->second[i]) + 1e-7);
    fmt::print("{}\n", compile::summary_text(made));
    ++models;
  }
  if (models == 0) GTEST_SKIP() << "OPKIT_MODELS names no folder with light_*.onnx";
}

// Every row of a batch is what the network gives for one image.
TEST_P(StoredNetworks, StoredResNetTakesSeveralBatches) {
  const fs::path file = folder_of_models() / "light_resnet50.onnx";
  if (folder_of_models().empty() || !fs::exists(file))
    GTEST_SKIP() << "OPKIT_MODELS names no folder with light_resnet50.onnx";
  const std::string open = models::with_open_batch(read_file(file).value());
  const std::vector<int64_t> batches = {1, 2, 4};
  model::GearJoin join(model::GearKind::kBatch);
  for (const int64_t batch : batches) {
    onnx_frontend::ImportOptions options;
    options.input_shapes = {{"gpu_0/data_0", {batch, 3, 224, 224}}};
    auto graph = onnx_frontend::import_model(open, options);
    ASSERT_TRUE(graph.ok()) << graph.error().to_string();
    join.add({batch}, compiled(std::move(*graph)).model());
  }
  auto runner =
      model_run::ModelRunner::load(model::decode(model::encode(join.take())).value(), *ops_, 1);
  ASSERT_TRUE(runner.ok()) << runner.error().to_string();
  const auto expected = onnx_frontend::read_tensor(
      read_file(folder_of_models() / "light_resnet50_output_0.pb").value());
  ASSERT_TRUE(expected.ok());
  const Tensor image = ramp({"x", DType::kFloat32, {1, 3, 224, 224}, Format::kND});
  for (const int64_t batch : batches) {
    Tensor x(DType::kFloat32, {batch, 3, 224, 224}, "x");
    for (int64_t i = 0; i < x.elements(); ++i) x.set(i, image.at(i % image.elements()));
    const auto outputs = runner->run({x});
    ASSERT_TRUE(outputs.ok()) << outputs.error().to_string();
    const Tensor& y = (*outputs)[0];
    const int64_t row = expected->second.elements();
    ASSERT_EQ(y.elements(), batch * row);
    for (int64_t i = 0; i < y.elements(); ++i) {
      const double wanted = expected->second[i % row];
      ASSERT_NEAR(y.at(i), wanted, 1e-3 * std::abs(wanted) + 1e-7) << batch << " " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, StoredNetworks, ::testing::Values("Ascend910B1", "Ascend310B1"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace opkit
