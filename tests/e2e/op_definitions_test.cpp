// Ops whose OpDefs say something that is wrong, or leave open what a call says.
#include "npy.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// An op of lists: a copy of each tensor, whose lengths are in the tiling data.
constexpr const char* kListKernel = R"source(#include "kernel_operator.h"
#include "kernel_operator_list_tensor_intf.h"
extern "C" __global__ __aicore__ void copy_list(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                                GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  AscendC::ListTensorDesc in((__gm__ void*)x), out((__gm__ void*)y);
  AscendC::TPipe pipe;
  AscendC::TQueBind<AscendC::QuePosition::VECIN, AscendC::QuePosition::VECOUT, 1> queue;
  pipe.InitBuffer(queue, 1, 1024);
  for (int64_t i = 0; i < data.tensors; ++i) {
    AscendC::GlobalTensor<float> from, to;
    from.SetGlobalBuffer(in.GetDataPtr<float>(i));
    to.SetGlobalBuffer(out.GetDataPtr<float>(i));
    auto local = queue.AllocTensor<float>();
    AscendC::DataCopy(local, from, data.lengths[i]);
    queue.EnQue(local);
    local = queue.DeQue<float>();
    AscendC::DataCopy(to, local, data.lengths[i]);
    queue.FreeTensor(local);
  }
}
)source";
constexpr const char* kListHost = R"source(#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(CopyListTilingData)
TILING_DATA_FIELD_DEF_ARR(int64_t, 300, lengths);
TILING_DATA_FIELD_DEF(int64_t, tensors);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(CopyList, CopyListTilingData)
static ge::graphStatus Tile(gert::TilingContext* context) {
  CopyListTilingData data;
  int64_t lengths[300] = {};
  const int64_t tensors = context->GetComputeNodeInputNum();
  for (int64_t i = 0; i < tensors; ++i)
    lengths[i] = context->GetDynamicInputShape(0, i)->GetStorageShape().GetShapeSize();
  data.set_lengths(lengths);
  data.set_tensors(tensors);
  context->SetBlockDim(1);
  gert::TilingData* raw = context->GetRawTilingData();
  data.SaveToBuffer(raw->GetData(), raw->GetCapacity());
  raw->SetDataSize(data.GetDataSize());
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling
namespace ops {
class CopyList : public OpDef {
 public:
  explicit CopyList(const char* name) : OpDef(name) {
    this->Input("x").ParamType(DYNAMIC).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Output("y").ParamType(DYNAMIC).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->AICore().SetTiling(optiling::Tile);
    this->AICore().AddConfig("ascend910b");
  }
};
OP_ADD(CopyList);
}  // namespace ops
)source";

class OpDefinitions : public OpkitTest {
 protected:
  // Returns what the build says of a class with that name and those types of its ports.
  std::string refusal(const std::string& op, const std::string& x, const std::string& y) {
    write("project/op_kernel/some_op.cpp", "\n");
    write("project/op_host/some_op.cpp",
          "#include \"register/op_def_registry.h\"\nnamespace ops {\nclass " + op +
              " : public OpDef {\n public:\n  explicit " + op +
              "(const char* name) : OpDef(name) {\n    this->Input(\"x\").DataType({" + x +
              "});\n    this->Output(\"y\").DataType({" + y +
              "});\n    this->AICore().AddConfig(\"ascend910b\");\n  }\n};\nOP_ADD(" + op +
              ");\n}\n");
    const Shown shown = opkit({"build", "project"});
    EXPECT_EQ(shown.exit_code, 1);
    EXPECT_THAT(shown.err, Not(HasSubstr("prototype.json")));
    return shown.err;
  }
};

TEST_F(OpDefinitions, ErrorsPointAtTheAuthorsLine) {
  // The class is line 3, the ports are lines 6 and 7.
  EXPECT_THAT(
      refusal("someOp", "ge::DT_FLOAT", "ge::DT_FLOAT"),
      AllOf(HasSubstr("OPK-"), HasSubstr("someOp"), HasSubstr("project/op_host/some_op.cpp:3")));
  EXPECT_THAT(refusal("SomeOp", "ge::DT_FLOAT, ge::DT_FLOAT16, ge::DT_INT32",
                      "ge::DT_FLOAT, ge::DT_FLOAT16"),
              AllOf(HasSubstr("OPK-"), testing::ContainsRegex("some_op\\.cpp:[67]")));
}

TEST_F(OpDefinitions, ADynamicOutputHasAsManyTensorsAsTheCallSays) {
  write("copy_list/op_kernel/copy_list.cpp", kListKernel);
  write("copy_list/op_host/copy_list.cpp", kListHost);
  const Shown built = opkit({"build", "copy_list"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  std::vector<float> first(64), second(32);
  for (size_t i = 0; i < first.size(); ++i) first[i] = static_cast<float>(i);
  for (size_t i = 0; i < second.size(); ++i) second[i] = -static_cast<float>(i);
  write("a.npy", float_npy(first));
  write("b.npy", float_npy(second));
  const Shown ran = opkit({"run", "copy_list", "--in", "x=a.npy", "--in", "x=b.npy", "--out-shape",
                           "y=64", "--out-shape", "y=32", "--out", "y.npz", "--mode", "checked"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto bytes = [](const std::vector<float>& values) {
    return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  };
  EXPECT_THAT(read("y.npz"), AllOf(HasSubstr(bytes(first)), HasSubstr(bytes(second)))) << ran.out;
}

}  // namespace
}  // namespace opkit::e2e
