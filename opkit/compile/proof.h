// Proof by data: every chosen kernel against its reference at the model's shapes, and the chosen
// cover against the plain one.
#ifndef OPKIT_COMPILE_PROOF_H_
#define OPKIT_COMPILE_PROOF_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/compile/compile.h"

namespace opkit::compile {

// One call that was tried, of all that have its shapes and attributes.
struct KernelProof {
  std::string op, nodes;  // the nodes of the first such call
  size_t calls = 0;       // of the cover
  bool exact = false;   // every value on the way was an integer that the dtypes hold: no tolerance
  double worst = 0;     // distance from the reference, as a share of the largest element
  std::string failure;  // empty: it holds
};

struct Proof {
  std::vector<KernelProof> kernels;
  double plain = 0;  // the chosen cover against the plain one on random data, likewise
  bool same_bits = false;

  size_t exact() const;  // kernels that were compared without tolerance
};

// Runs each distinct call of the cover on small integers, beside the reference in double precision;
// then the whole model by the chosen cover and by single nodes, on integers and random data.
// Errors: OPK-PROOF-001 a kernel that gives something else than its reference; OPK-PROOF-002 covers
// that differ; those of the runs.
Result<Proof> prove(const Compiled& compiled, const InstalledOps& ops, const Options& options);

// Whether an op of several nodes is chosen: otherwise the two covers are one.
bool has_fusions(const Compiled& compiled);

// The second part alone.
Result<Proof> compare_covers(const Compiled& compiled, const InstalledOps& ops,
                             const Options& options);

// The candidate's call on small integers and on fractions. `failure` says what is wrong. Errors: of
// the run or of the reference.
Result<KernelProof> prove_call(const graph::Graph& graph, const Candidate& candidate);

// The first chosen op of several nodes that does not compute its reference on small integers.
std::optional<FusionId> wrong_fusion(const Compiled& compiled);

std::string proof_text(const Proof& proof);
// Writes the proof's second part, that of covers.
std::string covers_text(const Proof& proof);

}  // namespace opkit::compile

#endif  // OPKIT_COMPILE_PROOF_H_
