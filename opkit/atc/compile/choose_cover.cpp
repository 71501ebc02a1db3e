#include "opkit/atc/compile/choose_cover.h"

#include <algorithm>

#include "opkit/atc/compile/costs.h"
#include "opkit/atc/compile/layout_choice.h"

namespace opkit::compile {
namespace {

using Ports = std::vector<std::vector<std::string>>;

std::vector<std::string> variables(const graph::Graph& graph,
                                   const std::vector<std::string>& names) {
  std::vector<std::string> kept;
  for (const std::string& name : names) {
    if (!name.empty() && graph.constant(name) == nullptr) kept.push_back(name);
  }
  return kept;
}

std::vector<StoredValue> stored(const graph::Graph& graph, const Costs& costs, const Ports& values,
                                const std::vector<PortLayouts>& layouts) {
  std::vector<StoredValue> all;
  for (size_t p = 0; p < layouts.size(); ++p) {
    for (size_t i = 0; i < layouts[p].size(); ++i) {
      const std::string& name = values[p][i];
      if (name.empty() || graph.constant(name) != nullptr) continue;
      all.push_back({name, layouts[p][i].format(), costs.turn(layouts[p][i])});
    }
  }
  return all;
}

// Views and host operators read and give dense values.
LayoutCandidate layout_candidate(const graph::Graph& graph, const Costs& costs,
                                 const Candidate& candidate) {
  LayoutCandidate made{candidate.nodes, candidate.nanoseconds, {}, {}};
  if (candidate.taker != Taker::kPlugin) return made;
  made.reads = stored(graph, costs, candidate.match.inputs, candidate.plan->input_layouts);
  made.gives = stored(graph, costs, candidate.match.outputs, candidate.plan->output_layouts);
  return made;
}

LayoutProblem problem_of(const Compiled& compiled, const Costs& costs, bool joint) {
  std::vector<LayoutNode> nodes(compiled.graph.nodes.size());
  for (size_t n = 0; joint && n < nodes.size(); ++n)
    nodes[n] = {variables(compiled.graph, compiled.graph.nodes[n].inputs),
                variables(compiled.graph, compiled.graph.nodes[n].outputs)};
  std::vector<LayoutCandidate> candidates;
  for (const Candidate& candidate : compiled.candidates.all) {
    candidates.push_back(joint ? layout_candidate(compiled.graph, costs, candidate)
                               : LayoutCandidate{candidate.nodes, candidate.nanoseconds, {}, {}});
  }
  return layout_problem(nodes, compiled.candidates.edges, compiled.graph.outputs, candidates);
}

// Asks the model of time for each candidate once, however many variants it has.
class Chooser {
 public:
  Chooser(Compiled& compiled, Costs& costs)
      : compiled_(compiled), costs_(costs), known_(compiled.candidates.all.size()) {}

  Status run() {
    const LayoutProblem joint = problem_of(compiled_, costs_, true);
    compiled_.open_formats = joint.values;
    auto cover = solve(joint);
    if (cover.ok() || joint.values == 0) return take(joint, std::move(cover));
    // Values that agree make larger components, of which a good cover may not be found.
    const LayoutProblem alone = problem_of(compiled_, costs_, false);
    compiled_.formats_are_joint = false;
    return take(alone, solve(alone));
  }

 private:
  Result<cover::ChosenCover> solve(const LayoutProblem& layouts) {
    return cover::cover_lazily(layouts.problem, [&](size_t v) {
      const LayoutProblem::Variant& variant = layouts.variants[v];
      return time_of(variant.candidate) - variant.saved;
    });
  }

  uint64_t time_of(size_t c) {
    Candidate& candidate = compiled_.candidates.all[c];
    if (known_[c]) return candidate.nanoseconds;
    known_[c] = true;
    const uint64_t bound = candidate.nanoseconds;
    costs_.model(compiled_.graph, candidate);
    compiled_.below_bound += candidate.nanoseconds < bound;
    return candidate.nanoseconds;
  }

  Status take(const LayoutProblem& layouts, Result<cover::ChosenCover> cover) {
    if (!cover.ok()) return std::move(cover).error();
    compiled_.cover = std::move(*cover);
    for (size_t& chosen : compiled_.cover.chosen) {
      const LayoutProblem::Variant& variant = layouts.variants[chosen];
      compiled_.candidates.all[variant.candidate].nanoseconds -= variant.saved;
      compiled_.saved_turns += variant.saved;
      chosen = variant.candidate;
    }
    return {};
  }

  Compiled& compiled_;
  Costs& costs_;
  std::vector<bool> known_;
};

void warn(Compiled& compiled, const PluginFailures& failures) {
  const Errors& more = failures.warnings();
  compiled.warnings.insert(compiled.warnings.end(), more.begin(), more.end());
}

}  // namespace

Status choose_cover(Compiled& compiled, const Options& options) {
  warn(compiled, compiled.candidates.failures);
  OPKIT_TRY(Costs costs, Costs::of(options.candidates.soc, options.cost_cache));
  for (Candidate& candidate : compiled.candidates.all)
    candidate.nanoseconds = costs.bound(compiled.graph, candidate);
  OPKIT_CHECK(Chooser(compiled, costs).run());
  compiled.modelled = costs.modelled();
  compiled.from_cache = costs.from_cache();
  warn(compiled, costs.failures());
  return {};
}

std::string cover_statement(const Compiled& compiled) {
  const std::string statement = compiled.cover.statement();
  return compiled.formats_are_joint ? statement : statement + ", formats not chosen with it";
}

}  // namespace opkit::compile
