// How the elements of a list attribute, or of an input along its last axis, depend on each other.
#ifndef OPKIT_CONTRACT_ELEMENTS_H_
#define OPKIT_CONTRACT_ELEMENTS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opkit {

enum class Elements {
  kAny,
  kDistinct,     // no two are equal
  kSorted,       // none is less than the one before
  kPermutation,  // 0 to n - 1, each once
};

// "any", "distinct", "sorted", "permutation".
std::string_view name_of(Elements elements);
std::optional<Elements> elements_from_name(std::string_view name);
const std::vector<std::string>& elements_names();

// Tells whether the values stand to each other as stated.
bool satisfies(Elements elements, const std::vector<double>& values);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_ELEMENTS_H_
