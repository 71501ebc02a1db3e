#include "register/op_def_registry.h"

namespace ops {
class ColumnTotal : public OpDef {
 public:
  explicit ColumnTotal(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT})
        .Format({ge::FORMAT_ND})
        .InitValue({ScalarType::FLOAT32, 7});
    this->Attr("key").AttrType(OPTIONAL).Int(10);
    OpAICoreConfig config;
    config.DynamicCompileStaticFlag(true).DynamicRankSupportFlag(true).DynamicShapeSupportFlag(
        true);
    this->AICore().AddConfig("ascend910b", config);
    this->AICore().AddConfig("ascend950", config);
  }
};
OP_ADD(ColumnTotal);
}  // namespace ops
