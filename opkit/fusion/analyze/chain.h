// Chains: kernels of a compiled model that one kernel could be.
#ifndef OPKIT_FUSION_ANALYZE_CHAIN_H_
#define OPKIT_FUSION_ANALYZE_CHAIN_H_

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "opkit/atc/compile/compile.h"

namespace opkit::analyze {

// What a set of nodes exchanges with the rest of the graph. Constants count as read.
struct NodeTraffic {
  std::vector<std::string> read, written;  // values, each once
  uint64_t read_bytes = 0, written_bytes = 0;

  uint64_t bytes() const { return read_bytes + written_bytes; }
};

// Who reads the values of a graph, for many questions about one graph, which outlives it.
class ValueReaders {
 public:
  explicit ValueReaders(const graph::Graph& graph);
  // Returns what the nodes exchange with the rest. REQUIRES: they are ascending.
  NodeTraffic traffic_of(const std::vector<size_t>& nodes) const;
  // Tells whether another node reads the value, or it is an output of the graph.
  bool is_read_outside(const std::string& value, const std::vector<size_t>& nodes) const;

 private:
  const graph::Graph& graph_;
  std::unordered_map<std::string, std::vector<size_t>> readers_;
  std::unordered_set<std::string> outputs_;
};

struct Chain {
  std::vector<size_t> units;  // candidates of the compiled model that were chosen, in their order
  std::vector<size_t> nodes;  // all of theirs, ascending
};

// Chains of two units and more, in the order of their first nodes; no unit is in two. A unit joins
// the chain of one that it reads when
// - it is element-wise, or works on rows and nothing before it needs more than rows: a convolution
//   or a product of matrices can begin a chain, with element-wise units behind it;
// - its result has the dims of what it reads (behind rows: all but the last one);
// - no path leaves the chain and comes back, and the convolution or product reads nothing that the
//   chain makes.
// A node that could join several chains joins the one that saves the most traffic. A chain of
// several results is cut where its units up to there have one.
std::vector<Chain> find_chains(const compile::Compiled& compiled);

}  // namespace opkit::analyze

#endif  // OPKIT_FUSION_ANALYZE_CHAIN_H_
