// Networks as exporters write them, from ONNX bytes to results, judged by the reference interpreter
// on the graph as it was imported.
#include "networks.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "model_test.h"
#include "opkit/atc/compile/report.h"
#include "opkit/call/plan/op_runner.h"
#include "opkit/rewrite/onnx/import.h"

namespace opkit {
namespace {

using testing::IsEmpty;

class Networks : public ModelTest {
 protected:
  static graph::Graph imported(const std::string& bytes) {
    auto graph = onnx_frontend::import_model(bytes);
    EXPECT_TRUE(graph.ok()) << graph.error().to_string();
    return graph.ok() ? std::move(graph).value() : graph::Graph();
  }

  // Nodes on the host, by operator.
  static std::map<std::string, size_t> fallbacks(const compile::Compiled& made) {
    std::map<std::string, size_t> count;
    for (const size_t c : made.cover.chosen) {
      const compile::Candidate& candidate = made.candidates.all[c];
      if (candidate.taker == compile::Taker::kHost)
        ++count[made.graph.nodes[candidate.nodes[0]].op_type];
    }
    return count;
  }

  // Runs without results that lie where an operand lay: each launch reads copies.
  std::vector<Tensor> run_apart(const compile::Compiled& made, const std::vector<Tensor>& inputs) {
    OpRunner runner(*find_soc(GetParam()).value().spec, 1);
    model_run::Lent lent;
    lent.launch = [&](PlacedCall& call, Executor&) -> Status {
      CallAddresses at = call.addresses();
      std::vector<std::vector<std::byte>> copies;
      for (size_t p = 0; p < at.inputs.size(); ++p) {
        for (size_t t = 0; t < at.inputs[p].size() && !replaced(call.plan(), p); ++t) {
          const auto* from = static_cast<const std::byte*>(at.inputs[p][t]);
          const uint64_t bytes = stored_bytes(call.plan().input_layouts[p][t]);
          copies.emplace_back(from, from + bytes).resize(bytes + 128);  // what a launch fills
          at.inputs[p][t] = copies.back().data();
        }
      }
      OPKIT_TRY(PlacedCall apart, PlacedCall::place(call.shared_plan(), at));
      const core::LaunchReport report = apart.launch(runner.machine());
      return report.ok() ? Status() : to_error(report.faults.front(), call.plan().contract->op);
    };
    return run(made, inputs, std::move(lent));
  }

  static bool replaced(const CallPlan& plan, size_t input) {
    for (size_t o = 0; o < plan.output_layouts.size(); ++o) {
      if (plan.replaced_by(o) == input) return true;
    }
    return false;
  }

  static void expect_same_bits(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i)
      EXPECT_TRUE(std::ranges::equal(a[i].bytes(), b[i].bytes())) << "output " << i;
  }

  // Fused and by single nodes, in place and apart.
  compile::Compiled judged(const graph::Graph& graph, const reference::NamedTensors& inputs) {
    const auto expected = reference::evaluate(graph, inputs);
    EXPECT_TRUE(expected.ok()) << expected.error().to_string();
    std::vector<Tensor> tensors;
    for (const std::string& name : graph.inputs)
      tensors.push_back(reference::to_tensor(inputs.at(name)).value());
    compile::Compiled chosen = compiled(graph), plain = compiled(graph, false);
    for (const compile::Compiled* made : {&chosen, &plain}) {
      const std::vector<Tensor> outputs = run(*made, tensors);
      expect_near(outputs, *expected, graph, 5e-5);
      expect_same_bits(outputs, run_apart(*made, tensors));
      EXPECT_GT(made->schedule.in_place, 0u);
    }
    EXPECT_LE(chosen.cover.cost, plain.cover.cost);
    fmt::print("{}plain: {} us, {} bytes\n", compile::summary_text(chosen),
               static_cast<double>(plain.nanoseconds()) / 1e3, plain.traffic());
    return chosen;
  }
};

TEST_P(Networks, MobileNet) {
  const graph::Graph graph = imported(models::mobilenet());
  std::mt19937 random(31);
  const auto x = random_tensor(random, DType::kFloat32, {1, 3, 96, 96}, 1);
  EXPECT_THAT(fallbacks(judged(graph, {{"x", x}})), IsEmpty());
}

TEST_P(Networks, Bert) {
  const graph::Graph graph = imported(models::bert());
  std::mt19937 random(32);
  const auto integers = [&](auto value) {
    graph::RefTensor tensor{DType::kInt64, {2, 32}, {}};
    for (int i = 0; i < 64; ++i) tensor.values.push_back(value(i));
    return tensor;
  };
  const auto ids = integers([&](int) { return static_cast<double>(random() % 300); });
  const auto mask = integers([](int i) { return i % 32 < 32 - 12 * (i / 32) ? 1.0 : 0.0; });
  const auto types = integers([](int i) { return i % 32 < 10 ? 0.0 : 1.0; });
  const compile::Compiled made =
      judged(graph, {{"input_ids", ids}, {"attention_mask", mask}, {"token_type_ids", types}});
  // Casts are computed by ops, which are named by their targets.
  for (const auto& [op, count] : fallbacks(made)) {
    EXPECT_EQ(ops_->find(op), nullptr) << op;
    EXPECT_NE(op, "Cast") << count;
  }
}

TEST_P(Networks, YoloV5) {
  const graph::Graph graph = imported(models::yolov5());
  std::mt19937 random(33);
  const auto x = random_tensor(random, DType::kFloat32, {1, 3, 128, 128}, 1);
  EXPECT_THAT(fallbacks(judged(graph, {{"images", x}})), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Chips, Networks, ::testing::Values("Ascend910B1", "Ascend310B1"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace opkit
