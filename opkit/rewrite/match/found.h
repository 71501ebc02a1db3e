// Match, NearMiss and Found: what matching finds.
#ifndef OPKIT_REWRITE_MATCH_FOUND_H_
#define OPKIT_REWRITE_MATCH_FOUND_H_

#include <string>
#include <vector>

#include "opkit/contract/op_contract.h"
#include "opkit/rewrite/match/guard.h"

namespace opkit::match {

// A call of the op that computes exactly what the nodes compute.
struct Match {
  const OpContract* contract = nullptr;
  const Spelling* spelling = nullptr;            // that the nodes are; null: the reference
  std::vector<size_t> nodes;                     // numbers nodes of the graph, ascending
  std::vector<std::vector<std::string>> inputs;  // values of each input port
  // Name the values of each output port; empty: nobody wants it.
  std::vector<std::vector<std::string>> outputs;
  AttrValues attrs;  // those that the nodes state
  size_t column = 0;
};

// Where the op came near: its rarest operator stands at `node`, and yet it does not match.
struct NearMiss {
  const OpContract* contract = nullptr;
  size_t node = 0;
  size_t matched = 0;  // nodes of the reference that fitted
  Refusal refusal;     // is the refusal of the form that came furthest
};

struct Found {
  std::vector<Match> matches;
  std::vector<NearMiss> near_misses;
};

}  // namespace opkit::match

#endif  // OPKIT_REWRITE_MATCH_FOUND_H_
