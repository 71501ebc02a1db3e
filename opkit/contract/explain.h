// A contract in words, and the messages of a check, as text and as JSON.
#ifndef OPKIT_CONTRACT_EXPLAIN_H_
#define OPKIT_CONTRACT_EXPLAIN_H_

#include <string>

#include "opkit/contract/op_contract.h"

namespace opkit {

class Json;

// Returns what `opkit contract explain` prints: signature, columns, symbols with what the
// constraints leave for them, constraints, reference, policies.
std::string explain_text(const OpContract& contract);
Json explain_json(const OpContract& contract);

// Returns what `opkit contract check` prints: every message, then one line of summary.
std::string check_text(const OpContract::Checked& checked, const std::string& name);
Json check_json(const OpContract::Checked& checked, const std::string& name);

// "out = Op(a, 0.5, $alpha; axis=-1)": one node of the reference.
std::string node_text(const ReferenceNode& node);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_EXPLAIN_H_
