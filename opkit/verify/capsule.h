// Capsule: a failure in one file, that replays bit for bit elsewhere. docs/testing.md describes it.
#ifndef OPKIT_VERIFY_CAPSULE_H_
#define OPKIT_VERIFY_CAPSULE_H_

#include <string>
#include <string_view>
#include <vector>

#include "opkit/call/execute/executor.h"
#include "opkit/verify/verdict.h"

namespace opkit::verify {

// A tensor as the failing call got it.
struct CapsuleTensor {
  std::string port;
  DType dtype = DType::kUndefined;
  std::vector<int64_t> dims;
  std::string bytes;  // hold all elements, little endian
};

struct Capsule {
  std::string op, version;
  std::string contract;       // the text of op_contract.yaml
  std::string plugin_digest;  // identifies the library that failed
  std::string line;   // the problem: chip, dtypes, dims, attributes, data class, seed, threads
  std::string soc;    // stands in the line
  uint64_t seed = 0;  // stands in the line
  std::string verdict, reason, code;
  std::string input_digest, output_digest;  // SHA-256 of all tensors' bytes; empty: nothing ran
  bool of_tiling = false;                   // a tiling was judged, without data; else a call
  // The inputs' bytes, when all of them together are small enough; else the seed makes them again
  // and input_digest proves it.
  bool has_bytes = false;
  std::vector<CapsuleTensor> inputs;
  std::vector<std::string>
      trace;  // where it failed: the element, who wrote it, at which source line
};

// Bytes of inputs that a capsule keeps as they are.
inline constexpr size_t kMostCapsuleBytes = size_t{64} << 10;

Capsule make_capsule(const OpContract& contract, const std::string& plugin_digest,
                     const ProblemResult& failure, bool of_tiling = false,
                     std::vector<std::string> trace = {});
std::string to_json(const Capsule& capsule);
// Reads a capsule from any bytes. Errors: OPK-VERIFY-041 for a text that is no capsule, -042 for
// inputs that do not have the digest that the capsule states.
Result<Capsule> read_capsule(std::string_view json);

struct CapsuleReplay {
  ProblemResult result;
  bool from_bytes = false;  // the inputs were those of the capsule, not made from the seed
  bool same_plugin = false, same_inputs = false, same_outputs = false, same_verdict = false;

  // The failure came back bit for bit.
  bool same() const { return same_inputs && same_outputs && same_verdict; }
  // Returns one sentence for each thing that differs, and whether the failure came back.
  std::string to_string() const;
};

// Runs the capsule's problem under the capsule's contract. Errors: a contract or a line that cannot
// be read, -041 for inputs that do not fit them.
Result<CapsuleReplay> replay(const Capsule& capsule, Executor& executor);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_CAPSULE_H_
