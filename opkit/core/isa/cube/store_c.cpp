#include "opkit/core/isa/cube/store_c.h"

#include <algorithm>
#include <cstring>

#include "opkit/core/fractals/turn.h"
#include "opkit/core/isa/gm_store.h"

namespace opkit::core {
namespace {

constexpr uint32_t kColumns = 16;

uint32_t panels_of(const BlockOfC& b) { return (b.n + nz_columns(b) - 1) / nz_columns(b); }

// Returns the bytes of a row of the last panel: a panel of 8-bit elements may be filled to half.
uint32_t last_row_bytes(const BlockOfC& b) {
  return (b.n - (panels_of(b) - 1) * nz_columns(b)) * b.element;
}

void put(Core& core, bool to_gm, uint8_t* dst, const uint8_t* src, uint64_t bytes) {
  if (to_gm)
    store(core, dst, src, bytes);
  else
    std::memcpy(dst, src, bytes);
}

void put_nz(Core& core, bool to_gm, const BlockOfC& b, uint8_t* dst, uint32_t row, uint32_t column,
            uint32_t count, const uint8_t* values) {
  const uint32_t width = nz_columns(b);
  for (uint32_t done = 0; done < count; done += std::min(width, count - done)) {
    const uint32_t at = column + done;
    uint8_t* out =
        dst + at / width * b.dst_pitch + uint64_t{row} * nz_row_bytes(b) + at % width * b.element;
    put(core, to_gm, out, values + done * b.element, std::min(width, count - done) * b.element);
  }
}

}  // namespace

uint64_t dst_extent(const BlockOfC& b) {
  if (b.to_nd) return (b.m - 1) * b.dst_pitch + uint64_t{b.n} * b.element;
  return (panels_of(b) - 1) * b.dst_pitch + uint64_t{b.m - 1} * nz_row_bytes(b) + last_row_bytes(b);
}

Access dst_access(const BlockOfC& b, const opk_operand& dst) {
  Access access;
  access.memory = static_cast<opk_memory>(dst.memory);
  access.address = static_cast<const uint8_t*>(dst.address);
  access.write = true;
  access.dtype = dst.dtype;
  access.buffer = dst.buffer;
  if (b.to_nd) {
    access.block_bytes = b.n * b.element;
    access.blocks = b.m;
    access.block_pitch = static_cast<int64_t>(b.dst_pitch);
  } else {
    access.block_bytes = b.m * nz_row_bytes(b);
    access.blocks = panels_of(b);
    access.block_pitch = static_cast<int64_t>(b.dst_pitch);
    access.partial = last_row_bytes(b) != nz_row_bytes(b);
  }
  return access;
}

namespace {

// A matrix with rows that lie this far apart does not stay in the host's caches until it is read
// again, and its lines need not be fetched to be overwritten.
constexpr uint64_t kStreamedSpan = 256 * 1024;

bool is_streamed(const BlockOfC& b, const uint8_t* dst, bool to_gm) {
  return to_gm && b.m * b.dst_pitch >= kStreamedSpan && b.dst_pitch % 64 == 0 &&
         reinterpret_cast<uintptr_t>(dst) % 64 == 0;
}

// Rows that leave as they are, in whole panels and what is left.
void copy_rows(Core& core, const BlockOfC& b, uint8_t* dst, bool to_gm) {
  constexpr uint32_t kBytes = kColumns * 4;
  const uint32_t whole = b.n / kColumns, rest = b.n % kColumns * 4;
  const bool streamed = is_streamed(b, dst, to_gm);
  for (uint32_t row = 0; row < b.m; ++row, dst += b.dst_pitch) {
    const uint8_t* src = b.panels + size_t{row} * kBytes;
    if (to_gm) core.meets_additions(dst, uint64_t{b.n} * 4);
    (streamed ? stream_row : panels_to_row)(src, b.panel_pitch, whole, dst);
    if (rest) std::memcpy(dst + whole * kBytes, src + whole * b.panel_pitch, rest);
  }
  if (streamed) end_of_streams();
}

// Rows of half a panel, as panels of their own.
void split_panel(const uint8_t* src, uint32_t rows, uint8_t* dst) {
  constexpr uint32_t kHalf = kColumns / 2 * 4;  // bytes
  for (uint32_t row = 0; row < rows; ++row)
    std::memcpy(dst + size_t{row} * kHalf, src + size_t{row} * 2 * kHalf, kHalf);
}

// Whole panels, a panel at a time: as they are, or every float narrowed.
void store_panels(Core& core, const BlockOfC& b, uint8_t* dst, bool to_gm) {
  const uint32_t width = nz_columns(b);
  for (uint32_t column = 0; column < b.n; column += width, dst += b.dst_pitch) {
    const uint8_t* src =
        b.panels + column / kColumns * b.panel_pitch + size_t{column % kColumns} * 4;
    if (to_gm) core.meets_additions(dst, uint64_t{b.m} * nz_row_bytes(b));
    if (narrows_floats(b.conversion)) {
      narrow_floats(b.conversion, reinterpret_cast<const float*>(src), b.m * kColumns,
                    reinterpret_cast<uint16_t*>(dst));
    } else if (b.channel_split) {
      split_panel(src, b.m, dst);
    } else {
      std::memcpy(dst, src, uint64_t{b.m} * kColumns * 4);
    }
  }
}

}  // namespace

void store_block(Core& core, const BlockOfC& b, uint8_t* dst, bool to_gm) {
  const bool atomic = to_gm && core.atomic != OPK_ATOMIC_NONE;
  const bool as_is = b.conversion.quant == OPK_Q_NONE && !b.conversion.relu;
  if (as_is && b.to_nd && !atomic) return copy_rows(core, b, dst, to_gm);
  const bool whole = !b.to_nd && b.n % nz_columns(b) == 0;
  if (whole && !atomic && (as_is || narrows_floats(b.conversion)))
    return store_panels(core, b, dst, to_gm);
  alignas(64) uint8_t values[kColumns * 4];
  for (uint32_t row = 0; row < b.m; ++row) {
    for (uint32_t column = 0; column < b.n; column += kColumns) {
      const uint32_t count = std::min(kColumns, b.n - column);
      const uint8_t* src = b.panels + column / kColumns * b.panel_pitch + row * kColumns * 4;
      convert_run(b.conversion, src, column, count, values);
      if (b.to_nd) {
        put(core, to_gm, dst + row * b.dst_pitch + uint64_t{column} * b.element, values,
            uint64_t{count} * b.element);
      } else {
        put_nz(core, to_gm, b, dst, row, column, count, values);
      }
    }
  }
}

}  // namespace opkit::core
