// Sizes of one symbol, the others as a model problem has them: a line through a contract's domain
// along which the tiling function is asked.
#ifndef OPKIT_VERIFY_PROOF_SIZES_H_
#define OPKIT_VERIFY_PROOF_SIZES_H_

#include <optional>
#include <vector>

#include "opkit/verify/problem/domain.h"
#include "opkit/verify/problem/problem.h"

namespace opkit::verify {

class Sizes {
 public:
  // Borrows all. `symbol`: its place in the contract.
  Sizes(const Domain& domain, const Problem& model, size_t symbol, Draws& draws);

  // Legal sizes are about those numbered 0 to last(), in ascending order.
  int64_t last() const { return last_; }
  int64_t size(int64_t number) const { return first_ + number * step_; }
  // Powers of two and one and a half times these, as numbers: each is met within a factor of 1.5.
  std::vector<int64_t> spread() const;
  // Returns the call with the size of that number; others than the symbol change where the
  // constraints leave no choice. Nothing when there is no such call.
  std::optional<Problem> at(int64_t number) const;

 private:
  const Domain& domain_;
  const Problem& model_;
  const Symbol& symbol_;
  Draws& draws_;
  int64_t first_ = 1, step_ = 1, last_ = -1;
};

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROOF_SIZES_H_
