// Recurrent layers as exporters write them, run as steps of the shipped cells; judged by the
// reference interpreter, which knows the layers whole.
#include <fmt/format.h>

#include <algorithm>

#include "model_test.h"
#include "opkit/reference/infer.h"
#include "tests/graph_text/parse_text.h"

namespace opkit {
namespace {

constexpr int64_t kSteps = 6, kHidden = 8;

// A layer on a batch of 3, and the op that takes a step of it whole; null: single ops take it.
struct Recurrence {
  const char* op;
  const char* attributes;
  int gates;
  const char* cell;
};

const Recurrence kRecurrences[] = {
    {"LSTM", "hidden_size=8", 4, "LstmCell"},
    {"LSTM", "hidden_size=8, direction=\"bidirectional\"", 4, "LstmCell"},
    {"LSTM", "hidden_size=8, layout=1, direction=\"reverse\"", 4, "LstmCell"},
    {"GRU", "hidden_size=8, linear_before_reset=1", 3, "GruCell"},
    {"GRU", "hidden_size=8", 3, nullptr},
    {"RNN", "hidden_size=8", 1, nullptr},
};

int64_t directions_of(const Recurrence& layer) {
  return std::string(layer.attributes).find("bidirectional") != std::string::npos ? 2 : 1;
}

// outputs: of the node; h is the last state.
graph::Graph graph_of(const Recurrence& layer, const std::string& outputs) {
  const std::string attributes = layer.attributes;
  const int64_t directions = directions_of(layer);
  const char* x = attributes.find("layout=1") != std::string::npos ? "[3, 6, 5]" : "[6, 3, 5]";
  graph::Graph graph = *graph::parse_text(fmt::format(
      "graph \"g\" opset 14\ninput x: float32{}\n{} = {}(x, w, r, b) {{{}}}\noutput h\n", x,
      outputs, layer.op, attributes));
  if (outputs[0] == 'y') graph.outputs.push_back("y");
  std::mt19937 random(21);
  const int64_t rows = kHidden * layer.gates;
  const auto add = [&](const char* name, Shape shape) {
    graph.add_constant(name, random_tensor(random, DType::kFloat32, std::move(shape), 0.5));
  };
  add("w", {directions, rows, 5});
  add("r", {directions, rows, kHidden});
  add("b", {directions, 2 * rows});
  EXPECT_TRUE(reference::infer(graph).ok());
  return graph;
}

class RecurrentLayers : public ModelTest {
 protected:
  // On plugins alone, with the interpreter's values. Returns how many kernels are ops of this name.
  int64_t kernels(const graph::Graph& graph, const char* op) {
    std::mt19937 random(22);
    const auto x = random_tensor(random, DType::kFloat32, *graph.values.at("x").shape, 1);
    const auto expected = reference::evaluate(graph, {{"x", x}});
    EXPECT_TRUE(expected.ok()) << expected.error().to_string();
    compile::Options options;
    options.candidates.soc = GetParam();
    options.candidates.fallback = false;
    const auto made = compile::compile(graph, *ops_, options);
    EXPECT_TRUE(made.ok()) << made.error().to_string();
    if (!expected.ok() || !made.ok()) return -1;
    expect_near(run(*made, {*reference::to_tensor(x)}), *expected, graph, 2e-5);
    if (op == nullptr) return 0;
    return std::count_if(made->cover.chosen.begin(), made->cover.chosen.end(),
                         [&](size_t i) { return made->candidates.all[i].name() == op; });
  }
};

// The state before the first step is zero, and products with it fold away.
TEST_P(RecurrentLayers, RunAsStepsOfCells) {
  if (ops_->find("GruCell") == nullptr) GTEST_SKIP() << "run `make ops` first";
  for (const Recurrence& layer : kRecurrences) {
    const int64_t cells = layer.cell ? (kSteps - 1) * directions_of(layer) : 0;
    for (const char* outputs : {"y, h", "_, h"})
      EXPECT_EQ(kernels(graph_of(layer, outputs), layer.cell), cells)
          << layer.op << " " << layer.attributes << ": " << outputs;
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, RecurrentLayers, ::testing::Values("Ascend910B1", "Ascend310B1"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace opkit
