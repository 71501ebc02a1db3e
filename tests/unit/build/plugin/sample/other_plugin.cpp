// A second plugin that registers an op of the same name, to see that neither disturbs the other.
#include "opkit_host/plugin_table.h"
#include "register/op_def_registry.h"

static ge::graphStatus Tiling(gert::TilingContext* context) {
  context->SetBlockDim(3);
  return ge::GRAPH_SUCCESS;
}
IMPL_OP_OPTILING(ScaleRelu).Tiling(Tiling);

static const opkit_host::OpEntry kOps[] = {{"ScaleRelu", "", 0, nullptr, 0}};
OPKIT_PLUGIN("host_other", "0.1.0", kOps)
