// The tiling of ops that work on rows, the last dim of their tensors: whole rows for every core, as
// many of them at once as UB holds, or parts of one row.
#ifndef OPS_SHARED_ROWS_PLAN_H_
#define OPS_SHARED_ROWS_PLAN_H_

#include "../op_kernel/rows_tiling.h"
#include "elementwise_plan.h"

namespace rows {

using elementwise::AlignUp;
using elementwise::CeilDiv;
using elementwise::kBuffers;
using elementwise::kLineBytes;
using elementwise::kPitch;
using elementwise::Least;
using elementwise::Most;

// What a kernel of rows.h takes in UB, and how its inputs are read.
struct Needs {
  uint64_t numbers = 1;  // Formula::kNumbers
  uint64_t joined = 1;   // inputs that are rows; those behind them hold one row for all
  uint64_t given = 0;    // PerRow: those behind them hold a number for every row of a run
  bool one_row = false;  // OneRow: those behind them are never repeated
  bool per_row = false;  // the output holds a number for every row
  uint64_t dims = 1;     // counts the last dims of x that make a row
  bool reports = false;  // a number of every row is a result beside the rows: kReported
};

constexpr uint64_t kMostRows = 248;     // repeats of an instruction, in whole blocks of numbers
constexpr uint64_t kMostPitch = 2040;   // floats that a repeat can step over
constexpr uint64_t kFoldedBytes = 256;  // counts what a row folds to, at least
constexpr uint64_t kFold = 8;           // elements of a row that become one first
constexpr uint64_t kFloat = sizeof(float);
// Elements that a core works off while another one starts, where a row has one number; with two of
// them, as in Softmax and LayerNormalization, each takes about twice as long.
constexpr uint64_t kStartElements = 340;
// Bytes that reach a core while the instructions of a tile start: where rows come out, and where
// numbers alone do.
constexpr uint64_t kStartsBytes = 11000, kFewStartsBytes = 4000;

// Bytes of UB that an element of a tile takes, a row beside its elements, and a column beside the
// rows.
struct Room {
  uint64_t element, row, column;
};

inline Room RoomOf(gert::TilingContext* context, uint64_t inputs, const Needs& needs) {
  const uint64_t numbers = needs.numbers + 1 + needs.given;
  Room room{kFloat, (numbers + 1) * (kFloat + 8 * kFloat) + kFoldedBytes, 0};
  const auto of = [](ge::DataType type) {
    const auto stored = static_cast<uint64_t>(ge::GetSizeByDataType(type));
    return kBuffers * stored + (type == ge::DT_FLOAT ? 0 : kFloat);
  };
  room.row += needs.given * kFloat;
  for (uint64_t i = 0; i < inputs - needs.given; ++i)
    (needs.one_row && i >= needs.joined ? room.column : room.element) +=
        of(context->GetInputDesc(i)->GetDataType());
  if (needs.per_row || needs.reports) room.row += kBuffers * kFloat;
  if (!needs.per_row) {
    const ge::DataType output = context->GetOutputDesc(0)->GetDataType();
    room.element += kBuffers * static_cast<uint64_t>(ge::GetSizeByDataType(output));
  }
  return room;
}

inline void SetView(const gert::Shape& x, uint64_t inputs, const Needs& needs,
                    ElementwiseTiling& view) {
  const uint64_t dims = x.GetDimNum();
  view = {};
  view.columns = view.rows = 1;
  for (uint64_t d = 0; d < dims; ++d)
    (d + needs.dims < dims ? view.rows : view.columns) *= static_cast<uint64_t>(x.GetDim(d));
  view.outer_dims = 1;
  view.outer_size[0] = Most(1, view.rows);
  for (uint64_t i = 0; i < inputs; ++i) {
    view.column_stride[i] = 1;
    view.outer_stride[i][0] = i < needs.joined ? view.columns : 0;
  }
}

// Inputs behind the rows that hold one element for each of `channels` rows, over and over.
inline void SetChannels(uint64_t channels, const Needs& needs, ElementwiseTiling& view) {
  view.outer_dims = 2;
  view.outer_size[0] = Most(1, view.rows / channels);
  view.outer_size[1] = channels;
  for (uint64_t i = 0; i < kElementwiseInputs; ++i) {
    const bool joined = i < needs.joined;
    view.column_stride[i] = joined ? 1 : 0;
    view.outer_stride[i][0] = joined ? channels * view.columns : 0;
    view.outer_stride[i][1] = joined ? view.columns : 1;
  }
}

// Returns floats, no fewer, after which a tensor lies in the other half of the bank groups: an odd
// multiple of 256 bytes. An instruction reads the two at once.
inline uint64_t SideBySide(uint64_t floats) { return (CeilDiv(floats, 64) | 1) * 64; }

// Sets tiles of at most `most_rows` rows.
inline void SetTiles(uint64_t ub_bytes, const Room& room, uint64_t most_rows,
                     ElementwiseTiling& view) {
  const uint64_t pitch = AlignUp(Most(1, view.columns), kPitch);
  const uint64_t folded = AlignUp(pitch, 64) / kFold * kFloat;
  const uint64_t row = pitch * room.element + room.row + Most(folded, kFoldedBytes) - kFoldedBytes;
  // Half a byte of each element of a long row while it is reduced.
  const uint64_t capacity =
      (ub_bytes - 8 * room.row) / (room.element + room.column + 1) / kPitch * kPitch;
  const uint64_t once = pitch * room.column + 8 * room.row;
  if (pitch <= kMostPitch && once < ub_bytes) {
    const uint64_t fit = Most(1, Least(Least((ub_bytes - once) / row, most_rows), view.core_rows));
    // A core's tiles have about as many rows each.
    view.tile_rows = static_cast<uint32_t>(
        Most(1, CeilDiv(view.core_rows, Most(1, CeilDiv(view.core_rows, fit)))));
    view.tile_columns = static_cast<uint32_t>(view.columns);
    view.tile = static_cast<uint32_t>(SideBySide(pitch * view.tile_rows));
    return;
  }
  view.tile_rows = 1;
  view.tile_columns = static_cast<uint32_t>(Least(view.columns, capacity));
  view.tile = static_cast<uint32_t>(Least(pitch, capacity));
}

// The cores that repay their starts where the work on rows takes the time: a core more saves
// elements / cores^2 of it.
inline uint64_t RepaidCores(uint64_t elements, const Needs& needs, uint64_t cores) {
  const uint64_t work = elements * Most(1, needs.numbers);
  uint64_t repaid = 1;
  while (repaid < cores && (repaid + 1) * (repaid + 1) * kStartElements <= work) ++repaid;
  return repaid;
}

// Returns the rows of a core's tile where UB has room for them: with more tiles a core waits less
// for the first copy and works less behind the last one, but starts its instructions more often.
inline uint64_t UsualRows(uint64_t core_bytes, uint64_t core_rows, const Needs& needs) {
  const uint64_t starts = needs.per_row ? kFewStartsBytes : kStartsBytes;
  uint64_t tiles = 1;
  while (tiles * (tiles + 1) * starts <= core_bytes) ++tiles;
  return CeilDiv(core_rows, tiles);
}

// Returns the bytes that a core reads.
inline uint64_t CoreBytes(gert::TilingContext* context, const Needs& needs,
                          const ElementwiseTiling& view) {
  uint64_t bytes = 0;
  for (uint64_t i = 0; i < needs.joined; ++i)
    bytes += static_cast<uint64_t>(ge::GetSizeByDataType(context->GetInputDesc(i)->GetDataType()));
  return bytes * view.core_rows * view.columns;
}

// Sets the rows of a core; what knobs say goes before what is usual. Sums of rows take little more
// than their copies: a core is worth its start by what it reads.
inline void SetShares(gert::TilingContext* context, uint64_t all_cores, uint64_t row_bytes,
                      const Needs& needs, ElementwiseTiling& view) {
  const uint64_t usual =
      needs.per_row ? all_cores : RepaidCores(view.rows * view.columns, needs, all_cores);
  const uint64_t core_bytes = needs.per_row ? elementwise::kMinCoreBytes : 1;
  const uint64_t least = CeilDiv(tuning::Knob(context, "core_bytes", core_bytes), row_bytes);
  const uint64_t cores = Most(1, Least(all_cores, tuning::Knob(context, "cores", usual)));
  view.core_columns = view.columns;
  view.core_rows = Most(Most(1, CeilDiv(view.rows, cores)), least);
}

// Plans the call of an op whose first inputs are rows.
inline ge::graphStatus Plan(gert::TilingContext* context, RowsTiling& tiling, const Needs& needs) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const uint64_t inputs = context->GetComputeNodeInputNum();
  if (inputs > kElementwiseInputs) return ge::GRAPH_FAILED;
  ElementwiseTiling& view = tiling.view;
  SetView(context->GetInputShape(0)->GetStorageShape(), inputs, needs, view);

  const auto bytes =
      static_cast<uint64_t>(ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()));
  SetShares(context, platform.GetCoreNumAiv(), Most(1, view.columns * bytes), needs, view);
  const uint64_t usual_rows = UsualRows(CoreBytes(context, needs, view), view.core_rows, needs);
  SetTiles(ub_bytes * elementwise::kUbPercent / 100, RoomOf(context, inputs, needs),
           Least(kMostRows, tuning::Knob(context, "tile_rows", usual_rows)), view);

  context->SetBlockDim(static_cast<uint32_t>(Most(1, CeilDiv(view.rows, view.core_rows))));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

}  // namespace rows

#endif  // OPS_SHARED_ROWS_PLAN_H_
