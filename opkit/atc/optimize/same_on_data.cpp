#include "opkit/atc/optimize/same_on_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>
#include <set>

#include "opkit/atc/compile/costs.h"
#include "opkit/atc/compile/file_reference.h"
#include "opkit/graph/text.h"
#include "opkit/reference/evaluate.h"
#include "opkit/rewrite/passes/edit.h"

namespace opkit::optimize {
namespace {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

// Multiply-adds that one comparison may take: about a second.
constexpr double kMostWork = 2e9;

std::string text_of(const Node& node) {
  Graph alone;
  alone.nodes.push_back(node);
  return to_text(alone);
}

std::set<std::string> texts_of(const Graph& graph) {
  std::set<std::string> texts;
  for (const Node& node : graph.nodes) texts.insert(text_of(node));
  return texts;
}

std::set<std::string> defined_by(const std::vector<Node>& nodes) {
  std::set<std::string> names;
  for (const Node& node : nodes) names.insert(node.outputs.begin(), node.outputs.end());
  names.erase("");
  return names;
}

std::vector<Node> not_in(const std::set<std::string>& texts, const Graph& graph) {
  std::vector<Node> nodes;
  std::copy_if(graph.nodes.begin(), graph.nodes.end(), std::back_inserter(nodes),
               [&](const Node& node) { return texts.count(text_of(node)) == 0; });
  return nodes;
}

// Returns the nodes as a graph of their own, which gives `outputs`.
Graph region_of(const Graph& graph, std::vector<Node> nodes,
                const std::vector<std::string>& outputs) {
  Graph region;
  region.name = graph.name;
  region.opset = graph.opset;
  region.outputs = outputs;
  const std::set<std::string> inside = defined_by(nodes);
  for (const Node& node : nodes) {
    for (const std::string& input : node.inputs) {
      if (input.empty() || inside.count(input) > 0) continue;
      if (!region.values.emplace(input, graph.values.at(input)).second) continue;
      if (graph.constant(input) == nullptr) region.inputs.push_back(input);
    }
  }
  region.nodes = std::move(nodes);
  return region;
}

double work_of(const Graph& graph, const std::vector<Node>& nodes) {
  double work = 0;
  for (const Node& node : nodes) work += compile::products_of(graph, node);
  return work;
}

// Whole numbers and halves, of both signs.
RefTensor drawn(const graph::ValueInfo& value, std::mt19937& random) {
  RefTensor tensor{value.dtype, *value.shape, {}};
  for (int64_t i = 0; i < value.shape->elements(); ++i) {
    const int whole = static_cast<int>(random() % 13) - 6;
    const bool positive = value.dtype == DType::kBool || !is_signed(value.dtype);
    tensor.values.push_back(is_float(value.dtype) ? whole / 2.0 : positive ? whole > 0 : whole);
  }
  return tensor;
}

reference::NamedTensors drawn_inputs(const Graph& one, const Graph& other) {
  std::mt19937 random(11);
  reference::NamedTensors inputs;
  for (const Graph* graph : {&one, &other}) {
    for (const std::string& name : graph->inputs) {
      if (inputs.count(name) == 0) inputs.emplace(name, drawn(graph->values.at(name), random));
    }
  }
  return inputs;
}

Result<reference::NamedTensors> evaluated(const Graph& region,
                                          const reference::NamedTensors& inputs) {
  reference::NamedTensors own;
  for (const std::string& name : region.inputs) own.emplace(name, inputs.at(name));
  return reference::evaluate(region, own);
}

double distance(const RefTensor& one, const RefTensor& other) {
  if (one.dtype != other.dtype || !(one.shape == other.shape)) return INFINITY;
  double worst = 0, largest = 1e-30;
  for (int64_t i = 0; i < one.elements(); ++i) {
    if (one[i] == other[i] || (std::isnan(one[i]) && std::isnan(other[i]))) continue;
    const double off = std::abs(one[i] - other[i]);
    worst = std::isfinite(off) ? std::max(worst, off) : INFINITY;
  }
  for (const double value : one.values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return worst / largest;
}

}  // namespace

Result<SameOnData> same_on_data(const Graph& before, const Graph& after) {
  std::vector<Node> gone = not_in(texts_of(after), before), come = not_in(texts_of(before), after);
  SameOnData same;
  if (work_of(before, gone) + work_of(after, come) > kMostWork) {
    same.skipped = fmt::format("more than {:.0e} multiply-adds", kMostWork);
    return same;
  }
  const std::set<std::string> here = defined_by(gone), there = defined_by(come);
  std::vector<std::string> both;
  std::set_intersection(here.begin(), here.end(), there.begin(), there.end(),
                        std::back_inserter(both));
  const Graph one = region_of(before, std::move(gone), both),
              other = region_of(after, std::move(come), both);
  const reference::NamedTensors inputs = drawn_inputs(one, other);
  OPKIT_TRY(const reference::NamedTensors expected, evaluated(one, inputs));
  OPKIT_TRY(const reference::NamedTensors got, evaluated(other, inputs));
  same.values = both.size();
  for (const auto& [name, tensor] : expected)
    same.worst = std::max(same.worst, distance(tensor, got.at(name)));
  return same;
}

}  // namespace opkit::optimize
