// What a contract leaves open with `numeric: {nan: unspecified}` or `ignore`.
#ifndef OPKIT_ORACLE_UNSPECIFIED_NAN_H_
#define OPKIT_ORACLE_UNSPECIFIED_NAN_H_

#include <vector>

#include "opkit/base/tensor.h"
#include "opkit/oracle/bounded.h"

namespace opkit::oracle {

using BoundedPorts = std::vector<std::vector<Bounded>>;

// Tells whether some input holds a NaN.
bool holds_nan(const std::vector<std::vector<Tensor>>& inputs);
// Returns the inputs with `value` in place of every NaN.
std::vector<std::vector<Tensor>> without_nan(std::vector<std::vector<Tensor>> inputs, double value);

// Elements that differ between evaluations depend on a NaN: nothing is promised of them, whatever
// their type. REQUIRES: both have the shapes of `outputs`; others leave all elements open.
void open_where_different(const BoundedPorts& other, BoundedPorts& outputs);

}  // namespace opkit::oracle

#endif  // OPKIT_ORACLE_UNSPECIFIED_NAN_H_
