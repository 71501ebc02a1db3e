#include "opkit/model/run/model_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "tests/unit/model/file/geared_model.h"

namespace opkit::model_run {
namespace {

using model::small_model;
using ::testing::HasSubstr;

// An OPP without any op.
InstalledOps no_ops() {
  const auto folder = std::filesystem::path(testing::TempDir()) / "model_runner_opp";
  std::filesystem::create_directories(folder / "vendors");
  return InstalledOps::open(registry::Registry::open(folder), "Ascend910B1");
}

model::OfflineModel on_the_host() {
  model::OfflineModel model = small_model();
  model.plugins.clear();
  return model;
}

Tensor numbers(Shape shape) {
  Tensor tensor(DType::kFloat32, std::move(shape));
  for (int64_t i = 0; i < tensor.elements(); ++i) tensor.set(i, static_cast<double>(i) - 6);
  return tensor;
}

TEST(ModelRunner, RunsStepsInOrderAndAgain) {
  const InstalledOps ops = no_ops();
  auto runner = ModelRunner::load(on_the_host(), ops, 1);
  ASSERT_TRUE(runner.ok()) << runner.error().to_string();
  for (int round = 0; round < 2; ++round) {
    const auto outputs = runner->run({numbers({1, 3, 2, 2})});
    ASSERT_TRUE(outputs.ok()) << outputs.error().to_string();
    for (int64_t i = 0; i < 12; ++i) {
      const double product = static_cast<double>((i - 6) * (i + 1));
      EXPECT_EQ((*outputs)[0].at(i), product < 0 ? product / 2 : product);
    }
  }
}

TEST(ModelRunner, FillsWeightsThatAreOneElement) {
  model::OfflineModel model = on_the_host();
  const float three = 3;
  model.weight_parts = {{0, 48, 0, true, std::string(reinterpret_cast<const char*>(&three), 4)}};
  model.weights.clear();
  const InstalledOps ops = no_ops();
  auto runner = ModelRunner::load(model, ops, 1);
  ASSERT_TRUE(runner.ok());
  const auto outputs = runner->run({numbers({1, 3, 2, 2})});
  ASSERT_TRUE(outputs.ok());
  EXPECT_EQ((*outputs)[0].at(0), -9);
  EXPECT_EQ((*outputs)[0].at(11), 15);
}

TEST(ModelRunner, RunsInLentMemoryAndTouchesNothingBehindIt) {
  const model::OfflineModel model = on_the_host();
  const ModelMemory wanted = memory_of(model);
  constexpr std::byte kMark{0x5a};
  std::vector<std::byte> weights(wanted.weights + 128, kMark), work(wanted.work + 128, kMark);
  const auto aligned = [](std::vector<std::byte>& memory) {
    const auto at = reinterpret_cast<uintptr_t>(memory.data());
    return memory.data() + (64 - at % 64) % 64;
  };
  const InstalledOps ops = no_ops();
  auto runner = ModelRunner::load(model, ops, 1, {aligned(weights), aligned(work), {}});
  ASSERT_TRUE(runner.ok()) << runner.error().to_string();
  const Tensor input = numbers({1, 3, 2, 2});
  std::vector<float> output(12);
  const std::byte* const in[] = {input.data()};
  std::byte* const out[] = {reinterpret_cast<std::byte*>(output.data())};
  ASSERT_TRUE(runner->run(in, out).ok());
  EXPECT_EQ(output[0], -3);
  EXPECT_EQ(output[11], 60);
  EXPECT_EQ(aligned(weights)[wanted.weights], kMark);
  EXPECT_EQ(aligned(work)[wanted.work], kMark);
}

TEST(ModelRunner, RefusesInputsThatDoNotFit) {
  const InstalledOps ops = no_ops();
  auto runner = ModelRunner::load(on_the_host(), ops, 1);
  ASSERT_TRUE(runner.ok());
  EXPECT_THAT(runner->run({}).error().to_string(), HasSubstr("OPK-OM-007: 0 inputs are given"));
  EXPECT_THAT(runner->run({numbers({12})}).error().to_string(),
              HasSubstr("input 'x' is float32[12], the model takes float32[1, 3, 2, 2]"));
}

TEST(ModelRunner, RunsTheGearThatTakesTheInputs) {
  model::OfflineModel model = model::geared_model();
  model.plugins.clear();
  const InstalledOps ops = no_ops();
  auto runner = ModelRunner::load(model, ops, 1);
  ASSERT_TRUE(runner.ok()) << runner.error().to_string();
  for (const int64_t batch : {4, 1, 2, 4}) {
    const auto outputs = runner->run({numbers({batch, 2})});
    ASSERT_TRUE(outputs.ok()) << outputs.error().to_string();
    ASSERT_EQ((*outputs)[0].shape(), (Shape{batch, 2}));
    for (int64_t i = 0; i < 2 * batch; ++i)
      EXPECT_EQ((*outputs)[0].at(i), static_cast<double>((i - 6) * (i % 2 ? 3 : 2)));
  }
  EXPECT_THAT(runner->run({numbers({3, 2})}).error().to_string(), HasSubstr("OPK-OM-007: no gear"));
}

TEST(ModelRunner, RefusesOtherPlugins) {
  model::OfflineModel model = small_model();
  const InstalledOps ops = no_ops();
  const auto runner = ModelRunner::load(model, ops, 1);
  ASSERT_FALSE(runner.ok());
  EXPECT_THAT(runner.error().to_string(),
              HasSubstr("OPK-OM-005: the model was made with AddRelu 1.0.0 of acme, and no op"));
}

TEST(ModelRunner, RefusesMoreMemoryThanTheChipHas) {
  model::OfflineModel model = on_the_host();
  model.block_bytes = uint64_t{1} << 45;
  const InstalledOps ops = no_ops();
  const auto runner = ModelRunner::load(model, ops, 1);
  ASSERT_FALSE(runner.ok());
  EXPECT_THAT(runner.error().to_string(), HasSubstr("OPK-OM-006"));
}

// 2^62 floats: their bytes would count as none.
TEST(ModelRunner, RefusesTensorsThatNobodyCanHold) {
  model::OfflineModel model = on_the_host();
  model.tensors[0].desc.shape = Shape{int64_t{1} << 62};
  const Status fits = check_fits(model);
  ASSERT_FALSE(fits.ok());
  EXPECT_THAT(fits.error().to_string(), AllOf(HasSubstr("OPK-OM-006: tensor '"),
                                              HasSubstr("[4611686018427387904] takes more")));
}

TEST(ModelRunner, NamesTheStepThatFails) {
  model::OfflineModel model = on_the_host();
  model.steps[3].node.op_type = "Transpose";
  model.steps[3].node.attributes.clear();
  const InstalledOps ops = no_ops();
  auto runner = ModelRunner::load(model, ops, 1);
  ASSERT_TRUE(runner.ok());
  const auto outputs = runner->run({numbers({1, 3, 2, 2})});
  ASSERT_FALSE(outputs.ok());
  EXPECT_THAT(outputs.error().to_string(), HasSubstr("in step clip"));
  EXPECT_THAT(outputs.error().to_string(), HasSubstr("OPK-OM-004: step 'clip' gives"));
}

}  // namespace
}  // namespace opkit::model_run
