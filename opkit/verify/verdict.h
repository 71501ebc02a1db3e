// Verdict: how a problem ended.
#ifndef OPKIT_VERIFY_VERDICT_H_
#define OPKIT_VERIFY_VERDICT_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opkit/call/layout/storage_layout.h"
#include "opkit/oracle/compare.h"
#include "opkit/verify/problem/problem.h"

namespace opkit::verify {

enum class Verdict {
  kPassed,
  kFailed,
  kMistrusted,     // it passed, but a kernel that computes nothing would pass, too
  kRefused,        // an illegal call was refused with the right code
  kUnimplemented,  // the plugin or the reference cannot do this
  kSkipped,        // does not apply: the reason says why
};
// "PASSED"
std::string_view name_of(Verdict verdict);

struct ProblemResult {
  Problem problem;
  std::string line;    // reproduces it
  std::string origin;  // why it was tried: "corner N=31", "random", "case 3", "error C1"
  Verdict verdict = Verdict::kPassed;
  std::string reason;  // explains everything but PASSED; one sentence
  std::string code;    // is the code of an error, else empty
  std::vector<oracle::Comparison> outputs;
  std::vector<std::string> labels;
  uint64_t tiling_key = 0;
  uint32_t block_dim = 0;
  bool ran = false;  // the kernel was launched
  int64_t elements = 0;
  std::string input_digest, output_digest;               // SHA-256 of all tensors' bytes
  std::vector<std::pair<std::string, Padding>> padding;  // tells of outputs that have any, by name
  std::string shapes;                                    // "x [7, 13], y [7, 13] -> z [7, 13]"
};

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_VERDICT_H_
