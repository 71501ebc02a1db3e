// Models through the whole way: import, cover, offline model, run. With the packages of
// ASCEND_OPP_PATH, else those that `make ops` installed.
#ifndef OPKIT_TESTS_MODELS_MODEL_TEST_H_
#define OPKIT_TESTS_MODELS_MODEL_TEST_H_

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "opkit/atc/compile/compile.h"
#include "opkit/model/file/om_file.h"
#include "opkit/model/run/model_runner.h"
#include "opkit/reference/evaluate.h"
#include "opkit_test_paths.h"
#include "tests/installed_opp.h"

namespace opkit {

class ModelTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(opp_path() / "vendors/config.ini"))
      GTEST_SKIP() << "no packages: run `make ops` first";
    registry_.emplace(registry::Registry::open(opp_path()));
    ops_.emplace(InstalledOps::open(*registry_, GetParam()));
  }

  compile::Compiled compiled(graph::Graph graph, bool fused = true) {
    compile::Options options;
    options.candidates.soc = GetParam();
    options.candidates.fused = fused;
    auto made = compile::compile(std::move(graph), *ops_, options);
    EXPECT_TRUE(made.ok()) << made.error().to_string();
    if (!made.ok()) return {};
    EXPECT_TRUE(made->cover.optimal());
    EXPECT_EQ(made->below_bound, 0u) << "a launch is faster than its lower bound";
    return std::move(made).value();
  }

  // By way of the file.
  std::vector<Tensor> run(const compile::Compiled& made, const std::vector<Tensor>& inputs,
                          model_run::Lent lent = {}) {
    auto model = model::decode(model::encode(made.model()));
    EXPECT_TRUE(model.ok()) << model.error().to_string();
    auto runner = model_run::ModelRunner::load(std::move(model).value(), *ops_, 1, std::move(lent));
    EXPECT_TRUE(runner.ok()) << runner.error().to_string();
    if (!runner.ok()) return {};
    auto outputs = runner->run(inputs);
    EXPECT_TRUE(outputs.ok()) << outputs.error().to_string();
    return outputs.ok() ? std::move(outputs).value() : std::vector<Tensor>();
  }

  std::optional<registry::Registry> registry_;
  std::optional<InstalledOps> ops_;
};

inline graph::RefTensor random_tensor(std::mt19937& random, DType dtype, const Shape& shape,
                                      double scale) {
  std::uniform_real_distribution<double> number(-scale, scale);
  graph::RefTensor tensor{dtype, shape, {}};
  for (int64_t i = 0; i < shape.elements(); ++i)
    tensor.values.push_back(reference::rounded_to(dtype, number(random)));
  return tensor;
}

// Outputs of both, element by element, against the largest element.
inline void expect_near(const std::vector<Tensor>& got, const reference::NamedTensors& expected,
                        const graph::Graph& graph, double share) {
  ASSERT_EQ(got.size(), graph.outputs.size());
  for (size_t o = 0; o < got.size(); ++o) {
    const graph::RefTensor& wanted = expected.at(graph.outputs[o]);
    ASSERT_EQ(got[o].shape(), wanted.shape);
    double largest = 0, worst = 0;
    for (int64_t i = 0; i < wanted.elements(); ++i) {
      largest = std::max(largest, std::abs(wanted[i]));
      worst = std::max(worst, std::abs(wanted[i] - got[o].at(i)));
    }
    EXPECT_GT(largest, 0);
    EXPECT_LE(worst, largest * share) << graph.outputs[o];
  }
}

}  // namespace opkit

#endif  // OPKIT_TESTS_MODELS_MODEL_TEST_H_
