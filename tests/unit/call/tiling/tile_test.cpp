#include "opkit/call/tiling/tile.h"

#include <gmock/gmock.h>

#include <cstring>

#include "tests/unit/build/plugin/sample/op_kernel/scale_relu_tiling.h"
#include "tests/unit/build/plugin/sample_plugin.h"

namespace opkit {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const SocSpec& soc(const char* name = "Ascend910B1") { return *find_soc(name).value().spec; }

OpCall add_call(DType dtype) {
  OpCall call;
  call.op_type = "AddCustom";
  call.node_name = "add_1";
  call.inputs = ports_of({{"x", dtype, Shape{4, 250}}, {"y", dtype, Shape{4, 250}}});
  call.inputs.push_back({"index", {}});
  call.outputs = ports_of({{"z", dtype, Shape{4, 250}}});
  return call;
}

template <typename T>
T read(const std::vector<std::byte>& data, size_t at) {
  T value;
  std::memcpy(&value, data.data() + at, sizeof value);
  return value;
}

TEST(Tile, AsksAnOpDefOp) {
  const auto plan = tile(sample_op("AddCustom"), add_call(DType::kFloat32), soc());
  ASSERT_TRUE(plan.ok()) << plan.error().to_string();
  EXPECT_EQ(plan->block_dim, 48u);
  EXPECT_EQ(plan->key, 2u);
  ASSERT_EQ(plan->data.size(), 40u);
  EXPECT_EQ(read<uint32_t>(plan->data, 0), 1000u);
  EXPECT_EQ(read<float>(plan->data, 12), 0.5f);
  EXPECT_EQ(read<uint64_t>(plan->data, 32), 196352u);
  EXPECT_THAT(plan->workspaces, ElementsAre((16u << 20) + 1024));
  EXPECT_EQ(plan->workspace_bytes(), (16u << 20) + 1024);
  ASSERT_NE(plan->kernel, nullptr);
  EXPECT_EQ(plan->kernel->tiling_key, 2u);
}

// Page "SetTiling" (OpAICoreDef) names no limit.
TEST(Tile, TakesLongTilingDataOfAnOpDefOp) {
  OpCall call = add_call(DType::kFloat32);
  const Shape shape{400, 500};
  call.inputs = ports_of({{"x", DType::kFloat32, shape}, {"y", DType::kFloat32, shape}});
  call.inputs.push_back({"index", {}});
  call.outputs = ports_of({{"z", DType::kFloat32, shape}});
  const auto plan = tile(sample_op("AddCustom"), call, soc());
  ASSERT_TRUE(plan.ok()) << plan.error().to_string();
  EXPECT_EQ(plan->data.size(), 40u + 4096u);
}

// The pages of TilingContext, TilingData, Tensor and StorageShape: what is seldom asked.
TEST(Tile, AnswersTheRarerQuestions) {
  OpCall call;
  call.op_type = "FollowsInput";
  call.node_name = "f";
  call.inputs = ports_of({{"x1", DType::kFloat32, Shape{4, 3}}});
  call.inputs.push_back({"x2", {}});
  call.outputs =
      ports_of({{"y1", DType::kFloat32, Shape{4, 3}}, {"y2", DType::kInt32, Shape{4, 3}}});
  call.attrs = {{"axis", int64_t{0}}};
  const auto plan = tile(sample_op("FollowsInput"), call, soc());
  ASSERT_TRUE(plan.ok()) << plan.error().to_string();
  EXPECT_EQ(plan->block_dim, 1u);
  ASSERT_EQ(plan->data.size(), 20u);
  const int32_t expected[] = {10, 100, 10, 4, 24};
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(read<int32_t>(plan->data, 4 * i), expected[i]) << i;
}

TEST(Tile, PicksTheKernelOfTheColumn) {
  const opk_op_v1& op = sample_op("AddCustom");
  EXPECT_TRUE(tile(op, add_call(DType::kFloat32), soc(), 1).ok());
  const auto wrong = tile(op, add_call(DType::kFloat32), soc(), 0);  // key 2 is column 1's
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().code, "OPK-TILE-009");
  EXPECT_THAT(wrong.error().message, HasSubstr("key 2"));
  EXPECT_THAT(wrong.error().message, HasSubstr("keys built: 1, 2"));
}

TEST(Tile, NamesTheColumnsThatWereBuilt) {
  const auto none = tile(sample_op("AddCustom"), add_call(DType::kFloat32), soc(), 7);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, "OPK-TILE-009");
  EXPECT_THAT(none.error().message,
              HasSubstr("no kernel of column 7 was built; columns built: 0, 1"));
  EXPECT_THAT(none.error().action, HasSubstr("opkit build --column 7"));
}

OpCall scale_call(int64_t elements) {
  OpCall call;
  call.op_type = "ScaleRelu";
  call.node_name = "scale_7";
  call.inputs = ports_of({{"x", DType::kFloat16, Shape{elements}}});
  call.inputs.push_back({"bias", {}});
  call.outputs = ports_of({{"y", DType::kFloat16, Shape{elements}}});
  call.attrs = {{"scale", 2.5}, {"axes", std::vector<int64_t>{3, -1}}, {"relu", false}};
  return call;
}

TEST(Tile, AsksARegistrarOpWithCompileInfo) {
  const auto plan = tile(sample_op("ScaleRelu"), scale_call(100), soc("Ascend310B1"));
  ASSERT_TRUE(plan.ok()) << plan.error().to_string();
  EXPECT_EQ(plan->block_dim, 1u);
  EXPECT_EQ(plan->key, 10u);
  const auto data = read<ScaleReluTilingData>(plan->data, 0);
  EXPECT_EQ(data.total, 100);
  EXPECT_EQ(data.blockLength, 100);
  EXPECT_EQ(data.scale, 2.5f);
  EXPECT_EQ(data.axes[1], -1);
  std::vector<std::string> words;
  for (const AuthorLog::Line& line : plan->log) words.push_back(line.text);
  EXPECT_THAT(words, ElementsAre("scale_7: tiling of scale_7 starts", "scale_7: ub 253952"));
}

TEST(Tile, SeesAnOptionalInput) {
  OpCall call = scale_call(100);
  call.inputs[1].tensors.push_back(TensorDesc{"bias", DType::kFloat16, Shape{1}});
  EXPECT_EQ(tile(sample_op("ScaleRelu"), call, soc())->key, 11u);
}

TEST(Tile, CarriesTheAuthorsWords) {
  const auto plan = tile(sample_op("ScaleRelu"), scale_call(0), soc());
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().code, "OPK-TILE-003");
  EXPECT_EQ(plan.error().op, "ScaleRelu");
  EXPECT_THAT(plan.error().message, HasSubstr("the tiling function returned GRAPH_FAILED"));
  EXPECT_THAT(plan.error().trail, Contains(HasSubstr("scale_7: x has 0 elements")));
}

TEST(Tile, LimitsBlocksThatWaitForEachOther) {
  OpCall call = scale_call(100);
  call.attrs[2].value = true;  // schedule mode 1, 48 blocks of a mixed kernel
  const auto plan = tile(sample_op("ScaleRelu"), call, soc());
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().code, "OPK-TILE-010");
  EXPECT_THAT(plan.error().message, HasSubstr("all 48 blocks at once, Ascend910B1 runs 24"));
  EXPECT_TRUE(tile(sample_op("ScaleRelu"), call, soc("Ascend910A")).ok());
}

TEST(Tile, RefusesACallThatCannotBeTiled) {
  struct Case {
    Shape shape;
    const char* words;
  };
  const Case kCases[] = {{Shape{-1}, "a dim is unknown"},
                         {Shape::unknown_rank(), "its rank is unknown"},
                         {Shape{3, -5}, "a dim is negative"},
                         {Shape(std::vector<int64_t>(26, 1)), "at most 25 dims"},
                         {Shape{int64_t{1} << 40, int64_t{1} << 40}, "too large"}};
  for (const Case& c : kCases) {
    OpCall call = scale_call(1);
    call.inputs[0].tensors[0].desc.shape = c.shape;
    const auto plan = tile(sample_op("ScaleRelu"), call, soc());
    ASSERT_FALSE(plan.ok());
    EXPECT_EQ(plan.error().code, "OPK-TILE-001");
    EXPECT_THAT(plan.error().message, HasSubstr(c.words));
  }
}

TEST(Tile, NeedsATilingFunction) {
  OpCall call;
  const auto plan = tile(sample_op("NothingRegistered"), call, soc());
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().code, "OPK-TILE-002");
}

// The waist's own rule; tile() always passes a chip.
TEST(Tile, APluginRefusesToTileWithoutAChip) {
  std::string said;
  opk_report_v1 report{};
  report.struct_size = sizeof report;
  report.host = &said;
  report.report = [](void* host, int32_t, const char* code, const char* text) {
    *static_cast<std::string*>(host) += std::string(code ? code : "") + ": " + text;
  };
  opk_call_v1 call{};
  call.struct_size = sizeof call;
  call.op_type = "ScaleRelu";
  call.node_name = "node";
  call.report = &report;
  opk_tiling_v1 answer{};
  answer.struct_size = sizeof answer;
  EXPECT_NE(sample_op("ScaleRelu").tile(&call, &answer), OPK_OK);
  EXPECT_EQ(said, "OPK-HOST-007: tiling was asked for without a chip");
}

struct Mistake {
  const char *how, *code, *words;
};

class TileMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(TileMistake, IsReported) {
  OpCall call;
  call.op_type = "Misbehaves";
  call.node_name = "node";
  call.inputs = ports_of({{"x", DType::kFloat32, Shape{1}}});
  call.outputs = ports_of({{"y", DType::kFloat32, Shape{1}}});
  call.attrs = {{"how", std::string(GetParam().how)}};
  const auto plan = tile(sample_op("Misbehaves"), call, soc());
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().code, GetParam().code);
  EXPECT_THAT(plan.error().to_string(), HasSubstr(GetParam().words));
  EXPECT_FALSE(plan.error().action.empty());
}

INSTANTIATE_TEST_SUITE_P(
    All, TileMistake,
    ::testing::Values(Mistake{"throws", "OPK-TILE-004", "the table is empty (OPK-HOST-005)"},
                      Mistake{"throws_int", "OPK-TILE-004",
                              "exception of unknown type left the function (OPK-HOST-005)"},
                      Mistake{"fails", "OPK-TILE-003", "node: no tile of 3 rows fits"},
                      Mistake{"fails", "OPK-TILE-003", "(OPK-HOST-006)"},
                      Mistake{"fails", "OPK-TILE-003", "warning: node: tile of 0 rows"},
                      Mistake{"no_blocks", "OPK-TILE-008", "block dim at 0"},
                      Mistake{"forgets_size", "OPK-TILE-006",
                              "wrote 100 bytes of tiling data but set the data size to 4"},
                      Mistake{"too_large", "OPK-TILE-003", "4100 bytes does not fit the 2048"},
                      Mistake{"size_beyond", "OPK-TILE-005", "data size of 4096 bytes, 2048"},
                      Mistake{"unknown_key", "OPK-TILE-009", "key 77"},
                      Mistake{"many_workspaces", "OPK-TILE-003",
                              "9 workspaces were asked for, at most 8 exist (OPK-HOST-003)"},
                      Mistake{"huge_workspace", "OPK-TILE-007",
                              "workspace 0 of 18446744073709551615"},
                      Mistake{"wrong_attr", "OPK-TILE-003", "attribute 0 ('how') is a string"},
                      Mistake{"wrong_attr", "OPK-TILE-003", "(OPK-HOST-001)"},
                      Mistake{"waits", "OPK-TILE-010", "all 1000 blocks at once"}),
    [](const auto& info) { return std::string(info.param.how) + std::to_string(info.index); });

OpCall matmul_call(int64_t m, int64_t k) {
  OpCall call;
  call.op_type = "MatmulAct";
  call.node_name = "mm";
  call.inputs =
      ports_of({{"x", DType::kFloat16, Shape{m, k}}, {"w", DType::kFloat16, Shape{k, 64}}});
  call.outputs = ports_of({{"y", DType::kFloat16, Shape{m, 64}}});
  return call;
}

TEST(Tile, TriesStrategiesByPriority) {
  const opk_op_v1& op = sample_op("MatmulAct");
  const auto small = tile(op, matmul_call(16, 32), soc());
  ASSERT_TRUE(small.ok()) << small.error().to_string();
  EXPECT_EQ(small->key, 1u | 2u << 8 | 2u << 16 | 1u << 18 | 1u << 26);
  EXPECT_EQ(small->data.size(), 4u + 50 * 4 + 16 * 4);
  EXPECT_EQ(read<int32_t>(small->data, 4), static_cast<int32_t>(small->block_dim));  // usedCoreNum
  EXPECT_EQ(read<int32_t>(small->data, 4 + 4), 16);                                  // M
  EXPECT_EQ(read<uint32_t>(small->data, 4 + 200), 16u);                              // softmax srcM
  EXPECT_EQ(tile(op, matmul_call(17, 32), soc())->key, uint64_t{2} << 8 | uint64_t{5 + 1} << 18);
  const auto none = tile(op, matmul_call(100000, 32), soc());
  ASSERT_FALSE(none.ok());
  EXPECT_THAT(none.error().to_string(), HasSubstr("no tiling strategy of 'MatmulAct' is capable"));
}

TEST(Tile, RefusesATemplateKeyThatIsNotSelected) {
  const auto plan = tile(sample_op("MatmulAct"), matmul_call(17, 3), soc());
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().code, "OPK-TILE-009");
  EXPECT_THAT(plan.error().to_string(), HasSubstr("no ASCENDC_TPL_ARGS_SEL has (0, 2, 0, 200, 1)"));
}

// A table as a foreign plugin may give it.
TEST(Tile, DoesNotTrustTheAnswer) {
  opk_op_v1 op{};
  op.struct_size = sizeof op;
  op.type = "Foreign";
  op.tile = [](const opk_call_v1*, opk_tiling_v1* answer) -> int32_t {
    answer->block_dim = 1;
    answer->data_size = uint64_t{1} << 40;
    return OPK_OK;
  };
  EXPECT_EQ(tile(op, OpCall{}, soc()).error().code, "OPK-TILE-005");
  op.tile = [](const opk_call_v1*, opk_tiling_v1* answer) -> int32_t {
    answer->block_dim = 1;
    answer->workspace_count = 1000;
    return OPK_OK;
  };
  EXPECT_EQ(tile(op, OpCall{}, soc()).error().code, "OPK-TILE-007");
  op.tile = [](const opk_call_v1*, opk_tiling_v1*) -> int32_t { return 99; };
  EXPECT_THAT(tile(op, OpCall{}, soc()).error().message, HasSubstr("unknown code 99"));
}

}  // namespace
}  // namespace opkit
