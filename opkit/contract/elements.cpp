#include "opkit/contract/elements.h"

#include <algorithm>

namespace opkit {

const std::vector<std::string>& elements_names() {
  static const std::vector<std::string> kNames = {"any", "distinct", "sorted", "permutation"};
  return kNames;
}

std::string_view name_of(Elements elements) {
  return elements_names()[static_cast<size_t>(elements)];
}

std::optional<Elements> elements_from_name(std::string_view name) {
  const auto& names = elements_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Elements>(found - names.begin());
}

bool satisfies(Elements elements, const std::vector<double>& values) {
  if (elements == Elements::kAny) return true;
  if (elements == Elements::kSorted) return std::is_sorted(values.begin(), values.end());
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  if (elements == Elements::kDistinct)
    return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != static_cast<double>(i)) return false;
  }
  return true;
}

}  // namespace opkit
