#include "opkit/verify/data/data_class.h"

#include <array>

namespace opkit::verify {
namespace {

struct Description {
  std::string_view name, purpose;
  bool telling;
};

constexpr std::array<Description, 12> kDescriptions{{
    {"exact_integer",
     "small integers, whose sums and products need no rounding: any deviation counts", true},
    {"uniform", "ordinary values of both signs", true},
    {"normal", "bell-shaped values as networks carry them", true},
    {"log_uniform", "magnitudes over the whole range of the type", true},
    {"cancellation", "large parts that nearly cancel show intermediates that are too narrow", true},
    {"near_overflow", "the upper end of the range shows wrong overflow and saturation", true},
    {"subnormal", "values below the normal range show flushing", false},
    {"special", "NaN, infinities, -0 and extremes must come out where they belong", true},
    {"constant", "one value everywhere lets errors of sums grow in one direction", false},
    {"one_hot", "a single 1 shows wrong indices and wrong broadcasting", false},
    {"sorted", "ascending values show lost, doubled and moved elements", true},
    {"saturating", "values around the ends of int8 show wrong conversions", true},
}};

const Description& describe(DataClass data) { return kDescriptions[static_cast<size_t>(data)]; }

}  // namespace

const std::vector<DataClass>& all_data_classes() {
  static const std::vector<DataClass> kAll = [] {
    std::vector<DataClass> all;
    for (size_t i = 0; i < kDescriptions.size(); ++i) all.push_back(static_cast<DataClass>(i));
    return all;
  }();
  return kAll;
}

std::string_view name_of(DataClass data) { return describe(data).name; }

std::optional<DataClass> data_class_from_name(std::string_view name) {
  if (name == "exact") return DataClass::kExactInteger;
  for (const DataClass data : all_data_classes()) {
    if (name_of(data) == name) return data;
  }
  return std::nullopt;
}

std::string_view purpose_of(DataClass data) { return describe(data).purpose; }
bool is_telling(DataClass data) { return describe(data).telling; }

}  // namespace opkit::verify
