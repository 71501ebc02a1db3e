// What host functions and kernels get of tensors in the cube unit's formats.
#include "opkit/call/plan/stored_call.h"

#include <gmock/gmock.h>

#include <cstring>

#include "tests/prepared_call.h"

namespace opkit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kText = R"(
op: Stored
version: "1.0.0"
inputs:
  w:    {dtype: float16, shape: "M, N", format: FRACTAL_NZ}
  x:    {dtype: float32, shape: "A, C, H, W", format: NC1HWC0}
  rows: {dtype: int32, shape: "R, S", format: F, value_depend: true}
outputs:
  y: {dtype: float16, shape: "M, N", format: FRACTAL_NZ, inplace: w}
  z: {dtype: float32, shape: "A, C, H, W", format: FRACTAL_Z}
columns: [{F: ND}, {F: FRACTAL_NZ}]
reference: {none: "a test of shapes"}
soc: [Ascend910B]
)";

struct SeenTensor {
  int32_t format, origin_format;
  std::vector<int64_t> dims, origin_dims;
  std::vector<int32_t> values;
};

std::vector<SeenTensor> tiled, inferred;

std::vector<SeenTensor> seen_in(const opk_call_v1* call) {
  std::vector<SeenTensor> all;
  for (uint32_t i = 0; i < call->input_count + call->output_count; ++i) {
    const opk_tensor_v1& t = i < call->input_count
                                 ? *call->inputs[i]->tensors[0]
                                 : *call->outputs[i - call->input_count]->tensors[0];
    SeenTensor seen{t.format,
                    t.origin_format,
                    {t.dims, t.dims + t.rank},
                    {t.origin_dims, t.origin_dims + t.origin_rank},
                    {}};
    const auto* values = static_cast<const int32_t*>(t.data);
    for (int64_t v = 0; values && v < Shape(seen.dims).elements(); ++v)
      seen.values.push_back(values[v]);
    all.push_back(std::move(seen));
  }
  return all;
}

int32_t tile(const opk_call_v1* call, opk_tiling_v1* tiling) {
  tiled = seen_in(call);
  tiling->block_dim = 1;
  return OPK_OK;
}

int32_t infer_shape(const opk_call_v1* call, opk_inferred_v1* const* outputs) {
  inferred = seen_in(call);
  for (uint32_t o = 0; o < 2; ++o) {
    const opk_tensor_v1& from = *call->inputs[o]->tensors[0];
    outputs[o]->rank = from.origin_rank;
    std::memcpy(outputs[o]->dims, from.origin_dims, from.origin_rank * sizeof *from.origin_dims);
  }
  return OPK_OK;
}

// w += 1 in every fifth place; z's places get their numbers.
void kernel(opk_core*, void* const* args) {
  auto* w = static_cast<uint16_t*>(args[0]);
  for (int i = 0; i < 17; ++i) w[i] = 0x3c00;  // 1
  auto* z = static_cast<float*>(args[4]);
  for (int i = 0; i < 2 * 16 * 8 * 6; ++i) z[i] = static_cast<float>(i);
}

struct Op {
  Op() : contract(OpContract::parse(kText, "op_contract.yaml").value()) {
    kernel_row.struct_size = sizeof kernel_row;
    kernel_row.column = OPK_ANY_COLUMN;
    kernel_row.tiling_key = OPK_ANY_TILING_KEY;
    kernel_row.name = "stored";
    kernel_row.task_type = OPK_TASK_AIV_ONLY;
    kernel_row.aiv = kernel;
    op.struct_size = sizeof op;
    op.type = "Stored";
    op.tile = tile;
    op.infer_shape = infer_shape;
    op.kernel_count = 1;
    op.kernels = kernels;
  }

  OpCallOnTables request(Format rows, Shape image = {3, 9, 2, 3}) const {
    Tensor w(DType::kFloat16, {5, 20}, "w"), x(DType::kFloat32, std::move(image), "x"),
        r(DType::kInt32, {2, 3}, "rows");
    w.desc().format = Format::kFractalNZ;
    x.desc().format = Format::kNC1HWC0;
    r.desc().format = rows;
    for (int64_t i = 0; i < w.elements(); ++i) w.set(i, 2);
    for (int64_t i = 0; i < r.elements(); ++i) r.set(i, static_cast<double>(10 + i));
    OpCallOnTables request;
    request.contract = &contract;
    request.op = &op;
    for (Tensor* tensor : {&w, &x, &r}) request.inputs.push_back({std::move(*tensor)});
    return request;
  }

  OpContract contract;
  opk_kernel_v1 kernel_row{};
  const opk_kernel_v1* kernels[1] = {&kernel_row};
  opk_op_v1 op{};
};

const SocSpec& soc() { return *find_soc("Ascend910B1").value().spec; }

TEST(StoredCall, HostFunctionsSeeStorageAndOrigin) {
  const Op op;
  OpRunner runner(soc(), 1);
  const auto prepared = prepare(runner, op.request(Format::kND));
  ASSERT_TRUE(prepared.ok()) << prepared.error().to_string();
  ASSERT_EQ(tiled.size(), 5u);
  const auto expect = [](const SeenTensor& seen, int32_t format, int32_t origin_format,
                         const std::vector<int64_t>& dims, const std::vector<int64_t>& origin) {
    EXPECT_EQ(seen.format, format);
    EXPECT_EQ(seen.origin_format, origin_format);
    EXPECT_EQ(seen.dims, dims);
    EXPECT_EQ(seen.origin_dims, origin);
  };
  for (const auto* call : {&tiled, &inferred}) {
    expect((*call)[0], OPK_FORMAT_FRACTAL_NZ, OPK_FORMAT_ND, {2, 1, 16, 16}, {5, 20});
    expect((*call)[1], OPK_FORMAT_NC1HWC0, OPK_FORMAT_NCHW, {3, 2, 2, 3, 8}, {3, 9, 2, 3});
    expect((*call)[2], OPK_FORMAT_ND, OPK_FORMAT_ND, {2, 3}, {2, 3});
    EXPECT_THAT((*call)[2].values, ElementsAre(10, 11, 12, 13, 14, 15));
  }
  expect(tiled[3], OPK_FORMAT_FRACTAL_NZ, OPK_FORMAT_ND, {2, 1, 16, 16}, {5, 20});
  expect(tiled[4], OPK_FORMAT_FRACTAL_Z, OPK_FORMAT_NCHW, {12, 1, 16, 8}, {3, 9, 2, 3});
}

TEST(StoredCall, ValuesThatTheHostReadsLieAsTheFormatSays) {
  const Op op;
  OpRunner runner(soc(), 1);
  const auto prepared = prepare(runner, op.request(Format::kFractalNZ));
  ASSERT_TRUE(prepared.ok()) << prepared.error().to_string();
  ASSERT_EQ(tiled[2].dims, (std::vector<int64_t>{1, 1, 16, 8}));
  EXPECT_EQ(std::vector<int32_t>(tiled[2].values.begin(), tiled[2].values.begin() + 12),
            (std::vector<int32_t>{10, 11, 12, 0, 0, 0, 0, 0, 13, 14, 15, 0}));
}

TEST(StoredCall, OutputsComeBackAsTheirOrigin) {
  const Op op;
  OpRunner runner(soc(), 1);
  auto prepared = prepare(runner, op.request(Format::kND));
  ASSERT_TRUE(prepared.ok()) << prepared.error().to_string();
  prepared->poison();
  ASSERT_TRUE(prepared->launch().ok());
  EXPECT_EQ(prepared->outputs()[0][0].shape(), (Shape{2, 1, 16, 16}));
  const auto outputs = prepared->origin_outputs();
  // In place of w: its first 16 places are row 0, columns 0 to 15, the next one is row 1, column 0.
  ASSERT_EQ(outputs[0][0].shape(), (Shape{5, 20}));
  for (int64_t i = 0; i < 100; ++i) EXPECT_EQ(outputs[0][0].at(i), i < 16 || i == 20 ? 1 : 2) << i;
  ASSERT_EQ(outputs[1][0].shape(), (Shape{3, 9, 2, 3}));
  EXPECT_EQ(outputs[1][0].desc().format, Format::kFractalZ);
  // Element [2, 8, 1, 2]: c1 = 1, c0 = 0.
  EXPECT_EQ(outputs[1][0].at(2 * 54 + 8 * 6 + 5), ((1 * 2 + 1) * 3 + 2) * 16 * 8 + 2 * 8);
  EXPECT_EQ(prepared->origin_inputs()[0][0].at(0), 2);
}

TEST(StoredCall, ADryRunHasNoMemoryForWhatIsStored) {
  const Op op;
  OpRunner runner(soc(), 1);
  OpCallOnTables request = op.request(Format::kND);
  request.inputs[0][0] = Tensor::reserved(DType::kFloat16, {5, 20}, "w").value();
  request.inputs[0][0].desc().format = Format::kFractalNZ;
  request.dry = true;
  const auto prepared = prepare(runner, std::move(request));
  ASSERT_TRUE(prepared.ok()) << prepared.error().to_string();
  EXPECT_TRUE(prepared->inputs()[0][0].is_reserved());
  EXPECT_EQ(prepared->inputs()[0][0].shape(), (Shape{2, 1, 16, 16}));
  EXPECT_TRUE(prepared->outputs()[1][0].is_reserved());
}

TEST(StoredCall, RefusesShapesThatTheFormatDoesNotHave) {
  std::string text = kText;
  for (size_t at = 0; (at = text.find("A, C, H, W", at)) != std::string::npos;)
    text.replace(at, 10, "Q..");
  Op op;
  op.contract = OpContract::parse(text, "op_contract.yaml").value();
  OpRunner runner(soc(), 1);
  const auto refused = prepare(runner, op.request(Format::kND, {3, 9, 2}));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "OPK-LAYOUT-001");
  EXPECT_EQ(refused.error().op, "Stored");
  EXPECT_THAT(refused.error().to_string(), HasSubstr("in x"));
}

}  // namespace
}  // namespace opkit
