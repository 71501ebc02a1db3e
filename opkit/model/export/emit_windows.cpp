// Pools.
#include <fmt/format.h>

#include "opkit/model/export/emit.h"
#include "opkit/model/export/window_of.h"

namespace opkit::model_export {
namespace {

// The largest of whole numbers is one of them; a mean is not.
Status check_elements(const NodeSource& node) {
  const bool largest = node.op() == "MaxPool" || node.op() == "GlobalMaxPool";
  const DType dtype = node.in().dtype;
  return largest && (dtype == DType::kInt8 || dtype == DType::kUInt8) ? Status()
                                                                      : node.check_floats();
}

Result<std::string> emit_pool(const NodeSource& node) {
  OPKIT_CHECK(check_elements(node));
  if (node.wants(1)) return node.refused("its second result is wanted");
  OPKIT_TRY(const WindowOf window, window_of(node, node.integers("kernel_shape", {})));
  const int64_t planes = node.in().shape[0] * node.in().shape[1];
  if (node.op() == "MaxPool")
    return fmt::format("max_pool({}, {}, {}, {});\n", window.code, planes, node.in().name,
                       node.out().name);
  return fmt::format("average_pool({}, {}, {}, {}, {});\n", window.code, planes,
                     node.integer("count_include_pad", 0) != 0, node.in().name, node.out().name);
}

Result<std::string> emit_global_pool(const NodeSource& node) {
  OPKIT_CHECK(check_elements(node));
  const int64_t planes = node.in().shape[0] * node.in().shape[1];
  return fmt::format("global_{}({}, {}, {}, {});\n",
                     node.op() == "GlobalMaxPool" ? "max" : "average", planes,
                     node.in().shape.elements() / planes, node.in().name, node.out().name);
}

}  // namespace

const std::vector<OperatorSource>& window_sources() {
  static const std::vector<OperatorSource> kSources = {{"MaxPool", emit_pool},
                                                       {"AveragePool", emit_pool},
                                                       {"GlobalAveragePool", emit_global_pool},
                                                       {"GlobalMaxPool", emit_global_pool}};
  return kSources;
}

}  // namespace opkit::model_export
