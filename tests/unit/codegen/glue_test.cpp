#include "opkit/codegen/glue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opkit::codegen {
namespace {

using ::testing::HasSubstr;

OpContract add_relu() {
  auto contract = OpContract::load(OPKIT_SOURCE_DIR "/ops/fused/add_relu/op_contract.yaml");
  EXPECT_TRUE(contract.ok());
  return *contract;
}

TEST(TaskType, IsReadFromTheSourceWhenTheContractIsSilent) {
  OpContract contract = add_relu();
  contract.kernel.reset();
  EXPECT_EQ(*task_type_of(contract, "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);"),
            OPK_TASK_MIX_1_1);
  EXPECT_EQ(*task_type_of(contract, "Add(z, x, y, n);"), OPK_TASK_AIV_ONLY);
  EXPECT_EQ(*task_type_of(contract, "Mmad(c, a, b, p);"), OPK_TASK_MIX_1_2);
}

TEST(TaskType, SuggestsTheNearestKernelType) {
  OpContract contract = add_relu();
  contract.kernel.reset();
  const auto type = task_type_of(contract, "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLI)");
  ASSERT_FALSE(type.ok());
  EXPECT_EQ(type.error().code, "OPK-GEN-001");
  EXPECT_THAT(type.error().message, HasSubstr("KERNEL_TYPE_AIV_ONLI"));
  EXPECT_THAT(type.error().action, HasSubstr("did you mean 'KERNEL_TYPE_AIV_ONLY'?"));
}

TEST(TilingStructs, KeepOrderArraysAndTheDefault) {
  const auto text = tiling_structs("Op", {"BEGIN_TILING_DATA_DEF(Data)\n"
                                          "TILING_DATA_FIELD_DEF(uint32_t, total);\n"
                                          "TILING_DATA_FIELD_DEF_ARR(int64_t, 4, dims);\n"
                                          "END_TILING_DATA_DEF;\n"
                                          "REGISTER_TILING_DATA_CLASS(Op, Data)"});
  ASSERT_TRUE(text.ok());
  EXPECT_THAT(*text, HasSubstr("struct Data {\n  uint32_t total;\n  int64_t dims[4];\n};\n"
                               "using OpkitDefaultTiling = Data;"));
  EXPECT_EQ(*tiling_structs("Op", {"int x;"}), "");
}

TEST(TilingStructs, RefuseFieldsThatCannotBeRead) {
  const auto text =
      tiling_structs("Op", {"BEGIN_TILING_DATA_DEF(Data)\n"
                            "TILING_DATA_FIELD_DEF(uint32_t);\nEND_TILING_DATA_DEF;"});
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().code, "OPK-GEN-002");
  EXPECT_THAT(text.error().message,
              HasSubstr("TILING_DATA_FIELD_DEF(uint32_t)' of tiling data Data"));
}

TEST(Glue, HasOneUnitPerColumnAndPass) {
  OpContract contract = add_relu();
  GlueRequest request;
  request.contract = &contract;
  request.kernel = OPKIT_SOURCE_DIR "/ops/fused/add_relu/op_kernel/add_relu.cpp";
  const auto files = make_glue(request);
  ASSERT_TRUE(files.ok());
  ASSERT_EQ(files->size(), contract.column_count() + 1);
  EXPECT_EQ((*files)[1].name, "kernel_c1_aiv.cpp");
  EXPECT_THAT((*files)[1].text, HasSubstr("#define DTYPE_X float\n"));
  EXPECT_EQ(files->back().name, "plugin.cpp");
}

}  // namespace
}  // namespace opkit::codegen
