// Proof by data: every chosen kernel against its reference at the model's shapes, and the chosen
// cover against the plain one and against the model as its file has it.
#ifndef OPKIT_ATC_COMPILE_PROOF_H_
#define OPKIT_ATC_COMPILE_PROOF_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/atc/compile/compile.h"
#include "opkit/atc/compile/file_reference.h"
#include "opkit/atc/compile/proof_found.h"
#include "opkit/atc/compile/try_kernel.h"

namespace opkit::compile {

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
