// What a stored element may be, and how far off one is.
#ifndef OPKIT_VERIFY_TOLERANCE_ACCEPT_H_
#define OPKIT_VERIFY_TOLERANCE_ACCEPT_H_

#include <optional>

#include "opkit/contract/op_contract.h"
#include "opkit/verify/tolerance/bounded.h"

namespace opkit::verify {

// Turns intervals of unrounded results into intervals of stored values.
class Acceptance {
 public:
  Acceptance(const OpContract& contract, DType stored)
      : numeric_(contract.numeric), manual_(contract.tolerance), stored_(stored) {}

  // c: what may be computed; value: the oracle's.
  Interval of(const Interval& c, double value) const;
  // The value that an ideal kernel stores.
  double ideal(double value) const;
  bool is_manual() const { return manual_.has_value(); }
  DType stored() const { return stored_; }

 private:
  bool saturates() const { return numeric_.overflow == NumericPolicy::Overflow::kSaturate; }
  Interval store(const Interval& c) const;

  const NumericPolicy& numeric_;
  const std::optional<Tolerance>& manual_;
  DType stored_;
};

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_TOLERANCE_ACCEPT_H_
