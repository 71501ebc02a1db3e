// Shapes that only the proof of a tiling meets: too large to run on data, or just above multiples
// of what the cores share.
#ifndef OPKIT_VERIFY_PROOF_PROOF_SHAPES_H_
#define OPKIT_VERIFY_PROOF_PROOF_SHAPES_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/verify/problem/domain.h"
#include "opkit/verify/problem/plan.h"

namespace opkit::verify {

struct LargeProblem {
  PlannedProblem planned;
  const Symbol* symbol = nullptr;  // the one that is large
  int64_t size = 0;
};

class ProofShapes {
 public:
  // Borrows both.
  ProofShapes(const OpContract& contract, Draws& draws);

  // Each symbol large in turn, the most telling sizes first, for each of the models: problems whose
  // attributes are complete and legal.
  std::vector<LargeProblem> large(const std::vector<Problem>& models);
  std::vector<int64_t> corner_sizes(const std::string& soc, size_t column) const;
  std::optional<PlannedProblem> corner(const Problem& model, const Symbol& symbol, int64_t size);
  // Returns the largest size of a dim that is legal, if the contract limits it; nothing where
  // large() has it.
  std::optional<PlannedProblem> upper_end(const Problem& model, const Symbol& symbol);

 private:
  std::optional<PlannedProblem> pinned(const std::vector<Domain>& domains, const Problem& model,
                                       const Symbol& symbol, int64_t size, const char* what);
  int64_t line_of(size_t column) const;

  const OpContract& contract_;
  Draws& draws_;
  // By budget of elements, the smallest first.
  std::vector<Domain> for_large_, for_corners_;
};

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROOF_PROOF_SHAPES_H_
