// Data classes: kinds of test data, each made to bring out one kind of mistake.
#ifndef OPKIT_VERIFY_DATA_DATA_CLASS_H_
#define OPKIT_VERIFY_DATA_DATA_CLASS_H_

#include <optional>
#include <string_view>
#include <vector>

namespace opkit::verify {

enum class DataClass {
  kExactInteger,  // small integers: sums and products need no rounding, so nothing is forgiven
  kUniform,       // [-2, 2): ordinary arithmetic
  kNormal,        // bell-shaped: what networks carry
  kLogUniform,    // magnitudes over the type's range: scaling and underflow
  kCancellation,  // large parts that nearly cancel: too narrow intermediates
  kNearOverflow,  // the upper end of the range: overflow and saturation
  kSubnormal,     // below the normal range: flushing
  kSpecial,       // NaN, infinities, -0 and the extremes among ordinary values
  kConstant,      // one value everywhere: sums that grow steadily
  kOneHot,        // a single 1: indexing and broadcasting
  kSorted,        // ascending: order and position
  kSaturating,    // around the ends of int8: conversion and saturation
};

const std::vector<DataClass>& all_data_classes();
// Returns the contract's name, "exact_integer".
std::string_view name_of(DataClass data);
// Reads the name of a class, or "exact" for exact_integer.
std::optional<DataClass> data_class_from_name(std::string_view name);
// Returns what the class is for, one sentence.
std::string_view purpose_of(DataClass data);
// Tells whether a result that is all one value, or zero, says little about the kernel.
bool is_telling(DataClass data);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_DATA_DATA_CLASS_H_
