// The public ONNX node and PyTorch-converted tests (Debian: libonnx-testdata) through the whole
// way: each is compiled and run, or refused with a reason; none gives a wrong result.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>

#include "opkit/atc/compile/compile.h"
#include "opkit/model/run/model_runner.h"
#include "opkit/reference/tensor.h"
#include "opkit_test_paths.h"
#include "tests/onnx/case.h"

namespace opkit {
namespace {

namespace fs = std::filesystem;
using onnx_tests::Case;
using onnx_tests::DataSet;

fs::path opp_path() {
  const char* given = std::getenv("ASCEND_OPP_PATH");
  return given != nullptr && *given != 0 ? fs::path(given) : fs::path(OPKIT_SOURCE_DIR) / "opp";
}

struct Tally {
  size_t passed = 0, on_plugins = 0;
  std::map<std::string, size_t> refused;  // counts refused cases by code
  std::vector<std::string> failed;
};

// The data cut off bits where bfloat16 is stored.
double share_of(DType dtype) { return dtype == DType::kBFloat16 ? 1.0 / 128 : 2e-3; }

bool is_near(double got, double wanted, double share) {
  if (std::isnan(wanted)) return std::isnan(got);
  if (std::isinf(wanted)) return got == wanted;
  return std::abs(got - wanted) <= share * std::abs(wanted) + 1e-4;
}

// Empty when everything agrees.
std::string difference(const std::vector<Tensor>& got, const graph::Graph& graph,
                       const DataSet& data) {
  for (size_t o = 0; o < graph.outputs.size(); ++o) {
    const graph::RefTensor& wanted = data.expected.at(graph.outputs[o]);
    if (got[o].shape() != wanted.shape || got[o].dtype() != wanted.dtype)
      return "it is " + got[o].desc().to_string();
    for (int64_t i = 0; i < wanted.elements(); ++i) {
      if (!is_near(got[o].at(i), wanted[i], share_of(wanted.dtype)))
        return fmt::format("element {} is {}, not {}", i, got[o].at(i), wanted[i]);
    }
  }
  return "";
}

Result<std::string> run(const Case& test, const DataSet& data, const InstalledOps& ops,
                        bool& on_plugins) {
  graph::Graph graph = test.graph;
  std::vector<Tensor> inputs;
  for (const std::string& name : graph.inputs) {
    const graph::RefTensor& tensor = data.inputs.at(name);
    graph.values[name] = {tensor.dtype, tensor.shape, Format::kND, nullptr};
    OPKIT_TRY(Tensor stored, reference::to_tensor(tensor));
    inputs.push_back(std::move(stored));
  }
  compile::Options options;
  options.candidates.soc = "Ascend910B1";
  OPKIT_TRY(const compile::Compiled made, compile::compile(graph, ops, options));
  on_plugins = true;
  for (const size_t c : made.cover.chosen)
    on_plugins &= made.candidates.all[c].taker != compile::Taker::kHost;
  OPKIT_TRY(model_run::ModelRunner runner, model_run::ModelRunner::load(made.model(), ops, 1));
  OPKIT_TRY(const std::vector<Tensor> outputs, runner.run(inputs));
  return difference(outputs, graph, data);
}

void judge(const Case& test, const InstalledOps& ops, Tally& tally) {
  if (!test.unsupported.empty()) {
    ++tally.refused["not read: strings, sequences, subgraphs"];
    return;
  }
  for (const DataSet& data : test.data) {
    bool on_plugins = false;
    const auto outcome = run(test, data, ops, on_plugins);
    if (!outcome.ok()) {
      ++tally.refused[outcome.error().code];
      return;
    }
    if (!outcome->empty()) {
      tally.failed.push_back(test.name + ": " + *outcome);
      return;
    }
    tally.on_plugins += on_plugins && &data == &test.data.front();
  }
  ++tally.passed;
}

TEST(PublicCases, PassOrAreRefused) {
  if (!fs::exists(opp_path() / "vendors/config.ini"))
    GTEST_SKIP() << "no packages: run `make ops` first";
  const registry::Registry registry = registry::Registry::open(opp_path());
  const InstalledOps ops = InstalledOps::open(registry, "Ascend910B1");
  Tally tally;
  for (const std::string& suite : onnx_tests::suites()) {
    for (const fs::path& folder : onnx_tests::folders_of(suite)) {
      const auto test = onnx_tests::read_case(folder);
      if (test.ok()) judge(*test, ops, tally);
    }
  }
  fmt::print("{} passed, {} of them on plugins alone\n", tally.passed, tally.on_plugins);
  for (const auto& [code, count] : tally.refused) fmt::print("{} refused: {}\n", count, code);
  for (const std::string& line : tally.failed) ADD_FAILURE() << line;
  EXPECT_GT(tally.passed, 700u);
  EXPECT_GT(tally.on_plugins, 380u);
}

}  // namespace
}  // namespace opkit
