// The tiling of element-wise ops: tensors as rows and columns with strides, shares of cores, tiles
// that fit into UB.
//
//   IMPL_OP_OPTILING(AddRelu).Tiling(elementwise::Tiling<>);
//   IMPL_OP_OPTILING(Clip).Tiling(TilingClip);   // elementwise::Plan, then the op's own fields
#ifndef OPS_SHARED_ELEMENTWISE_PLAN_H_
#define OPS_SHARED_ELEMENTWISE_PLAN_H_

#include <vector>

#include "../op_kernel/elementwise_tiling.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace elementwise {

constexpr uint64_t kLineBytes = 512;       // GM is fastest from such an address on
constexpr uint64_t kMinCoreBytes = 16384;  // less does not repay the start of a further core
constexpr uint64_t kUbPercent = 80;   // the rest of UB is left to calls that need room of their own
constexpr uint64_t kBuffers = 2;      // of a queue
constexpr uint64_t kPitch = 32;       // elements; elementwise.h begins rows at multiples of it
constexpr uint64_t kRepeat = 128;     // elements; a tile has room for whole repeats of each type
constexpr uint64_t kMostRows = 4095;  // blocks of a copy
constexpr uint64_t kMostStrideBytes = UINT32_MAX;  // of a copy's gap between rows

inline uint64_t CeilDiv(uint64_t a, uint64_t b) { return (a + b - 1) / b; }
inline uint64_t AlignUp(uint64_t a, uint64_t b) { return CeilDiv(a, b) * b; }
inline uint64_t Least(uint64_t a, uint64_t b) { return a < b ? a : b; }
inline uint64_t Most(uint64_t a, uint64_t b) { return a > b ? a : b; }

// What a formula takes in UB beside its tensors.
struct Needs {
  uint64_t scratch = 0;   // bytes for each element: kScratch
  bool in_float = false;  // float16 is computed in float: In<half, float>
  uint64_t parts = 0;     // inputs of the kernel that are further parts of the op's first one
};

// Bytes of an element where the formula computes; ArithmeticOf of elementwise_input.h.
inline uint64_t ComputedBytes(ge::DataType type, const Needs& needs) {
  switch (type) {
    case ge::DT_BF16: return 4;
    case ge::DT_FLOAT16: return needs.in_float ? 4 : 2;
    case ge::DT_INT8:
    case ge::DT_UINT8:
    case ge::DT_BOOL: return 2;
    default: return static_cast<uint64_t>(ge::GetSizeByDataType(type));
  }
}

// One dim of the output, and the stride of every input along it: 0 where the input is repeated.
struct Dim {
  uint64_t size;
  std::vector<uint64_t> strides;  // elements
};

// Adds the dim in front of those that there are; one of size 1 is left out, and one that every
// input walks like the dim behind it joins it.
inline void AddDim(std::vector<Dim>& dims, const Dim& dim) {
  if (dim.size == 1) return;
  bool joins = !dims.empty();
  for (uint64_t i = 0; joins && i < dim.strides.size(); ++i)
    joins = dim.strides[i] == dims.back().strides[i] * dims.back().size;
  if (joins) {
    dims.back().size *= dim.size;
  } else {
    dims.push_back(dim);
  }
}

// The output's dims, to which all inputs broadcast.
inline std::vector<Dim> CommonDims(gert::TilingContext* context, uint64_t inputs) {
  const gert::Shape& output = context->GetOutputShape(0)->GetStorageShape();
  std::vector<Dim> dims;
  std::vector<uint64_t> next(inputs, 1);  // the stride of the dim in front, elements
  for (uint64_t back = 0; back < output.GetDimNum(); ++back) {
    Dim dim{static_cast<uint64_t>(output.GetDim(output.GetDimNum() - 1 - back)), {}};
    for (uint64_t i = 0; i < inputs; ++i) {
      const gert::Shape& input = context->GetInputShape(i)->GetStorageShape();
      const uint64_t size = back < input.GetDimNum()
                                ? static_cast<uint64_t>(input.GetDim(input.GetDimNum() - 1 - back))
                                : 1;
      dim.strides.push_back(size == 1 ? 0 : next[i]);
      next[i] *= size;
    }
    AddDim(dims, dim);
  }
  return dims;  // the innermost first
}

// Rows, columns and strides. False: more dims than the kernel walks.
inline bool SetView(const std::vector<Dim>& dims, uint64_t inputs, ElementwiseTiling& tiling) {
  tiling = {};
  tiling.rows = 1;
  tiling.columns = tiling.y_stride = dims.empty() ? 1 : dims.front().size;
  for (uint64_t i = 0; i < inputs; ++i)
    tiling.column_stride[i] = dims.empty() ? 1 : static_cast<uint32_t>(dims.front().strides[i]);
  if (dims.size() > kElementwiseOuterDims + 1) return false;
  for (uint64_t d = 1; d < dims.size(); ++d) {
    const uint64_t place = dims.size() - 1 - d;  // outermost first
    tiling.rows *= dims[d].size;
    tiling.outer_size[place] = dims[d].size;
    for (uint64_t i = 0; i < inputs; ++i) tiling.outer_stride[i][place] = dims[d].strides[i];
    ++tiling.outer_dims;
  }
  return true;
}

// Equal rectangles for all cores that are worth starting: first the rows are cut, then the columns.
inline void SetShares(uint64_t cores, uint64_t element_bytes, ElementwiseTiling& tiling) {
  const uint64_t line = kLineBytes / element_bytes;
  const uint64_t least = kMinCoreBytes / element_bytes;
  const uint64_t worthwhile = Least(cores, Most(1, CeilDiv(tiling.rows * tiling.columns, least)));
  const uint64_t high = Least(tiling.rows, worthwhile);
  tiling.core_rows = Most(1, CeilDiv(tiling.rows, Most(1, high)));
  const uint64_t wide = high < worthwhile ? worthwhile / Most(1, high) : 1;
  tiling.core_columns = tiling.columns;
  if (wide > 1)
    tiling.core_columns = AlignUp(Most(CeilDiv(tiling.columns, wide), Least(least, line)), line);
  if (tiling.rows == 1)
    tiling.core_columns = AlignUp(Most(CeilDiv(tiling.columns, cores), least), line);
}

// Tiles of at most `capacity` elements.
inline void SetTiles(uint64_t capacity, uint64_t element_bytes, ElementwiseTiling& tiling) {
  const uint64_t line = kLineBytes / element_bytes;
  const uint64_t columns = Most(1, Least(tiling.columns, tiling.core_columns));
  if (tiling.rows == 1) {
    tiling.tile_rows = 1;
    tiling.tile_columns = static_cast<uint32_t>(Least(capacity, AlignUp(columns, line)));
    tiling.tile = tiling.tile_columns;
    return;
  }
  tiling.tile_columns =
      static_cast<uint32_t>(Least(capacity / line * line, AlignUp(columns, kPitch)));
  const uint64_t most = tiling.columns * element_bytes > kMostStrideBytes ? 1 : kMostRows;
  const uint64_t fit = Most(1, Least(capacity / tiling.tile_columns, most));
  tiling.tile_rows = static_cast<uint32_t>(Least(fit, tiling.core_rows));
  tiling.tile = static_cast<uint32_t>(AlignUp(tiling.tile_columns * tiling.tile_rows, kRepeat));
}

// Bytes of UB that one element of a tile takes in all buffers of the kernel.
inline uint64_t BytesPerElement(gert::TilingContext* context, uint64_t inputs,
                                const ElementwiseTiling& tiling, const Needs& needs) {
  uint64_t bytes = needs.scratch;
  const auto add = [&](ge::DataType type, bool once_for_all_columns) {
    const uint64_t stored = static_cast<uint64_t>(ge::GetSizeByDataType(type)),
                   computed = ComputedBytes(type, needs);
    bytes += kBuffers * stored;
    if (stored != computed || once_for_all_columns) bytes += computed;
  };
  const uint64_t own = inputs - needs.parts;
  for (uint64_t i = 0; i < inputs; ++i)
    add(context->GetInputDesc(i < own ? i : 0)->GetDataType(), tiling.column_stride[i] == 0);
  add(context->GetOutputDesc(0)->GetDataType(), false);
  return bytes;
}

// Plans the call of an op whose output has these dims, the innermost first.
inline ge::graphStatus PlanDims(gert::TilingContext* context, ElementwiseTiling& tiling,
                                const std::vector<Dim>& dims, const Needs& needs = {}) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const uint64_t inputs = context->GetComputeNodeInputNum() + needs.parts;
  if (inputs > kElementwiseInputs || !SetView(dims, inputs, tiling)) return ge::GRAPH_FAILED;

  const auto element_bytes =
      static_cast<uint64_t>(ge::GetSizeByDataType(context->GetOutputDesc(0)->GetDataType()));
  const uint64_t line = kLineBytes / element_bytes;
  const uint64_t capacity =
      ub_bytes * kUbPercent / 100 / BytesPerElement(context, inputs, tiling, needs) / line * line;
  SetShares(platform.GetCoreNumAiv(), element_bytes, tiling);
  SetTiles(capacity, element_bytes, tiling);

  const uint64_t blocks = tiling.columns == 0 ? 0
                                              : CeilDiv(tiling.rows, tiling.core_rows) *
                                                    CeilDiv(tiling.columns, tiling.core_columns);
  context->SetBlockDim(static_cast<uint32_t>(Most(1, blocks)));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

// Plans the call of an op whose inputs all broadcast to its one output.
inline ge::graphStatus Plan(gert::TilingContext* context, ElementwiseTiling& tiling,
                            const Needs& needs = {}) {
  const uint64_t inputs = context->GetComputeNodeInputNum();
  return PlanDims(context, tiling, CommonDims(context, inputs), needs);
}

// For ops whose tiling data is an ElementwiseTiling.
template <uint64_t kScratch = 0, bool kInFloat = false>
ge::graphStatus Tiling(gert::TilingContext* context) {
  return Plan(context, *context->GetTilingData<ElementwiseTiling>(), {kScratch, kInFloat});
}

}  // namespace elementwise

#endif  // OPS_SHARED_ELEMENTWISE_PLAN_H_
