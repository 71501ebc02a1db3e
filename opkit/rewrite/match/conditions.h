// What conditions of a reference's nodes say of attributes. Private to this folder.
#ifndef OPKIT_REWRITE_MATCH_CONDITIONS_H_
#define OPKIT_REWRITE_MATCH_CONDITIONS_H_

#include <utility>
#include <vector>

#include "opkit/contract/op_contract.h"

namespace opkit::match {

// A node with a condition, and whether that holds.
using Condition = std::pair<const ReferenceNode*, bool>;

// Adds to `decided` what the conditions say of attributes: a bool by its name, a text by a
// comparison "kind == 'relu'" that holds, or as the one that is left when others do not. False:
// they contradict each other.
bool decide_attributes(const std::vector<Condition>& conditions, const OpContract& contract,
                       AttrValues& decided);

}  // namespace opkit::match

#endif  // OPKIT_REWRITE_MATCH_CONDITIONS_H_
