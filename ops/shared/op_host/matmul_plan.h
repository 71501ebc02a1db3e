// The tiling of matmul_epilogue.h: the product of every batch is cut for the vector cores, each of
// which drives the cube core of its block and finishes base blocks that fit into UB.
#ifndef OPS_SHARED_MATMUL_PLAN_H_
#define OPS_SHARED_MATMUL_PLAN_H_

#include <utility>
#include <vector>

#include "least_columns.h"
#include "register/op_impl_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_api.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(MatmulPlan)
TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, cube);
TILING_DATA_FIELD_DEF(uint64_t, batches);     // products of M x N x K
TILING_DATA_FIELD_DEF(uint32_t, batch_dims);  // used places of the arrays, outermost first
TILING_DATA_FIELD_DEF(uint32_t, turned);      // bits 0, 1: a, b lie as columns times rows
TILING_DATA_FIELD_DEF_ARR(uint64_t, 6, batch_size);
TILING_DATA_FIELD_DEF_ARR(uint64_t, 6, a_stride);  // elements; 0: the same matrix
TILING_DATA_FIELD_DEF_ARR(uint64_t, 6, b_stride);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(MatmulPlanOp, MatmulPlan)
}  // namespace optiling

namespace matmul {

constexpr uint64_t kMostBatchDims = 6;

// What an op is told of its operands and takes in UB.
struct Needs {
  uint64_t scratch = 0;    // bytes for each element of a base block: kScratch
  int32_t bias_input = 2;  // its place in the contract; -1: the op has none
  bool a_turned = false;   // a lies as K x M, b as N x K: of two dims each
  bool b_turned = false;
};

inline matmul_tiling::CubeFormat FormatOf(ge::Format format) {
  return format == ge::FORMAT_FRACTAL_NZ ? matmul_tiling::CubeFormat::NZ
                                         : matmul_tiling::CubeFormat::ND;
}
inline matmul_tiling::DataType TypeOf(ge::DataType type) {
  switch (type) {
    case ge::DT_FLOAT16: return matmul_tiling::DataType::DT_FLOAT16;
    case ge::DT_BF16: return matmul_tiling::DataType::DT_BF16;
    case ge::DT_INT8: return matmul_tiling::DataType::DT_INT8;
    default: return matmul_tiling::DataType::DT_FLOAT;
  }
}

// The product as the kernel sees it: [batches] M x K times K x N.
struct Product {
  int64_t m = 1, n = 1, k = 1;
  uint64_t batches = 1;
  std::vector<uint64_t> size, a_stride, b_stride;  // outermost first
};

// Rows of a batch of a that all meet one b are rows of one matrix.
inline Product ProductOf(const gert::Shape& a, const gert::Shape& b, const Needs& needs) {
  Product p;
  const auto dim = [](const gert::Shape& shape, size_t back) {
    return back < shape.GetDimNum() ? shape.GetDim(shape.GetDimNum() - 1 - back) : 1;
  };
  p.m = dim(a, 1);
  p.k = dim(a, 0);
  p.n = dim(b, 0);
  if (needs.a_turned) std::swap(p.m, p.k);
  if (needs.b_turned) p.n = dim(b, 1);
  if (b.GetDimNum() <= 2) {
    for (size_t back = 2; back < a.GetDimNum(); ++back) p.m *= dim(a, back);
    return p;
  }
  const size_t dims = a.GetDimNum() > b.GetDimNum() ? a.GetDimNum() : b.GetDimNum();
  auto a_next = static_cast<uint64_t>(p.m * p.k), b_next = static_cast<uint64_t>(p.k * p.n);
  for (size_t back = 2; back < dims; ++back) {
    const auto of_a = static_cast<uint64_t>(dim(a, back)),
               of_b = static_cast<uint64_t>(dim(b, back));
    const uint64_t size = of_a > of_b ? of_a : of_b;
    p.size.insert(p.size.begin(), of_a == 0 || of_b == 0 ? 0 : size);
    p.a_stride.insert(p.a_stride.begin(), of_a == 1 ? 0 : a_next);
    p.b_stride.insert(p.b_stride.begin(), of_b == 1 ? 0 : b_next);
    p.batches *= p.size.front();
    a_next *= of_a;
    b_next *= of_b;
  }
  return p;
}

// Rows and columns of a base block whose sums, results and scratch fit into UB.
inline int32_t MostBase(uint64_t ub_bytes, uint64_t element_bytes) {
  constexpr uint64_t kUbPercent = 80;
  int32_t base = 128;
  while (base > 16 &&
         static_cast<uint64_t>(base) * base * element_bytes > ub_bytes * kUbPercent / 100)
    base -= 16;
  return base;
}

inline void SetBatches(const Product& product, optiling::MatmulPlan& plan) {
  uint64_t size[kMostBatchDims] = {}, a_stride[kMostBatchDims] = {}, b_stride[kMostBatchDims] = {};
  for (size_t i = 0; i < product.size.size(); ++i) {
    size[i] = product.size[i];
    a_stride[i] = product.a_stride[i];
    b_stride[i] = product.b_stride[i];
  }
  plan.set_batches(product.batches);
  plan.set_batch_dims(static_cast<uint32_t>(product.size.size()));
  plan.set_batch_size(size);
  plan.set_a_stride(a_stride);
  plan.set_b_stride(b_stride);
}

// Plans the call of an op whose first two inputs are a and b; sets block dim and workspace.
inline ge::graphStatus Plan(gert::TilingContext* context, optiling::MatmulPlan& plan,
                            const Needs& needs = {}) {
  constexpr int32_t kVectorCores = 2;  // of a block
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  // The sizes of the product are those of the model, whatever the format of b.
  const Product product = ProductOf(context->GetInputShape(0)->GetOriginShape(),
                                    context->GetInputShape(1)->GetOriginShape(), needs);
  if (product.size.size() > kMostBatchDims) return ge::GRAPH_FAILED;
  const ge::DataType dtype = context->GetInputDesc(0)->GetDataType();
  const auto bytes = static_cast<uint64_t>(ge::GetSizeByDataType(dtype));
  const auto type = TypeOf(dtype);
  const auto b_format = FormatOf(context->GetInputDesc(1)->GetFormat().GetStorageFormat());
  const auto cores = static_cast<uint64_t>(platform.GetCoreNumAiv());
  const uint64_t of_a_batch =
      product.batches == 0 || product.batches >= cores ? 1 : cores / product.batches;

  matmul_tiling::MultiCoreMatmulTiling cube(platform);
  cube.SetDim(static_cast<int32_t>(of_a_batch));
  cube.SetAType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, type, needs.a_turned);
  cube.SetBType(matmul_tiling::TPosition::GM, b_format, type, needs.b_turned);
  const bool integers = dtype == ge::DT_INT8;  // summed in int32
  cube.SetCType(matmul_tiling::TPosition::VECIN, matmul_tiling::CubeFormat::ND,
                integers ? matmul_tiling::DataType::DT_INT32 : matmul_tiling::DataType::DT_FLOAT);
  cube.SetBiasType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND,
                   integers ? matmul_tiling::DataType::DT_INT32 : type);
  const auto m = static_cast<int32_t>(product.m), n = static_cast<int32_t>(product.n),
             k = static_cast<int32_t>(product.k);
  cube.SetShape(m, n, k);
  cube.SetOrgShape(m, n, k);
  const ge::DataType stored = context->GetOutputDesc(0)->GetDataType();
  const uint64_t element =
      sizeof(float) + static_cast<uint64_t>(ge::GetSizeByDataType(stored)) + needs.scratch;
  const int32_t base = MostBase(ub_bytes, element);
  cube.SetSplitRange(base, base, -1);
  if (b_format == matmul_tiling::CubeFormat::ND && !needs.b_turned)
    cube.SetAlignSplit(-1, static_cast<int32_t>(LeastColumns(bytes)), -1);
  cube.SetBias(needs.bias_input >= 0 &&
               context->GetOptionalInputShape(needs.bias_input) != nullptr);
  cube.SetBufferSpace(-1, -1, -1);
  if (cube.GetTiling(plan.cube) == -1) return ge::GRAPH_FAILED;
  SetBatches(product, plan);
  plan.set_turned((needs.a_turned ? 1 : 0) + (needs.b_turned ? 2 : 0));

  int32_t used = 0, used_m = 0, used_n = 0;
  cube.GetCoreNum(used, used_m, used_n);
  uint64_t shares = static_cast<uint64_t>(used) * (product.batches == 0 ? 1 : product.batches);
  if (shares > cores) shares = cores;
  context->SetBlockDim(static_cast<uint32_t>((shares + kVectorCores - 1) / kVectorCores));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize();
  return ge::GRAPH_SUCCESS;
}

template <typename TilingData>
ge::graphStatus Save(gert::TilingContext* context, TilingData& data) {
  data.SaveToBuffer(context->GetRawTilingData()->GetData(),
                    context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(data.GetDataSize());
  return ge::GRAPH_SUCCESS;
}

}  // namespace matmul

#endif  // OPS_SHARED_MATMUL_PLAN_H_
