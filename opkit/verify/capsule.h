// Capsule: a failure in one file, that replays bit for bit elsewhere.
#ifndef OPKIT_VERIFY_CAPSULE_H_
#define OPKIT_VERIFY_CAPSULE_H_

#include <string>
#include <string_view>

#include "opkit/verify/executor.h"
#include "opkit/verify/verdict.h"

namespace opkit::verify {

// Inputs are not stored: the problem's line generates them, and their digest proves it.
struct Capsule {
  std::string op, version;
  std::string contract;       // the text of op_contract.yaml
  std::string plugin_digest;  // of the library that failed
  std::string line;           // the problem
  std::string verdict, reason, code;
  std::string input_digest, output_digest;  // SHA-256 of all tensors' bytes; empty: nothing ran
};

Capsule make_capsule(const OpContract& contract, const std::string& plugin_digest,
                     const ProblemResult& failure);
std::string to_json(const Capsule& capsule);
// Errors: OPK-VERIFY-041 for a text that is no capsule.
Result<Capsule> read_capsule(std::string_view json);

struct Replay {
  ProblemResult result;
  bool same_plugin = false, same_inputs = false, same_outputs = false, same_verdict = false;

  // One sentence for each thing that differs, and whether the failure came back.
  std::string to_string() const;
};

// Runs the capsule's problem under the capsule's contract.
Result<Replay> replay(const Capsule& capsule, Executor& executor);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_CAPSULE_H_
