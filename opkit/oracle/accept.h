// What a stored element may be, and how far off one is.
#ifndef OPKIT_ORACLE_ACCEPT_H_
#define OPKIT_ORACLE_ACCEPT_H_

#include "opkit/contract/op_contract.h"
#include "opkit/oracle/bounded.h"

namespace opkit::oracle {

// Turns intervals of unrounded results into intervals of stored values.
class Acceptance {
 public:
  Acceptance(const OpContract& contract, size_t column, DType stored)
      : numeric_(contract.numeric), manual_(contract.tolerance_of(column)), stored_(stored) {}

  // c: what may be computed; value: the oracle's.
  Interval of(const Interval& c, double value) const;
  // Returns the value that an ideal kernel stores.
  double ideal(double value) const;
  bool is_manual() const { return manual_ != nullptr; }
  DType stored() const { return stored_; }

 private:
  bool saturates() const { return numeric_.overflow == NumericPolicy::Overflow::kSaturate; }
  Interval store(const Interval& c) const;

  const NumericPolicy& numeric_;
  const Tolerance* manual_;  // null: derived
  DType stored_;
};

}  // namespace opkit::oracle

#endif  // OPKIT_ORACLE_ACCEPT_H_
