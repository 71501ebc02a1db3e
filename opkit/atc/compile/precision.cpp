#include "opkit/atc/compile/precision.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "opkit/atc/compile/convert_nodes.h"
#include "opkit/graph/node_name.h"
#include "opkit/reference/infer.h"
#include "opkit/reference/tensor.h"
#include "opkit/rewrite/match/match.h"
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrite.h"

namespace opkit::compile {
namespace {

using graph::Graph;
using graph::Node;

// Tells whether matrix units compute the operator.
bool is_product(const std::string& op) {
  return op == "Conv" || op == "ConvTranspose" || op == "MatMul" || op == "Gemm";
}

// Sums, powers and their inverses: results that lose much in 16 bits, whatever comes before.
bool is_delicate(const std::string& op) {
  static const std::set<std::string> kOps = {"Softmax",
                                             "LogSoftmax",
                                             "LayerNormalization",
                                             "RMSNormalization",
                                             "InstanceNormalization",
                                             "LRN",
                                             "Exp",
                                             "Log",
                                             "Pow",
                                             "Sqrt",
                                             "Erf",
                                             "Softplus",
                                             "Reciprocal",
                                             "BatchNormalization"};
  return kOps.count(op) > 0 || op.starts_with("Reduce") || op == "CumSum" || op == "Sum" ||
         op == "Mean";
}

bool is_view(const Node& node) { return node.op_type == "Reshape" || node.op_type == "Identity"; }

DType type_of(const Graph& graph, const std::string& value) {
  const auto found = graph.values.find(value);
  return found == graph.values.end() ? DType::kUndefined : found->second.dtype;
}

using Nodes = std::set<size_t>;

// Tells whether the mode means this node, before anybody asks for an op.
bool means(PrecisionMode mode, const std::string& op) {
  const bool mixed = mode == PrecisionMode::kMixedHalf || mode == PrecisionMode::kMixedBrain;
  const bool allows = mode == PrecisionMode::kAllowHalf || mode == PrecisionMode::kAllowBrain;
  return mixed ? is_product(op) : !allows;
}

class Chooser {
 public:
  Chooser(const Graph& graph, const std::vector<const OpContract*>& contracts,
          const PrecisionOptions& options, DType from, DType to)
      : graph_(graph), contracts_(contracts), options_(options), from_(from), to_(to) {}

  // Adds to `unserved`.
  Result<Nodes> run(std::map<std::string, size_t>& unserved) {
    OPKIT_TRY(const Nodes there, taken_when_converted());
    const Nodes here = taken(graph_);
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (is_wanted(n, there.count(n) > 0, here.count(n) > 0)) chosen_.insert(n);
      if (is_unserved(n, there.count(n) > 0)) ++unserved[graph_.nodes[n].op_type];
    }
    return std::move(chosen_);
  }

 private:
  bool is_wanted(size_t n, bool there, bool here) {
    const Node& node = graph_.nodes[n];
    if (is_kept(node) || !can_convert(node)) return false;
    if (is_view(node)) return follows(node);
    if (!there) return false;
    switch (options_.mode) {
      case PrecisionMode::kAllowHalf: return !here || is_product(node.op_type);
      case PrecisionMode::kAllowBrain: return !here;
      case PrecisionMode::kMixedHalf:
      case PrecisionMode::kMixedBrain:
        return is_product(node.op_type) || (!is_delicate(node.op_type) && follows(node));
      default: return true;
    }
  }

  bool is_unserved(size_t n, bool there) const {
    const Node& node = graph_.nodes[n];
    return !there && !is_view(node) && means(options_.mode, node.op_type) && !is_kept(node) &&
           can_convert(node);
  }

  bool is_kept(const Node& node) const {
    const std::string& name = graph::name_of(node);
    return options_.keep_nodes.count(name) > 0 || options_.keep_types.count(node.op_type) > 0;
  }

  // Tells whether what it computes on comes from nodes that were chosen.
  bool follows(const Node& node) const {
    bool any = false;
    for (const std::string& input : node.inputs) {
      if (input.empty() || graph_.constant(input) != nullptr || type_of(graph_, input) != from_)
        continue;
      const auto definition = definitions().find(input);
      if (definition == definitions().end() || chosen_.count(definition->second) == 0) return false;
      any = true;
    }
    return any;
  }

  const std::map<std::string, size_t>& definitions() const {
    if (!definitions_.empty()) return definitions_;
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      for (const std::string& output : graph_.nodes[n].outputs) definitions_[output] = n;
    }
    return definitions_;
  }

  // Tells whether the operator takes its operands in the other type and gives its results in it.
  bool can_convert(const Node& node) const {
    if (node.op_type == "Cast") return false;
    std::vector<graph::ValueInfo> values;
    std::vector<const graph::ValueInfo*> inputs;
    bool any = false;
    values.reserve(node.inputs.size());
    for (const std::string& input : node.inputs) {
      if (input.empty()) {
        inputs.push_back(nullptr);
        continue;
      }
      values.push_back(graph_.values.at(input));
      any = any || values.back().dtype == from_;
      if (values.back().dtype == from_) {
        values.back().dtype = to_;
        values.back().constant = nullptr;
      }
      inputs.push_back(&values.back());
    }
    const auto outputs = reference::infer_node(node, inputs, graph_.opset);
    if (!any || !outputs.ok()) return false;
    for (size_t o = 0; o < node.outputs.size(); ++o) {
      const bool changes = type_of(graph_, node.outputs[o]) == from_;
      if (changes && (*outputs)[o].dtype != to_) return false;
    }
    return true;
  }

  Nodes taken(const Graph& graph) const {
    Nodes nodes;
    const match::Matcher matcher(graph);
    for (const OpContract* contract : contracts_) {
      for (const match::Match& match : matcher.find(*contract).matches)
        nodes.insert(match.nodes.begin(), match.nodes.end());
    }
    return nodes;
  }

  // Finds by trial which nodes an op takes: every node that can be is converted.
  Result<Nodes> taken_when_converted() const {
    Nodes all;
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (can_convert(graph_.nodes[n])) all.insert(n);
    }
    Graph trial = graph_;
    OPKIT_TRY(const std::vector<size_t> origin, convert_nodes(trial, all, from_, to_));
    Nodes nodes;
    for (const size_t n : taken(trial)) {
      if (origin[n] < graph_.nodes.size()) nodes.insert(origin[n]);
    }
    return nodes;
  }

  const Graph& graph_;
  const std::vector<const OpContract*>& contracts_;
  const PrecisionOptions& options_;
  DType from_, to_;
  Nodes chosen_;
  mutable std::map<std::string, size_t> definitions_;
};

Converted converted(const Graph& graph, const Node& node, DType from, DType to) {
  Converted one{graph::name_of(node), node.op_type, to, {}};
  for (const auto* names : {&node.inputs, &node.outputs}) {
    for (const std::string& name : *names) {
      if (!name.empty() && type_of(graph, name) == from) one.values.push_back(name);
    }
  }
  return one;
}

// Tells whether a constant that the node reads becomes infinite in the type.
bool overflows(const Graph& graph, const Node& node, DType from, DType to) {
  return std::any_of(node.inputs.begin(), node.inputs.end(), [&](const std::string& input) {
    const graph::RefTensor* constant = graph.constant(input);
    return constant != nullptr && constant->dtype == from &&
           std::any_of(constant->values.begin(), constant->values.end(), [&](double value) {
             return std::isfinite(value) && !std::isfinite(reference::rounded_to(to, value));
           });
  });
}

// Returns the nodes of the graph in front of folding that compute what the chosen ones compute: a
// node that was folded away goes with all that read it, as long as the type holds its constants.
Nodes alike(const Graph& unfolded, const Graph& graph, const Nodes& chosen, DType from, DType to) {
  std::map<std::string, bool> choices;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    for (const std::string& output : graph.nodes[n].outputs) choices[output] = chosen.count(n) > 0;
  }
  std::map<std::string, bool> all_follow;  // says of each value whether all that reads it follows
  Nodes nodes;
  for (size_t n = unfolded.nodes.size(); n-- > 0;) {
    const Node& node = unfolded.nodes[n];
    const auto known = choices.find(passes::result_of(node));
    const auto readers = all_follow.find(passes::result_of(node));
    const bool follows =
        known != choices.end() ? known->second : readers != all_follow.end() && readers->second;
    const bool goes = follows && !overflows(unfolded, node, from, to);
    if (goes) nodes.insert(n);
    for (const std::string& input : node.inputs) {
      const auto [place, is_new] = all_follow.emplace(input, goes);
      place->second = place->second && goes;
    }
  }
  return nodes;
}

Status convert(Graph& graph, Graph& unfolded, const std::vector<const OpContract*>& contracts,
               const PrecisionOptions& options, DType from, PrecisionChanges& changes) {
  const DType to = type_of(options.mode);
  OPKIT_TRY(const Nodes nodes, Chooser(graph, contracts, options, from, to).run(changes.unserved));
  for (const size_t n : nodes)
    changes.converted.push_back(converted(graph, graph.nodes[n], from, to));
  if (nodes.empty()) return {};
  if (!unfolded.nodes.empty()) {
    OPKIT_TRY([[maybe_unused]] const auto before,
              convert_nodes(unfolded, alike(unfolded, graph, nodes, from, to), from, to));
    OPKIT_TRY([[maybe_unused]] const auto changed,
              passes::canonicalize(unfolded, passes::unfolding_rewrites()));
  }
  OPKIT_TRY([[maybe_unused]] const auto origin, convert_nodes(graph, nodes, from, to));
  OPKIT_TRY([[maybe_unused]] const auto rewrites, passes::canonicalize(graph));
  return {};
}

// Returns what the mode turns into its type.
std::vector<DType> sources_of(PrecisionMode mode) {
  switch (mode) {
    case PrecisionMode::kSingle: return {DType::kFloat16, DType::kBFloat16};
    case PrecisionMode::kHalf:
    case PrecisionMode::kMixedHalf: return {DType::kFloat32, DType::kBFloat16};
    default: return {DType::kFloat32};
  }
}

}  // namespace

DType type_of(PrecisionMode mode) {
  switch (mode) {
    case PrecisionMode::kOrigin: return DType::kUndefined;
    case PrecisionMode::kSingle: return DType::kFloat32;
    case PrecisionMode::kHalf:
    case PrecisionMode::kAllowHalf:
    case PrecisionMode::kMixedHalf: return DType::kFloat16;
    case PrecisionMode::kAllowBrain:
    case PrecisionMode::kMixedBrain: return DType::kBFloat16;
  }
  return DType::kUndefined;
}

Result<PrecisionChanges> set_precision(Graph& graph, Graph& unfolded,
                                       const std::vector<const OpContract*>& contracts,
                                       const PrecisionOptions& options) {
  PrecisionChanges changes;
  if (options.mode == PrecisionMode::kOrigin) return changes;
  for (const DType from : sources_of(options.mode))
    OPKIT_CHECK(convert(graph, unfolded, contracts, options, from, changes));
  return changes;
}

}  // namespace opkit::compile
