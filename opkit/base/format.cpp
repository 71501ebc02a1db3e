#include "opkit/base/format.h"

#include <array>
#include <utility>

namespace opkit {
namespace {

constexpr std::array<std::pair<Format, std::string_view>, 6> kNames = {{
    {Format::kND, "ND"},
    {Format::kNCHW, "NCHW"},
    {Format::kNHWC, "NHWC"},
    {Format::kNC1HWC0, "NC1HWC0"},
    {Format::kFractalZ, "FRACTAL_Z"},
    {Format::kFractalNZ, "FRACTAL_NZ"},
}};

}  // namespace

std::string_view name_of(Format format) {
  for (const auto& [value, name] : kNames) {
    if (value == format) return name;
  }
  return "UNKNOWN";
}

std::optional<Format> format_from_name(std::string_view name) {
  for (const auto& [value, known] : kNames) {
    if (known == name) return value;
  }
  return std::nullopt;
}

const std::vector<Format>& all_formats() {
  static const std::vector<Format> all = [] {
    std::vector<Format> list;
    for (const auto& entry : kNames) list.push_back(entry.first);
    return list;
  }();
  return all;
}

}  // namespace opkit
