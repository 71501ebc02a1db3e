// Where the values of a program lie in one block of memory.
#ifndef OPKIT_MODEL_EXPORT_PLACES_H_
#define OPKIT_MODEL_EXPORT_PLACES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace opkit::model_export {

// Bytes that are in use from one operation to another, both included.
struct Held {
  size_t from = 0, to = 0;
  uint64_t bytes = 0;
};

struct PlacedValues {
  std::vector<uint64_t> offsets;  // multiples of 64, one for each
  uint64_t total = 0;
};
// Puts the largest first, each at the lowest place that is free while it is held.
PlacedValues place_all(const std::vector<Held>& all);

}  // namespace opkit::model_export

#endif  // OPKIT_MODEL_EXPORT_PLACES_H_
