// Proof by data: every chosen kernel against its reference at the model's shapes, and the chosen
// cover against the plain one and against the model as its file has it.
#ifndef OPKIT_ATC_COMPILE_PROOF_H_
#define OPKIT_ATC_COMPILE_PROOF_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/atc/compile/compile.h"
#include "opkit/atc/compile/file_reference.h"
#include "opkit/atc/compile/try_kernel.h"

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

// Runs each distinct call of the cover on small integers, beside the reference in double precision;
// then compares covers.
// Errors: OPK-PROOF-001 a kernel that gives something else than its reference; those of
// compare_covers.
Result<Proof> prove(const Compiled& compiled, const InstalledOps& ops);

Result<Proof> prove(const Compiled& compiled, const InstalledOps& ops, FileReference& file);

// Runs the whole model by the chosen cover and by single nodes, on integers and random data, and
// compares both with what the file says. Single nodes may be as far from it as the tolerance of the
// types that compute, or as rounding in these types moves the output; the chosen cover, besides,
// twice as far as single nodes are. An output that rounding moves by more than a quarter of its
// largest element proves nothing, which is a warning (OPK-PROOF-005). So are bodies, each by
// itself: the whole model's data may never come by a branch. Errors: OPK-PROOF-002 the chosen cover
// is farther; OPK-PROOF-003 single nodes are; those of the runs.
Result<Proof> compare_covers(const Compiled& compiled, const InstalledOps& ops,
                             FileReference& file);

// Tells whether the error is one of the proof's own: the values differ.
bool is_of_proof(const Error& error);

// Returns the candidate's call on small integers and on fractions. `failure` says what is wrong.
// Errors: of the run or of the reference.
Result<KernelProof> prove_call(const graph::Graph& graph, const Candidate& candidate);

// Returns the first chosen op of several nodes that does not compute its reference on small
// integers.
std::optional<FusionId> wrong_fusion(const Compiled& compiled);

std::string proof_text(const Proof& proof);
// Writes the proof's second part, that of covers.
std::string covers_text(const Proof& proof);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_PROOF_H_
