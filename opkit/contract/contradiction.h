// Contradiction: constraints that no call meets, because of what each says of one term.
#ifndef OPKIT_CONTRACT_CONTRADICTION_H_
#define OPKIT_CONTRACT_CONTRADICTION_H_

#include <optional>
#include <string>

#include "opkit/contract/op_contract.h"

namespace opkit {

struct Contradiction {
  size_t earlier, later;  // places in the contract's constraints; the same: one alone
  std::string term;       // "rank(A)", "N % 16", "M - N"
};

// Two constraints whose comparisons leave no value for a term that both name, or no remainder that
// both allow. `scope`: what the names may be. Proved: never of constraints that a call meets.
// Others that contradict each other may go unseen.
std::optional<Contradiction> find_contradiction(const OpContract& contract, const Scope& scope);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_CONTRADICTION_H_
