#include "opkit/model/file/offline_model.h"

#include <array>

namespace opkit::model {

std::string_view name_of(StepKind kind) {
  static constexpr std::array<std::string_view, 7> kNames = {
      "kernel", "host", "to format", "to dense", "copy", "aicpu", "control"};
  return kNames[static_cast<size_t>(kind)];
}

std::string_view name_of(GearKind kind) {
  static constexpr std::array<std::string_view, 5> kNames = {"", "batch", "image", "dims",
                                                             "shapes"};
  return kNames[static_cast<size_t>(kind)];
}

}  // namespace opkit::model
