#include "opkit/fusion/generate/generate.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "opkit/fusion/generate/make_op.h"
#include "opkit/graph/node_name.h"

namespace opkit::generate {
namespace {

std::string node_names(const graph::Graph& graph, const std::vector<size_t>& nodes) {
  std::string names;
  for (const size_t n : nodes) names += (names.empty() ? "" : "+") + graph::name_of(graph.nodes[n]);
  return names;
}

DType dtype_of(const graph::Graph& graph, const analyze::Chain& chain) {
  return graph.values.at(graph.nodes[chain.nodes.back()].outputs[0]).dtype;
}

struct Kind {
  ChainOp op;
  ChainReport report;
};

// Chains by the op that would take them. `kit` is empty while nothing is to be made.
Result<std::vector<Kind>> kinds_of(const compile::Compiled& compiled, const std::string& kit,
                                   const ChainWriter& write) {
  std::vector<Kind> kinds;
  std::map<std::string, size_t> known;  // is keyed by the op's name
  OPKIT_TRY(const std::vector<WorthyChain> chains, find_worthy_chains(compiled));
  for (const WorthyChain& worthy : chains) {
    OPKIT_TRY(ChainOp op, write(worthy.region, dtype_of(compiled.graph, worthy.chain),
                                compiled.model().soc, kit));
    const auto [place, fresh] = known.emplace(op.names.op, kinds.size());
    if (fresh) {
      kinds.push_back({std::move(op), {}});
      kinds.back().report.operators = kinds.back().op.operators;
    }
    ChainReport& report = kinds[place->second].report;
    report.nodes.push_back(node_names(compiled.graph, worthy.chain.nodes));
    report.gain += worthy.gain;
  }
  return kinds;
}

std::vector<ChainReport> reports_of(std::vector<Kind> kinds) {
  std::vector<ChainReport> reports;
  for (Kind& kind : kinds) reports.push_back(std::move(kind.report));
  return reports;
}

// The reason, as a warning and in the report.
void refuse(Kind& kind, const Error& error, project::BuildEvents& events) {
  const bool said = error.is(Cause::kNotFused);
  Error note = said ? error
                    : Error("OPK-ATC-004",
                            fmt::format("the chain of {} is not made into a kernel: {}: {}",
                                        kind.op.operators, error.code, error.message),
                            error.action);
  note.severity = Severity::kWarning;
  kind.report.refused = note.message;
  events.note(note);
}

Status make(Kind& kind, const compile::Compiled& compiled, const compile::Switches& switches,
            const Maker& maker, InstalledOps& ops) {
  const std::string& name = kind.op.names.op;
  if (!switches.is_on(name, true))
    return Error("OPK-ATC-004",
                 fmt::format("the chain of {} is not made into a kernel: the fusion switch file "
                             "says off",
                             kind.op.operators),
                 fmt::format("write {}:on into it", name));
  if (ops.find(name) == nullptr)
    OPKIT_CHECK(make_op(kind.op, compiled.graph, maker, ops, kind.report.built));
  kind.report.op = name;
  return {};
}

void count_chosen(std::vector<Kind>& kinds, const compile::Compiled& compiled) {
  for (Kind& kind : kinds) {
    for (const size_t c : compiled.cover.chosen)
      kind.report.chosen += compiled.candidates.all[c].name() == kind.report.op;
  }
}

}  // namespace

Result<std::vector<ChainReport>> worthy_chains(const compile::Compiled& compiled) {
  OPKIT_TRY(std::vector<Kind> kinds, kinds_of(compiled, "", op_of));
  return reports_of(std::move(kinds));
}

Result<std::vector<ChainReport>> generate_chains(compile::Compiled& compiled, InstalledOps& ops,
                                                 const compile::Options& options,
                                                 project::BuildEvents& events,
                                                 const Workshop& workshop) {
  OPKIT_TRY(const std::string kit, digest_of_kit(workshop.sdk));
  OPKIT_TRY(std::vector<Kind> kinds, kinds_of(compiled, kit, workshop.write));
  const Maker maker{workshop.sdk, kit, compiled.model().soc, events};
  size_t made = 0;
  for (Kind& kind : kinds) {
    const Status status = make(kind, compiled, options.candidates.switches, maker, ops);
    if (!status.ok()) refuse(kind, status.error(), events);
    made += status.ok();
  }
  if (made == 0) return reports_of(std::move(kinds));
  OPKIT_TRY(compiled, compile::compile(compiled.before, ops, options));
  count_chosen(kinds, compiled);
  return reports_of(std::move(kinds));
}

}  // namespace opkit::generate
