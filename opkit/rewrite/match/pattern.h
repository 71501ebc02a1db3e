// Pattern: one form of a contract's reference or of one of its spellings, to look for in a graph:
// optional inputs are either there or not, nodes with a condition either run or not.
#ifndef OPKIT_REWRITE_MATCH_PATTERN_H_
#define OPKIT_REWRITE_MATCH_PATTERN_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "opkit/contract/op_contract.h"

namespace opkit::match {

struct Pattern {
  const OpContract* contract = nullptr;
  const Spelling* spelling = nullptr;  // null: the reference
  // Every node runs; operands of skipped nodes are replaced, absent ones are kAbsent.
  std::vector<ReferenceNode> nodes;
  std::set<std::string> absent;  // optional inputs
  // Bool attributes that a condition of this form decides, and those that the spelling is for.
  AttrValues decided;
  // The values that are stored, by output port. A value of the reference, or an input.
  std::map<std::string, std::string> outputs;
};

// Returns every form, those of the reference first, the ones with more inputs first. Canonical
// where the graph is: a Pad in front of a Conv is its pads, Flatten and its like are Reshape, the
// axes of reductions are an attribute, the second power is Mul; what depends on no input is there
// twice, as one constant (graphs compute small ones) and as nodes (large ones stay). None when
// there is no reference.
std::vector<Pattern> patterns_of(const OpContract& contract);

}  // namespace opkit::match

#endif  // OPKIT_REWRITE_MATCH_PATTERN_H_
