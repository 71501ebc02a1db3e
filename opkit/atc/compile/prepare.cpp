#include "opkit/atc/compile/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "opkit/atc/compile/control_dims.h"
#include "opkit/atc/compile/declared_outputs.h"
#include "opkit/base/byte_count.h"
#include "opkit/base/shell_word.h"
#include "opkit/graph/bodies.h"
#include "opkit/reference/infer.h"
#include "opkit/rewrite/passes/compute_constants.h"
#include "opkit/rewrite/passes/rewrite.h"
#include "opkit/rewrite/passes/steps.h"

namespace opkit::compile {
namespace {

using graph::Graph;
using graph::Node;

// Elements of all constants that a model may compute: a few bytes can ask for any number.
constexpr int64_t kMostComputed = int64_t{1} << 28;

// Elements of the node's results, as far as they are known.
int64_t elements_of(const Graph& graph, const Node& node) {
  int64_t sum = 0;
  for (const std::string& output : node.outputs) {
    const auto found = graph.values.find(output);
    if (found == graph.values.end() || !found->second.shape) continue;
    const auto elements = found->second.shape->checked_elements();
    sum += elements.ok() ? std::min(*elements, kMostComputed) : kMostComputed;
  }
  return sum;
}

Error too_many(const Node& node) {
  return Error("OPK-ATC-002",
               fmt::format("the constants that the model computes have more than {} elements",
                           kMostComputed),
               "export the model with smaller weights, or compute them in front of it")
      .of(node.op_type);
}

// Checks the graph before anything is computed.
Status check_computed(const Graph& graph) {
  std::set<std::string> constant;
  int64_t elements = 0;
  for (const Node& node : graph.nodes) {
    const bool known =
        std::all_of(node.inputs.begin(), node.inputs.end(), [&](const std::string& input) {
          return input.empty() || graph.constant(input) || constant.count(input) > 0;
        });
    if (!known) continue;
    constant.insert(node.outputs.begin(), node.outputs.end());
    elements += elements_of(graph, node);
    if (elements > kMostComputed) return too_many(node);
  }
  return {};
}

Error too_large(const std::string& name, const graph::ValueInfo& value) {
  return Error("OPK-SHAPE-002",
               fmt::format("tensor '{}' of {}{} has 2^63 bytes or more", name, name_of(value.dtype),
                           value.shape->to_string()),
               "compile the model for smaller dims of its inputs");
}

// Every tensor has its place before the model runs.
Status check_results(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    for (size_t o = 0; o < node.outputs.size(); ++o) {
      const std::string& output = node.outputs[o];
      if (output.empty()) continue;
      const auto found = graph.values.find(output);
      const bool known = found != graph.values.end() && found->second.shape &&
                         found->second.shape->is_static() &&
                         found->second.dtype != DType::kUndefined;
      if (known && byte_count(found->second.dtype, *found->second.shape)) continue;
      if (known) return too_large(output, found->second).of(node.op_type);
      if (graph::has_bodies(node.op_type)) return open_dims_error(graph, node, o);
      return Error("OPK-ATC-001",
                   fmt::format("the dims of '{}' depend on data, and such models are not compiled "
                               "yet",
                               output),
                   "cut the model in front of this node")
          .of(node.op_type);
    }
  }
  return {};
}

using Changes = std::map<std::string, size_t>;
using Rewrites = std::vector<passes::Rewrite>;

Status rewrite(Graph& graph, const Rewrites& rewrites, Changes& changes) {
  OPKIT_TRY(const Changes more, passes::canonicalize(graph, rewrites));
  for (const auto& [name, places] : more) changes[name] += places;
  return {};
}

// Rewrites and computes constants, and does so once more where something was computed.
Status rewrite_and_compute(Graph& graph, const Rewrites& rewrites, Changes& changes) {
  OPKIT_CHECK(rewrite(graph, rewrites, changes));
  OPKIT_CHECK(check_computed(graph));
  const auto all = [](const Graph&, const Node&) { return true; };
  OPKIT_TRY(const size_t computed, passes::compute_constants(graph, all));
  if (computed == 0) return {};
  changes["compute_constants"] += computed;
  return rewrite(graph, rewrites, changes);
}

bool is_folded(const Changes& changes) {
  const Rewrites& kept = passes::unfolding_rewrites();
  return std::any_of(changes.begin(), changes.end(), [&](const auto& change) {
    return std::none_of(kept.begin(), kept.end(),
                        [&](const passes::Rewrite& one) { return one.name == change.first; });
  });
}

}  // namespace

Status check_inputs(const Graph& graph) {
  for (const std::string& name : graph.inputs) {
    const auto& shape = graph.values.at(name).shape;
    if (shape && shape->is_static()) continue;
    return Error("E10001",
                 fmt::format("the model leaves dims of input '{}' open, and --input_shape does not "
                             "state them",
                             name),
                 fmt::format("--input_shape={}, with the dims of your data",
                             shell_word(name + ":1,3,224,224")));
  }
  return {};
}

Result<Prepared> prepare(Graph& graph) {
  Prepared prepared;
  OPKIT_CHECK(check_inputs(graph));
  OPKIT_CHECK(reference::infer(graph));
  OPKIT_TRY(prepared.warnings, check_declared_outputs(graph));
  if (passes::is_quantized(graph)) {
    // Unfolds while weights are still of int8.
    OPKIT_CHECK(rewrite(graph, passes::unfolding_rewrites(), prepared.changes));
    OPKIT_TRY(prepared.forms.quantized, passes::quantized_form(graph));
  }
  OPKIT_CHECK(rewrite_and_compute(graph, passes::unfolding_rewrites(), prepared.changes));
  Graph unfolded = graph;
  Changes folded;
  OPKIT_CHECK(rewrite_and_compute(graph, passes::canonical_rewrites(), folded));
  if (is_folded(folded)) prepared.forms.unfolded = std::move(unfolded);
  for (const auto& [name, places] : folded) prepared.changes[name] += places;
  OPKIT_CHECK(check_results(graph));
  return prepared;
}

Status canonicalize_again(Graph& graph, Changes& changes) {
  return rewrite_and_compute(graph, passes::canonical_rewrites(), changes);
}

}  // namespace opkit::compile
