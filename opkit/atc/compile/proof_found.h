// What a proof by data found.
#ifndef OPKIT_ATC_COMPILE_PROOF_FOUND_H_
#define OPKIT_ATC_COMPILE_PROOF_FOUND_H_

#include <string>
#include <vector>

#include "opkit/atc/compile/try_kernel.h"
#include "opkit/base/status.h"

namespace opkit::compile {

struct Proof {
  std::vector<KernelProof> kernels;
  bool fused = false;  // an op of several nodes is chosen: otherwise the two covers are one
  double plain = 0;    // the chosen cover against the plain one, likewise
  bool same_bits = false;
  int opset = 0;                    // says the file's own opset
  double file = 0;                  // the chosen cover against the file, likewise
  size_t proved = 0, unproved = 0;  // outputs that were compared with it, by what that tells
  bool file_integers = true;        // the file was evaluated on integers, too
  std::string not_compared;         // why not with the file, or empty
  size_t bodies = 0;  // counts those of If, Loop and Scan, which are compared by themselves, too
  size_t bodies_not_compared = 0;  // counts those compared with single nodes alone
  Errors warnings;                 // OPK-PROOF-004 and -005; OPK-ATC-003 of what overflowed

  size_t exact() const;  // kernels that were compared without tolerance
};

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_PROOF_FOUND_H_
