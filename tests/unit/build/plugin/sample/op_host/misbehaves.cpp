// An op that makes every mistake a host function can make; the attribute `how` says which.
#include <stdexcept>
#include <string>

#include "log/ops_log.h"
#include "register/op_def_registry.h"

namespace {

ge::graphStatus Tiling(gert::TilingContext* context) {
  const std::string how = context->GetAttrs()->GetStr(0);
  context->SetBlockDim(1);
  context->GetRawTilingData()->Append(uint32_t{1});
  if (how == "throws") throw std::runtime_error("the table is empty");
  if (how == "throws_int") throw 3;
  if (how == "fails") {
    OPS_LOG_W(context->GetNodeName(), "tile of %d rows", 0);
    OPS_LOG_E(context->GetNodeName(), "no tile of %d rows fits", 3);
    return ge::GRAPH_PARAM_INVALID;
  }
  if (how == "no_blocks") context->SetBlockDim(0);
  if (how == "forgets_size") {
    static_cast<uint8_t*>(context->GetRawTilingData()->GetData())[99] = 1;
  }
  if (how == "too_large") {
    return context->GetRawTilingData()->Expand(4096) ? ge::GRAPH_SUCCESS : ge::GRAPH_FAILED;
  }
  if (how == "size_beyond") context->GetRawTilingData()->SetDataSize(4096);
  if (how == "unknown_key") context->SetTilingKey(77);
  if (how == "many_workspaces" && context->GetWorkspaceSizes(9) == nullptr) return ge::GRAPH_FAILED;
  if (how == "huge_workspace") context->GetWorkspaceSizes(1)[0] = ~size_t{0};
  if (how == "wrong_attr" && context->GetAttrs()->GetInt(0) == nullptr) return ge::GRAPH_FAILED;
  if (how == "waits") {
    context->SetScheduleMode(1);
    context->SetBlockDim(1000);
  }
  return ge::GRAPH_SUCCESS;
}

ge::graphStatus InferShape(gert::InferShapeContext* context) {
  const std::string how = context->GetAttrs()->GetStr(0);
  if (how == "throws") throw std::runtime_error("no shape");
  if (how == "says_nothing") return ge::GRAPH_SUCCESS;
  *context->GetOutputShape(0) = how == "negative" ? gert::Shape{-7} : gert::Shape{5};
  return ge::GRAPH_SUCCESS;
}

ge::graphStatus InferDataType(gert::InferDataTypeContext* context) {
  const std::string how = context->GetAttrs()->GetStr(0);
  if (how == "no_dtype") return ge::GRAPH_SUCCESS;
  return context->SetOutputDataType(0, ge::DT_FLOAT);
}

}  // namespace

IMPL_OP(Misbehaves).Tiling(Tiling, 2048).InferShape(InferShape).InferDataType(InferDataType);

namespace ops {
// Definitions that cannot be flattened, each for its own reason.
class ShortColumns : public OpDef {
 public:
  explicit ShortColumns(const char* name) : OpDef(name) {
    Input("x").DataType({ge::DT_FLOAT, ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
    Output("y").Follow("x");
  }
};
OP_ADD(ShortColumns);

class FollowsNobody : public OpDef {
 public:
  explicit FollowsNobody(const char* name) : OpDef(name) {
    Input("x").DataType({ge::DT_FLOAT});
    Output("y").Follow("z");
  }
};
OP_ADD(FollowsNobody);

class NoDefault : public OpDef {
 public:
  explicit NoDefault(const char* name) : OpDef(name) { Attr("a").AttrType(OPTIONAL).Int(); }
};
OP_ADD(NoDefault);

class StartsUntyped : public OpDef {
 public:
  explicit StartsUntyped(const char* name) : OpDef(name) {
    Output("y").DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND}).InitValue(7);
  }
};
OP_ADD(StartsUntyped);

class StartsTooOften : public OpDef {
 public:
  explicit StartsTooOften(const char* name) : OpDef(name) {
    Output("y")
        .DataType({ge::DT_FLOAT, ge::DT_INT32, ge::DT_INT8})
        .FormatList({ge::FORMAT_ND})
        .InitValue({{ScalarType::FLOAT32, 1}, {ScalarType::INT32, 1}});
  }
};
OP_ADD(StartsTooOften);

class StartsUnevenly : public OpDef {
 public:
  explicit StartsUnevenly(const char* name) : OpDef(name) {
    Output("y")
        .DataType({ge::DT_FLOAT, ge::DT_FLOAT})
        .Format({ge::FORMAT_ND, ge::FORMAT_NCHW})
        .InitValue({{ScalarType::FLOAT32, 1}, {ScalarType::FLOAT32, 2}});
  }
};
OP_ADD(StartsUnevenly);

class Throws : public OpDef {
 public:
  explicit Throws(const char* name) : OpDef(name) { throw std::runtime_error("not today"); }
};
OP_ADD(Throws);
}  // namespace ops
