// State: how far the search for one pattern has come. Private to this folder.
#ifndef OPKIT_REWRITE_MATCH_STATE_H_
#define OPKIT_REWRITE_MATCH_STATE_H_

#include <map>
#include <string>
#include <vector>

#include "opkit/contract/op_contract.h"

namespace opkit::match {

// Says what stands for what, as far as is known.
struct MatchState {
  // Holds the graph's node for each pattern node; the graph's size: none yet.
  std::vector<size_t> node_of;
  std::map<std::string, std::vector<std::string>> values;  // are keyed by names of the pattern
  AttrValues attrs;
  size_t matched = 0;
};

}  // namespace opkit::match

#endif  // OPKIT_REWRITE_MATCH_STATE_H_
