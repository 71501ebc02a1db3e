
#include <gmock/gmock.h>

#include <cstring>

#include "double_op.h"
#include "opkit/core/modes/checked.h"

namespace opkit {
namespace {

using ::testing::HasSubstr;

// Writes behind the end of y.
void faulty_kernel(opk_core* core, void* const* args) {
  using namespace AscendC;
  detail::current = core;
  GlobalTensor<float> y;
  y.SetGlobalBuffer(static_cast<float*>(args[1]) + 1024, 64);
  LocalTensor<float> tile(TPosition::VECCALC, 0, 64);
  DataCopy(y, tile, 64);
}

TEST(OpRunner, RunsACall) {
  const Op op(double_kernel);
  OpRunner runner(soc(), 1);
  const auto result = run(runner, op.request(256));
  ASSERT_TRUE(result.ok()) << result.error().to_string();
  ASSERT_EQ(result->outputs().size(), 1u);
  EXPECT_EQ(result->plan().block_dim, 4u);
  EXPECT_EQ(result->outputs()[0][0].as<float>()[255], 510.0f);
}

TEST(OpRunner, ALaunchLeavesInputsAlone) {
  const Op op(double_kernel);
  OpRunner runner(soc(), 2);
  auto prepared = prepare(runner, op.request(128));
  ASSERT_TRUE(prepared.ok());
  prepared->poison();
  EXPECT_TRUE(prepared->launch().ok());
  EXPECT_TRUE(prepared->launch().ok());
  EXPECT_EQ(prepared->inputs()[0][0].as<float>()[127], 127.0f);
  EXPECT_EQ(prepared->outputs()[0][0].as<float>()[127], 254.0f);
}

// x += x, and nothing else.
void doubling_its_input(opk_core* core, void* const* args) {
  using namespace AscendC;
  detail::current = core;
  GlobalTensor<float> x;
  x.SetGlobalBuffer(static_cast<float*>(args[0]), 64);
  LocalTensor<float> tile(TPosition::VECCALC, 0, 64);
  DataCopy(tile, x, 64);
  PipeBarrier<PIPE_ALL>();
  Add(tile, tile, tile, 64);
  PipeBarrier<PIPE_ALL>();
  DataCopy(x, tile, 64);
}

// GM is memory: the chip writes where the address says (docs/decisions/0014).
TEST(OpRunner, AWriteIntoAnInputIsDoneAndTold) {
  const Op op(doubling_its_input);
  OpRunner runner(soc(), 1);
  auto prepared = prepare(runner, op.request(64));
  ASSERT_TRUE(prepared.ok());
  const core::LaunchReport report = prepared->launch();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(prepared->inputs()[0][0].as<float>()[63], 126.0f);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_EQ(report.warnings[0].code, "EK1006");
  EXPECT_THAT(report.warnings[0].message, HasSubstr("writes into input 'x'"));
}

TEST(OpRunner, CheckedForbidsAWriteIntoAnInput) {
  const Op op(doubling_its_input);
  OpRunner runner(soc(), 1);
  auto prepared = prepare(runner, op.request(64));
  ASSERT_TRUE(prepared.ok());
  core::Checked checked;
  const core::LaunchReport report = prepared->launch(&checked);
  const auto found = checked.take_report(report).findings;
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].code, "EK1006");
  EXPECT_FALSE(found[0].warning);
  EXPECT_EQ(prepared->inputs()[0][0].as<float>()[63], 63.0f);
}

constexpr const char* kWritten = R"(
op: Double
version: "1.0.0"
inputs:
  x: {dtype: float32, shape: [N], written: true}
outputs: {}
reference: {none: "it leaves its result in an input"}
)";

TEST(OpRunner, AnOpWithoutOutputsLeavesItsResultInAWrittenInput) {
  const Op op(doubling_its_input, kWritten);
  OpRunner runner(soc(), 1);
  auto prepared = prepare(runner, op.request(64));
  ASSERT_TRUE(prepared.ok()) << prepared.error().to_string();
  prepared->poison();
  core::Checked checked;
  const core::LaunchReport report = prepared->launch(&checked);
  EXPECT_TRUE(checked.take_report(report).findings.empty());
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_EQ(prepared->inputs()[0][0].as<float>()[63], 126.0f);
}

// y += x with atomics, 64 elements per block.
void accumulate_kernel(opk_core* core, void* const* args) {
  using namespace AscendC;
  detail::current = core;
  GlobalTensor<float> x, y;
  x.SetGlobalBuffer(static_cast<float*>(args[0]), 64);
  y.SetGlobalBuffer(static_cast<float*>(args[1]), 64);
  LocalTensor<float> tile(TPosition::VECCALC, 0, 64);
  DataCopy(tile, x, 64);
  PipeBarrier<PIPE_ALL>();
  SetAtomicAdd<float>();
  DataCopy(y, tile, 64);
  SetAtomicNone();
}

// An OpDef whose output y starts with a value.
struct Declared {
  Declared(double value, const char* of_soc = nullptr) : values{value} {
    for (opk_declared_port_v1& row : rows) {
      row.struct_size = sizeof row;
      row.column_count = 1;
      row.dtypes = &dtype;
      row.formats = &format;
    }
    rows[0].name = "x";
    rows[1].name = rows[2].name = "y";
    rows[1].is_output = rows[2].is_output = 1;
    rows[1].has_init_value = 1;
    rows[1].init_values = values;
    rows[2].soc = of_soc;
    table.struct_size = sizeof table;
    table.port_count = of_soc ? 3 : 2;
    table.soc_count = 1;
    table.ports = pointers;
    table.socs = &soc;
  }

  const double values[1];
  int32_t dtype = OPK_FLOAT32, format = OPK_FORMAT_ND;
  opk_declared_port_v1 rows[3] = {};
  const opk_declared_port_v1* pointers[3] = {&rows[0], &rows[1], &rows[2]};
  const char* soc = "ascend910b";
  opk_declared_v1 table{};
};

int32_t tile_with_initial_values(const opk_call_v1* call, opk_tiling_v1* tiling) {
  tiling->need_atomic = 1;
  return tile_by_64(call, tiling);
}

TEST(OpRunner, AnOutputStartsEveryLaunchWithItsInitValue) {
  Op op(accumulate_kernel);
  const Declared declared(7);
  op.op.declared = &declared.table;
  op.op.tile = tile_with_initial_values;
  OpRunner runner(soc(), 1);
  auto prepared = prepare(runner, op.request(64));
  ASSERT_TRUE(prepared.ok()) << prepared.error().to_string();
  prepared->poison();
  EXPECT_TRUE(prepared->launch().ok());
  EXPECT_TRUE(prepared->launch().ok());
  EXPECT_EQ(prepared->outputs()[0][0].as<float>()[63], 70.0f);
  for (const core::GmRange& range : prepared->gm()) {
    if (std::string(range.name) == "y") {
      EXPECT_TRUE(range.defined);
    }
  }
}

// "otherwise, the initialization does not take effect" (page "InitValue").
TEST(OpRunner, AnInitValueWithoutSetNeedAtomicHasNoEffect) {
  Op op(accumulate_kernel);
  const Declared declared(7);
  op.op.declared = &declared.table;
  OpRunner runner(soc(), 1);
  auto prepared = prepare(runner, op.request(64));
  ASSERT_TRUE(prepared.ok()) << prepared.error().to_string();
  EXPECT_FALSE(prepared->gm()[1].defined);
  prepared->poison();
  const float before = prepared->outputs()[0][0].as<float>()[63];
  EXPECT_TRUE(prepared->launch().ok());
  EXPECT_NE(before, 7.0f);
  EXPECT_NE(prepared->outputs()[0][0].as<float>()[63], 70.0f);
}

TEST(OpRunner, AChipsOwnOutputHasNoInitValueUnlessItSaysSo) {
  Op op(double_kernel);
  const Declared declared(7, "ascend910b");
  op.op.declared = &declared.table;
  op.op.tile = tile_with_initial_values;
  OpRunner runner(soc(), 1);
  auto prepared = prepare(runner, op.request(64));
  ASSERT_TRUE(prepared.ok()) << prepared.error().to_string();
  EXPECT_FALSE(prepared->gm()[1].defined);
}

TEST(OpRunner, RefusesInitValuesThatTheOutputCannotHave) {
  std::string text = kDouble;
  text.replace(text.find("float32"), 7, "int8");
  Op op(double_kernel, text.c_str());
  Declared declared(300);
  declared.dtype = OPK_INT8;
  op.op.declared = &declared.table;
  OpCallOnTables request = op.request(64);
  request.inputs = {PortTensors{Tensor(DType::kInt8, Shape{64})}};
  OpRunner runner(soc(), 1);
  const auto prepared = prepare(runner, std::move(request));
  ASSERT_FALSE(prepared.ok());
  EXPECT_EQ(prepared.error().code, "OPK-RUN-004");
  EXPECT_THAT(prepared.error().message, HasSubstr("InitValue 300 of output 'y' is no int8"));
}

Tensor filled(float value, int64_t count) {
  Tensor tensor(DType::kFloat32, Shape{count});
  for (int64_t i = 0; i < count; ++i) tensor.set(i, value);
  return tensor;
}

Result<PreparedRun> starting_from(const Op& op, OpRunner& runner, Tensor initial) {
  auto prepared = prepare(runner, op.request(64));
  if (!prepared.ok()) return prepared;
  return runner.bind_memory(std::make_shared<const CallPlan>(prepared->call()), prepared->inputs(),
                            false, {{std::move(initial)}});
}

TEST(OpRunner, AnOutputStartsFromWhatIsGiven) {
  const Op op(accumulate_kernel);
  OpRunner runner(soc(), 1);
  auto prepared = starting_from(op, runner, filled(0.5f, 64));
  ASSERT_TRUE(prepared.ok()) << prepared.error().to_string();
  prepared->poison();
  core::Checked checked;
  const core::LaunchReport report = prepared->launch(&checked);
  EXPECT_TRUE(checked.take_report(report).findings.empty());
  EXPECT_EQ(prepared->outputs()[0][0].as<float>()[63], 63.5f);
}

TEST(OpRunner, AnOutputStartsFromItsOwnShapeOnly) {
  const Op op(accumulate_kernel);
  OpRunner runner(soc(), 1);
  const auto prepared = starting_from(op, runner, filled(0.5f, 32));
  ASSERT_FALSE(prepared.ok());
  EXPECT_EQ(prepared.error().code, "OPK-RUN-012");
  EXPECT_THAT(prepared.error().message,
              HasSubstr("is float32 [64], and is to start from float32 [32]"));
}

constexpr const char* kLists = R"(
op: Double
version: "1.0.0"
inputs:
  xs: {dtype: float32, shape: opaque, presence: dynamic}
outputs:
  ys: {dtype: float32, shape: opaque, presence: dynamic, count: count(xs), inplace: xs}
reference: {none: "an example of lists"}
)";

// Doubles 8 elements of every tensor of the list.
void double_lists(opk_core* core, void* const* args) {
  using namespace AscendC;
  detail::current = core;
  ListTensorDesc list(static_cast<__gm__ void*>(args[0]));
  LocalTensor<float> tile(TPosition::VECCALC, 0, 64);
  for (uint32_t i = 0; i < list.GetSize(); ++i) {
    GlobalTensor<float> x;
    x.SetGlobalBuffer(list.GetDataPtr<float>(i), 8);
    DataCopy(tile, x, 8);
    PipeBarrier<PIPE_ALL>();
    Add(tile, tile, tile, 8);
    PipeBarrier<PIPE_ALL>();
    DataCopy(x, tile, 8);
    PipeBarrier<PIPE_ALL>();
  }
}

int32_t tile_on_one_block(const opk_call_v1*, opk_tiling_v1* tiling) {
  tiling->block_dim = 1;
  return OPK_OK;
}

TEST(OpRunner, TensorsOfADynamicInputMayHaveAnyShapes) {
  Op op(double_lists, kLists);
  op.op.tile = tile_on_one_block;
  OpRunner runner(soc(), 1);
  OpCallOnTables request = op.request(64);
  Tensor square(DType::kFloat32, Shape{2, 4});
  square.set(7, 3.0);
  request.inputs = {{square, filled(1.0f, 8), filled(2.0f, 16)}};
  const auto result = run(runner, std::move(request));
  ASSERT_TRUE(result.ok()) << result.error().to_string();
  ASSERT_EQ(result->outputs()[0].size(), 3u);
  EXPECT_EQ(result->outputs()[0][0].shape(), (Shape{2, 4}));
  EXPECT_EQ(result->outputs()[0][0].as<float>()[7], 6.0f);
  EXPECT_EQ(result->outputs()[0][1].as<float>()[0], 2.0f);
  EXPECT_EQ(result->outputs()[0][2].as<float>()[7], 4.0f);
  EXPECT_EQ(result->outputs()[0][2].as<float>()[8], 2.0f);
}

TEST(OpRunner, AFaultBecomesAnErrorWithItsCode) {
  const Op op(faulty_kernel);
  OpRunner runner(soc(), 1);
  const auto result = run(runner, op.request(64));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, "EK1004");
  EXPECT_THAT(result.error().to_string(), HasSubstr("Double"));
}

TEST(OpRunner, ABrokenConstraintStopsBeforeTheKernel) {
  const Op op(double_kernel);
  OpRunner runner(soc(), 1);
  const auto result = prepare(runner, op.request(65));
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().to_string(), HasSubstr("C1"));
}

TEST(OpRunner, NeedsAKernel) {
  const Op op(nullptr);
  OpRunner runner(soc(), 1);
  const auto result = prepare(runner, op.request(64));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, "OPK-RUN-002");
  EXPECT_THAT(result.error().message, HasSubstr("holds no kernel for column"));
}

TEST(OpRunner, NeedsTheShapeOfEveryOutput) {
  std::string text = kDouble;
  const std::string known = "y: {dtype: T, shape: [N], format: ND}";
  text.replace(text.find(known), known.size(), "y: {dtype: T, shape: opaque, format: ND}");
  const Op op(double_kernel, text.c_str());
  OpRunner runner(soc(), 1);
  const auto result = prepare(runner, op.request(64));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, "OPK-RUN-003");
  EXPECT_THAT(result.error().message, HasSubstr("output 'y'"));
}

int32_t infer_nothing(const opk_call_v1*, opk_inferred_v1* const*) { return OPK_E_FAILED; }

// As in the vendor's single-op calls, which take the output's tensor and ask no InferShape.
TEST(OpRunner, AnOutputsShapeCanBeTheCallers) {
  std::string text = kDouble;
  const std::string known = "y: {dtype: T, shape: [N], format: ND}";
  text.replace(text.find(known), known.size(), "y: {dtype: T, shape: opaque, format: ND}");
  Op op(double_kernel, text.c_str());
  op.op.infer_shape = infer_nothing;
  op.op.infer_dtype = infer_nothing;
  OpRunner runner(soc(), 1);
  EXPECT_FALSE(prepare(runner, op.request(128)).ok());
  OpCallOnTables request = op.request(128);
  request.output_shapes = {{Shape{2, 64}}};
  const auto result = run(runner, std::move(request));
  ASSERT_TRUE(result.ok()) << result.error().to_string();
  EXPECT_EQ(result->outputs()[0][0].shape(), (Shape{2, 64}));
  EXPECT_EQ(result->outputs()[0][0].as<float>()[127], 254.0f);
}

}  // namespace
}  // namespace opkit
