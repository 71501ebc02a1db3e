// The window that slides in a convolution or a pool, as the source writes it.
#ifndef OPKIT_MODEL_EXPORT_WINDOW_OF_H_
#define OPKIT_MODEL_EXPORT_WINDOW_OF_H_

#include <string>

#include "opkit/model/export/emit.h"
#include "opkit/model/export/strides.h"

namespace opkit::model_export {

struct WindowOf {
  std::string code;  // "Window{...}"
};
// Error: OPK-EXPORT-001 more than two spatial dims.
Result<WindowOf> window_of(const NodeSource& node, const Strides& kernel);

}  // namespace opkit::model_export

#endif  // OPKIT_MODEL_EXPORT_WINDOW_OF_H_
