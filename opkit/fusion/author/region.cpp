#include "opkit/fusion/author/region.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "opkit/base/suggest.h"
#include "opkit/fusion/author/phrases.h"
#include "opkit/graph/node_name.h"
#include "opkit/reference/operators.h"

namespace opkit::author {
namespace {

using graph::Graph;
using graph::Node;

bool is_known(const Graph& graph, const std::string& name) {
  const auto value = graph.values.find(name);
  return value != graph.values.end() && value->second.shape;
}

class Builder {
 public:
  Builder(const Graph& graph, const std::vector<size_t>& nodes) : graph_(graph), nodes_(nodes) {}

  Result<ElementwiseRegion> run() {
    OPKIT_TRY(const std::string result, the_result());
    for (const size_t n : nodes_) OPKIT_CHECK(check_node(graph_.nodes[n]));
    for (const size_t n : nodes_) OPKIT_CHECK(add_step(graph_.nodes[n], result));
    OPKIT_CHECK(name_inputs());
    region_.shape = *graph_.values.at(result).shape;
    return std::move(region_);
  }

 private:
  // Returns the nodes' results that other nodes read, or that are outputs of the graph.
  std::set<std::string> read_outside() const {
    std::set<std::string> made, read;
    for (const size_t n : nodes_)
      made.insert(graph_.nodes[n].outputs.begin(), graph_.nodes[n].outputs.end());
    const auto keep = [&](const std::vector<std::string>& names) {
      for (const std::string& name : names) {
        if (made.count(name) > 0) read.insert(name);
      }
    };
    keep(graph_.outputs);
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (!std::binary_search(nodes_.begin(), nodes_.end(), n)) keep(graph_.nodes[n].inputs);
    }
    return read;
  }

  // Returns the one of them.
  Result<std::string> the_result() const {
    std::vector<std::string> leaving;
    const std::set<std::string> read = read_outside();
    for (const size_t n : nodes_) {
      for (const std::string& output : graph_.nodes[n].outputs) {
        if (read.count(output) > 0) leaving.push_back(output);
      }
    }
    if (leaving.size() == 1 && leaving[0] == graph_.nodes[nodes_.back()].outputs[0])
      return leaving[0];
    return Error("OPK-AUTHOR-003",
                 fmt::format("an op of these nodes would have {} results: {}", leaving.size(),
                             fmt::join(leaving, ", ")),
                 leaving.empty() ? "name nodes whose result is used"
                                 : "name nodes that end in one value, with all that lead to it");
  }

  Status check_node(const Node& node) const {
    const reference::Operator* op = reference::find_operator(node.op_type);
    if (op == nullptr || op->reach != reference::Reach::kElement) {
      return Error("OPK-AUTHOR-002",
                   fmt::format("an element of {} ({}) depends on more than the elements at its "
                               "place",
                               name_of(node), node.op_type),
                   "name element-wise nodes, or begin with opkit new --list");
    }
    return check_types(node);
  }

  Status check_types(const Node& node) const {
    std::vector<std::string> names = node.inputs;
    names.push_back(node.outputs[0]);
    for (const std::string& name : names) {
      if (name.empty()) continue;
      const DType dtype = graph_.values.at(name).dtype;
      if (dtype == DType::kFloat32 || dtype == DType::kFloat16 || dtype == DType::kBFloat16)
        continue;
      return Error("OPK-AUTHOR-004",
                   fmt::format("{} of {} ({}) is {}; formulas are written in float16, float32 and "
                               "bfloat16",
                               name, name_of(node), node.op_type, opkit::name_of(dtype)),
                   "leave the node out");
    }
    return {};
  }

  Status add_step(const Node& node, const std::string& result) {
    RegionStep step{node.op_type, {}, node.attributes, {}};
    for (const std::string& input : node.inputs) step.operands.push_back(operand(input));
    step.result = node.outputs[0] == result
                      ? "y"
                      : fmt::format("{}_{}", lower(node.op_type), region_.steps.size() + 1);
    names_[node.outputs[0]] = step.result;
    if (!calls_of(step))
      return Error("OPK-AUTHOR-002",
                   fmt::format("no formula is known for {} ({}) with these operands and attributes",
                               name_of(node), node.op_type),
                   "leave the node out, or begin with opkit new --template elementwise");
    region_.steps.push_back(std::move(step));
    return {};
  }

  StepOperand operand(const std::string& input) {
    if (input.empty()) return {"", std::numeric_limits<double>::quiet_NaN()};
    const graph::RefTensor* constant = graph_.constant(input);
    if (constant != nullptr && constant->elements() == 1) return {"", (*constant)[0]};
    const auto known = names_.find(input);
    if (known != names_.end()) return {known->second, 0};
    const std::string name = fmt::format("x{}", region_.inputs.size() + 1);
    region_.inputs.push_back({name, input, *graph_.values.at(input).shape});
    names_[input] = name;
    return {name, 0};
  }

  Status name_inputs() {
    if (region_.inputs.empty() || region_.inputs.size() > kMostInputs)
      return Error("OPK-AUTHOR-005",
                   fmt::format("an op of these nodes would have {} inputs; kernels take 1 to {}",
                               region_.inputs.size(), kMostInputs),
                   "name fewer nodes");
    if (region_.inputs.size() > 1) return {};
    for (RegionStep& step : region_.steps) {
      for (StepOperand& operand : step.operands) {
        if (operand.tensor == "x1") operand.tensor = "x";
      }
    }
    region_.inputs[0].name = "x";
    return {};
  }

  static std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  }

  const Graph& graph_;
  const std::vector<size_t>& nodes_;
  ElementwiseRegion region_;
  std::map<std::string, std::string> names_;  // holds the op's names of the graph's values
};

}  // namespace

Result<std::vector<size_t>> find_nodes(const Graph& graph, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const Node& node : graph.nodes) known.push_back(name_of(node));
  std::vector<size_t> nodes;
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      const auto near = nearest(name, known);
      return Error(
          "OPK-AUTHOR-001", fmt::format("the model has no node '{}' in its canonical form", name),
          near ? "--nodes " + *near : "opkit analyze MODEL lists the nodes of every chain");
    }
    nodes.push_back(static_cast<size_t>(found - known.begin()));
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

Result<ElementwiseRegion> region_of(const Graph& graph, const std::vector<size_t>& nodes) {
  if (nodes.empty())
    return Error("OPK-AUTHOR-003", "an op of no nodes would have no result", "--nodes a,b");
  for (const size_t n : nodes) {
    for (const std::string& name : graph.nodes[n].inputs) {
      if (!name.empty() && !is_known(graph, name))
        return Error("OPK-AUTHOR-004", fmt::format("the shape of {} is not known", name),
                     "state the model's dims with --input_shape");
    }
  }
  return Builder(graph, nodes).run();
}

}  // namespace opkit::author
