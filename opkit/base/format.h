// Data formats by name. The numbers are opk_format's; index formulas are in opkit/call/layout.
#ifndef OPKIT_BASE_FORMAT_H_
#define OPKIT_BASE_FORMAT_H_

#include <optional>
#include <string_view>
#include <vector>

#include "opkit/abi/types.h"

namespace opkit {

enum class Format : int32_t {
  kNCHW = OPK_FORMAT_NCHW,
  kNHWC = OPK_FORMAT_NHWC,
  kND = OPK_FORMAT_ND,
  kNC1HWC0 = OPK_FORMAT_NC1HWC0,
  kFractalZ = OPK_FORMAT_FRACTAL_Z,
  kFractalNZ = OPK_FORMAT_FRACTAL_NZ,
};

std::string_view name_of(Format format);
std::optional<Format> format_from_name(std::string_view name);
const std::vector<Format>& all_formats();

}  // namespace opkit

#endif  // OPKIT_BASE_FORMAT_H_
