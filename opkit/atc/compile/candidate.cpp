#include "opkit/atc/compile/candidate.h"

#include <array>

#include "opkit/graph/node_name.h"
#include "registry/manifest.h"

namespace opkit::compile {

std::string_view name_of(CostKind kind) {
  static constexpr std::array<std::string_view, 4> kNames = {"bound", "modelled", "estimated",
                                                             "assumed"};
  return kNames[static_cast<size_t>(kind)];
}

std::string Candidate::name() const {
  if (taker == Taker::kPlugin) return op->contract().op;
  if (taker == Taker::kControl) return "control";
  return taker == Taker::kView ? "view" : "host";
}

bool Candidate::on_aicpu() const {
  return taker == Taker::kPlugin && registry::is_aicpu(op->package().manifest);
}

std::string Candidate::node_names(const graph::Graph& graph) const {
  std::string names;
  for (const size_t n : nodes) names += (names.empty() ? "" : "+") + graph::name_of(graph.nodes[n]);
  return names;
}

}  // namespace opkit::compile
