#include "opkit/model/export/window_of.h"

#include <fmt/format.h>

#include <algorithm>

namespace opkit::model_export {

Result<WindowOf> window_of(const NodeSource& node, const Strides& kernel) {
  const size_t spatial = kernel.size();
  if (spatial == 0 || spatial > 2)
    return node.refused(fmt::format("it has {} spatial dims, and the source one or two", spatial));
  const Strides steps = node.integers("strides", Strides(spatial, 1)),
                dilations = node.integers("dilations", Strides(spatial, 1)),
                pads = node.integers("pads", Strides(2 * spatial, 0));
  const std::string way = node.text("auto_pad", "NOTSET");
  std::string code = "Window{";
  // One dim is the second of two.
  if (spatial == 1) code += "{1, 1, 1, 1, 1, 0, 0}, ";
  for (size_t d = 0; d < spatial; ++d) {
    const int64_t in = node.in().shape[d + 2], out = node.out().shape[d + 2];
    int64_t before = way == "VALID" ? 0 : pads[d], after = way == "VALID" ? 0 : pads[d + spatial];
    if (way.starts_with("SAME")) {
      const int64_t reach = (out - 1) * steps[d] + (kernel[d] - 1) * dilations[d] + 1;
      const int64_t both = std::max<int64_t>(0, reach - in);
      before = way == "SAME_LOWER" ? both - both / 2 : both / 2;
      after = both - before;
    }
    code += fmt::format("{}{{{}, {}, {}, {}, {}, {}, {}}}", d > 0 ? ", " : "", in, out, kernel[d],
                        steps[d], dilations[d], before, after);
  }
  return WindowOf{code + "}"};
}

}  // namespace opkit::model_export
