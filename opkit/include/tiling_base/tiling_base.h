// TilingBaseClass: one tiling strategy of an op, as a class. (Class and macro names as the public
// operator repositories use them.)
#ifndef OPKIT_INCLUDE_TILING_BASE_TILING_BASE_H_
#define OPKIT_INCLUDE_TILING_BASE_TILING_BASE_H_

#include <cstdint>

#include "exe_graph/runtime/tiling_context.h"
#include "opkit_host/log.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

// Figures of the chip that strategies keep. Sizes in bytes.
struct AiCoreParams {
  uint64_t ubSize = 0;
  uint64_t blockDim = 0;
  uint64_t aicNum = 0;
  uint64_t l1Size = 0;
  uint64_t l0aSize = 0;
  uint64_t l0bSize = 0;
  uint64_t l0cSize = 0;
};

class TilingBaseClass {
 public:
  explicit TilingBaseClass(gert::TilingContext* context) : context_(context) {}
  virtual ~TilingBaseClass() = default;

  // GRAPH_PARAM_INVALID: not capable, the next strategy may try.
  ge::graphStatus DoTiling() {
    using Step = ge::graphStatus (TilingBaseClass::*)();
    for (const Step step :
         {&TilingBaseClass::GetShapeAttrsInfo, &TilingBaseClass::GetPlatformInfo}) {
      const ge::graphStatus status = (this->*step)();
      if (status != ge::GRAPH_SUCCESS) return status;
    }
    if (!IsCapable()) return ge::GRAPH_PARAM_INVALID;
    for (const Step step : {&TilingBaseClass::DoOpTiling, &TilingBaseClass::DoLibApiTiling,
                            &TilingBaseClass::GetWorkspaceSize, &TilingBaseClass::PostTiling}) {
      const ge::graphStatus status = (this->*step)();
      if (status != ge::GRAPH_SUCCESS) return status;
    }
    context_->SetTilingKey(GetTilingKey());
    DumpTilingInfo();
    return ge::GRAPH_SUCCESS;
  }

  virtual void Reset(gert::TilingContext* context) { context_ = context; }

 protected:
  virtual bool IsCapable() = 0;
  virtual ge::graphStatus GetPlatformInfo() = 0;
  virtual ge::graphStatus GetShapeAttrsInfo() = 0;
  virtual ge::graphStatus DoOpTiling() = 0;
  virtual ge::graphStatus DoLibApiTiling() = 0;
  virtual uint64_t GetTilingKey() const = 0;
  virtual ge::graphStatus GetWorkspaceSize() = 0;
  virtual ge::graphStatus PostTiling() = 0;
  virtual void DumpTilingInfo() {}

  gert::TilingContext* context_ = nullptr;
  uint64_t blockDim_ = 0;
  uint64_t workspaceSize_ = 0;
  uint64_t tilingKey_ = 0;
  AiCoreParams aicoreParams_;
};

}  // namespace optiling

// The names of the repository of transformer ops.
namespace Ops {
namespace Transformer {
namespace OpTiling {
using optiling::AiCoreParams;
using optiling::TilingBaseClass;
}  // namespace OpTiling
}  // namespace Transformer
}  // namespace Ops

#endif  // OPKIT_INCLUDE_TILING_BASE_TILING_BASE_H_
