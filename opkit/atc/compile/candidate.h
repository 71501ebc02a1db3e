// Candidate: something that can take nodes of a model, with the plan and the cost of it.
#ifndef OPKIT_ATC_COMPILE_CANDIDATE_H_
#define OPKIT_ATC_COMPILE_CANDIDATE_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/call/execute/installed_ops.h"
#include "opkit/rewrite/match/match.h"

namespace opkit::compile {

enum class Taker : uint8_t {
  kPlugin,   // an installed op
  kView,     // nobody: the result lies where the operand lies
  kHost,     // the reference interpreter on the host, where no plugin takes the node
  kControl,  // the host, which runs the node's bodies: these are compiled by themselves
};

enum class CostKind : uint8_t {
  kBound,      // a lower bound: the candidate never mattered
  kExact,      // the model of time watched the whole launch
  kEstimated,  // the model of time watched a part of it
  kAssumed,    // the model of time could not tell: what a slow kernel takes stands in
};
std::string_view name_of(CostKind kind);

struct Candidate {
  Taker taker = Taker::kHost;
  std::vector<size_t> nodes;  // lists nodes of the graph, ascending
  // Names the installed op of a plugin's candidate.
  InstalledOp* op = nullptr;
  match::Match match;
  SharedPlan plan;
  // Says of each input port whether it reads the model's weights.
  std::vector<bool> constant_inputs;
  uint64_t nanoseconds = 0;
  CostKind kind = CostKind::kBound;
  std::string not_modelled;  // kAssumed: why

  // "AddRelu", "host", "view".
  std::string name() const;
  // An installed op that a processor of the host runs.
  bool on_aicpu() const;
  // Tells whether a processor other than the AI cores runs it, of which no time is modelled.
  bool off_chip() const { return taker == Taker::kHost || on_aicpu(); }
  // An installed op that takes several nodes.
  bool is_fused() const { return taker == Taker::kPlugin && nodes.size() > 1; }
  // "conv1+relu1": its nodes as people name them.
  std::string node_names(const graph::Graph& graph) const;
};

// A candidate that was not: what kept an op out, and where.
struct Declined {
  std::string op;
  size_t node = 0;
  match::Refusal refusal;
};

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_CANDIDATE_H_
