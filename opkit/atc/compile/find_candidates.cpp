#include "opkit/atc/compile/find_candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "opkit/atc/compile/installed_calls.h"
#include "opkit/atc/compile/unfolded.h"
#include "opkit/atc/compile/written_form.h"
#include "opkit/graph/bodies.h"
#include "opkit/graph/node_name.h"
#include "opkit/reference/opaque.h"
#include "opkit/reference/unfit.h"
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/whole_operators.h"
#include "registry/manifest.h"

namespace opkit::compile {
namespace {

using graph::Graph;
using graph::Node;
using match::Guard;

// Reshape and its like move nothing.
bool is_view(const Graph& graph, const Node& node) {
  const bool reshapes = node.op_type == "Reshape" || node.op_type == "Identity";
  return reshapes && graph.values.at(node.outputs[0]).shape.has_value();
}

Candidate of_node(Taker taker, size_t node) {
  Candidate candidate;
  candidate.taker = taker;
  candidate.nodes = {node};
  return candidate;
}

class Finder {
 public:
  Finder(Graph& graph, const OtherForms& forms, const InstalledOps& ops, const Graph& composed,
         const CandidateOptions& options)
      : graph_(graph),
        ops_(ops),
        options_(options),
        matcher_(graph),
        unfolded_(forms.unfolded, matcher_),
        whole_(forms.quantized.graph, matcher_),
        composed_graph_(composed),
        composed_(composed_graph_, matcher_),
        floats_(forms.quantized.reasons),
        taken_(graph.nodes.size()),
        in_a_fusion_(graph.nodes.size()) {}

  Result<Candidates> run() {
    found_.edges = matcher_.edges();
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (is_view(graph_, graph_.nodes[n])) add(of_node(Taker::kView, n));
    }
    for (size_t n = 0; n < graph_.nodes.size(); ++n) decline_other_words(n);
    for (size_t n = 0; n < graph_.nodes.size(); ++n) decline_whole_numbers(n);
    for (const auto& op : ops_.all()) {
      look_for(*op);
      if (no_worker_) return std::move(*no_worker_);
    }
    for (size_t n = 0; n < graph_.nodes.size(); ++n) OPKIT_CHECK(fall_back(n));
    return std::move(found_);
  }

 private:
  void add(Candidate candidate) {
    for (const size_t n : candidate.nodes)
      (candidate.nodes.size() == 1 ? taken_ : in_a_fusion_)[n] = true;
    found_.all.push_back(std::move(candidate));
  }

  void look_for(InstalledOp& op) {
    take_all(op, matcher_.find(op.contract()));
    for (const size_t n : matcher_.nodes_of(std::string(reference::kOpaqueMark) + op.contract().op))
      take(op, *call_of(graph_, n, op.contract()));
    if (!unfolded_.graph().nodes.empty())
      take_form(op, unfolded_.find(op.contract()), unfolded_.graph());
    if (!whole_.graph().nodes.empty()) take_form(op, whole_.find(op.contract()), whole_.graph());
    if (composed_graph_.nodes.empty()) return;
    match::Found found = composed_.find(op.contract());
    found.near_misses.clear();  // those of the nodes as they are say more
    take_form(op, found, composed_graph_);
  }

  void take_form(InstalledOp& op, const match::Found& found, const Graph& form) {
    for (const match::NearMiss& miss : found.near_misses) decline(op, miss.node, miss.refusal);
    for (const match::Match& match : found.matches) {
      if (is_known(op, match)) continue;
      take_constants(match, form);
      take(op, match);
    }
  }

  // Found in the graph's own words, or in another form.
  bool is_known(const InstalledOp& op, const match::Match& match) const {
    return std::any_of(found_.all.begin(), found_.all.end(), [&](const Candidate& one) {
      return one.op == &op && one.nodes == match.nodes && one.match.column == match.column;
    });
  }

  void take_constants(const match::Match& match, const Graph& form) {
    for (const auto& port : match.inputs) {
      for (const std::string& name : port) {
        if (form.constant(name) != nullptr) graph_.values.emplace(name, form.values.at(name));
      }
    }
  }

  void take_all(InstalledOp& op, const match::Found& found) {
    for (const match::NearMiss& miss : found.near_misses) decline(op, miss.node, miss.refusal);
    for (const match::Match& match : found.matches) take(op, match);
  }

  void decline(const InstalledOp& op, size_t node, match::Refusal refusal) {
    found_.declined.push_back({op.contract().op, node, std::move(refusal)});
  }

  void decline_other_words(size_t n) {
    const auto words = options_.other_words.find(passes::result_of(graph_.nodes[n]));
    if (words != options_.other_words.end())
      found_.declined.push_back({words->second.first, n, words->second.second});
  }

  // A node of a quantised model that stays in floats says why.
  void decline_whole_numbers(size_t n) {
    const auto reason = floats_.find(passes::result_of(graph_.nodes[n]));
    if (reason != floats_.end())
      found_.declined.push_back({"int8", n, {Guard::kOperator, reason->second}});
  }

  void take(InstalledOp& op, const match::Match& match) {
    const bool fused = match.nodes.size() > 1;
    if (!options_.fallback && registry::is_aicpu(op.package().manifest))
      return decline(op, match.nodes[0],
                     {Guard::kSwitch, "it runs on the AICPU, which --no-fallback forbids"});
    if (!options_.switches.is_on(op.contract().op, fused))
      return decline(op, match.nodes[0], {Guard::kSwitch, "the fusion switch file says off"});
    if (fused && !options_.fused) return;
    if (fused && options_.only && options_.only->count(id_of(match)) == 0) return;
    if (fused && options_.dropped.count(id_of(match)) > 0)
      return decline(op, match.nodes[0], {Guard::kSwitch, "dropped: it moves the output"});
    if (found_.failures.gave_up(op.contract().op))
      return decline(op, match.nodes[0], {Guard::kPlan, gave_up_text()});
    auto plan = plan_of(op, match, graph_, options_.soc);
    if (!plan.ok()) {
      // The machine's fault, not the plugin's.
      if (plan.error().is(Cause::kHostLacks)) no_worker_ = plan.error();
      found_.failures.add(plan.error(), "node " + graph::name_of(graph_.nodes[match.nodes[0]]));
      return decline(
          op, match.nodes[0],
          {Guard::kPlan, fmt::format("{}: {}", plan.error().code, plan.error().message)});
    }
    Candidate candidate;
    candidate.taker = Taker::kPlugin;
    candidate.nodes = match.nodes;
    candidate.op = &op;
    candidate.match = match;
    candidate.plan = std::move(plan).value();
    for (const auto& port : match.inputs)
      candidate.constant_inputs.push_back(
          std::all_of(port.begin(), port.end(),
                      [&](const std::string& name) { return graph_.constant(name) != nullptr; }));
    add(std::move(candidate));
  }

  Status fall_back(size_t n) {
    if (taken_[n]) return {};
    if (graph::has_bodies(graph_.nodes[n].op_type)) {
      add(of_node(Taker::kControl, n));
      return {};
    }
    const std::string& type = graph_.nodes[n].op_type;
    const bool refuses = type == reference::kUnfitBranch;
    if (refuses || (options_.fallback && !reference::is_opaque(type))) {
      add(of_node(Taker::kHost, n));
      return {};
    }
    if (in_a_fusion_[n]) return {};
    return no_kernel(n);
  }

  Error no_kernel(size_t n) const {
    const Node& node = graph_.nodes[n];
    const bool opaque = reference::is_opaque(node.op_type);
    const std::string type =
        opaque ? node.op_type.substr(reference::kOpaqueMark.size()) : node.op_type;
    std::string reason = fmt::format("no installed op for this chip has {} in its reference", type);
    for (const Declined& declined : found_.declined) {
      if (declined.node != n) continue;
      reason = fmt::format("{} declines: {}: {}", declined.op, name_of(declined.refusal.guard),
                           declined.refusal.reason);
      break;
    }
    return Error("EZ3003",
                 fmt::format("no supported ops kernel and engine are found for [{}], optype [{}]: "
                             "{}",
                             graph::name_of(node), type, reason),
                 opaque ? fmt::format("let {} take it: nothing else knows what it computes", type)
                        : "install an op for it, or leave out --no-fallback to run it on the host")
        .of(type);
  }

  Graph& graph_;
  const InstalledOps& ops_;
  const CandidateOptions& options_;
  match::Matcher matcher_;
  Unfolded unfolded_;
  WrittenForm whole_;
  const Graph& composed_graph_;
  WrittenForm composed_;
  const std::map<std::string, std::string>& floats_;  // see QuantizedForm
  // Mark the nodes that a candidate of one node takes, and those that one of several takes.
  std::vector<bool> taken_, in_a_fusion_;
  Candidates found_;
  std::optional<Error> no_worker_;
};

}  // namespace

FusionId id_of(const match::Match& match) {
  for (const auto& port : match.outputs) {
    for (const std::string& value : port) {
      if (!value.empty()) return {match.contract->op, value};
    }
  }
  return {match.contract->op, ""};
}

Result<Candidates> find_candidates(Graph& graph, const OtherForms& forms, const InstalledOps& ops,
                                   const CandidateOptions& options) {
  OPKIT_TRY(const Graph composed, passes::whole_operators(graph));
  return Finder(graph, forms, ops, composed, options).run();
}

}  // namespace opkit::compile
