#include "opkit/rewrite/match/guard.h"

#include <array>

namespace opkit::match {

std::string_view name_of(Guard guard) {
  static constexpr std::array<std::string_view, 13> kNames = {
      "operator", "operands", "constant", "attribute", "same value", "single use", "between",
      "dtype",    "shape",    "where",    "meaning",   "plan",       "switch"};
  return kNames[static_cast<size_t>(guard)];
}

}  // namespace opkit::match
