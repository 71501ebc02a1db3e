// The tiling on every chip that the contract names: the shapes of the plan, shapes that are too
// large to run on data, shapes just above multiples of what the cores share; and every shape there
// is, where the contract has few enough.
#ifndef OPKIT_VERIFY_PROOF_TILING_PROOF_H_
#define OPKIT_VERIFY_PROOF_TILING_PROOF_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "opkit/call/execute/executor.h"
#include "opkit/verify/problem/plan.h"
#include "opkit/verify/verdict.h"

namespace opkit::verify {

// How full a memory gets at most.
struct MemoryUse {
  std::string soc, memory;
  uint64_t peak = 0, capacity = 0;  // bytes
  std::string line;                 // the problem that takes most
};

struct TilingProof {
  bool asked = false;             // the executor has a tiling
  std::vector<std::string> socs;  // every chip, not only those that run data
  int64_t calls = 0;              // tilings that were judged
  bool whole_domain = false;      // these are all legal calls there are: proved, not sampled
  int64_t wrong = 0;              // counts the calls whose tiling is wrong
  int64_t large = 0;              // counts the calls that are too large to run on data
  int64_t most_elements = 0;      // adds up all tensors of one call
  std::string largest_line;
  std::vector<MemoryUse> memory;
  std::map<std::string, int64_t> not_judged;  // counts what was not judged, by reason
  std::map<std::string, std::string> notes;   // gives for each note a problem that shows it
  std::map<uint64_t, Problem> keys;           // tiling keys and the first problem that reached each
  int64_t checked = 0;           // launches without data that the Checked mode has watched
  std::vector<Problem> changes;  // both sides of each change of strategy, those of the key first
};

struct ProofRequest {
  const OpContract* contract = nullptr;
  Executor* executor = nullptr;
  std::vector<std::string> socs;  // names the chips of the run
  const std::vector<PlannedProblem>* plan = nullptr;
  Tier tier = Tier::kSmoke;
  uint64_t seed = 1;
  std::function<void(ProblemResult)> failed;  // told about each wrong tiling
  std::function<bool()> stopped;
  std::function<void(const Problem&)> asked;  // told about each call whose tiling is asked for
  std::optional<size_t> column = {};          // the only one; absent: every one
};

TilingProof prove_tilings(const ProofRequest& request);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROOF_TILING_PROOF_H_
