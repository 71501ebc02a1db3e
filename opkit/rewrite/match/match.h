// Matching: where a graph holds what a contract's reference computes.
#ifndef OPKIT_MATCH_MATCH_H_
#define OPKIT_MATCH_MATCH_H_

#include <map>
#include <string>
#include <vector>

#include "opkit/call/infer/binding.h"
#include "opkit/contract/op_contract.h"
#include "opkit/graph/graph.h"
#include "opkit/rewrite/match/guard.h"

namespace opkit::match {

// A call of the op that computes exactly what the nodes compute.
struct Match {
  const OpContract* contract = nullptr;
  const Spelling* spelling = nullptr;             // that the nodes are; null: the reference
  std::vector<size_t> nodes;                      // of the graph, ascending
  std::vector<std::vector<std::string>> inputs;   // values of each input port
  std::vector<std::vector<std::string>> outputs;  // of each output port; empty: nobody wants it
  AttrValues attrs;                               // those that the nodes state
  size_t column = 0;
};

// Where the op came near: its rarest operator stands at `node`, and yet it does not match.
struct NearMiss {
  const OpContract* contract = nullptr;
  size_t node = 0;
  size_t matched = 0;  // nodes of the reference that fitted
  Refusal refusal;     // of the form that came furthest
};

struct Found {
  std::vector<Match> matches;
  std::vector<NearMiss> near_misses;
};

// A graph with what many contracts ask of it.
class Matcher {
 public:
  // REQUIRES: the graph is canonical (passes::canonicalize) and outlives the matcher.
  explicit Matcher(const graph::Graph& graph);

  // Every place where the contract's reference is computed. Each form of the reference is looked
  // for at its rarest operator; operands of commutative operators may be exchanged. Of the columns
  // with the same dtypes, one match each.
  Found find(const OpContract& contract) const;

  const graph::Graph& graph() const { return graph_; }
  // Numbers of the nodes that read a value; of the one that defines it, or nodes().size().
  const std::vector<size_t>& readers(const std::string& value) const;
  size_t definition(const std::string& value) const;
  bool is_output(const std::string& value) const;
  const std::vector<size_t>& nodes_of(const std::string& op_type) const;
  // From a node to each that reads it, ascending.
  const std::vector<std::pair<size_t, size_t>>& edges() const { return edges_; }

 private:
  const graph::Graph& graph_;
  std::map<std::string, std::vector<size_t>> readers_, by_operator_;
  std::map<std::string, size_t> definition_;
  std::vector<std::pair<size_t, size_t>> edges_;
};

}  // namespace opkit::match

#endif  // OPKIT_MATCH_MATCH_H_
