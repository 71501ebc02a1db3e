// GM filled with a constant by the vector core: a tile of UB is filled, and MTE3 stores it again
// and again. (Pages "InitGlobalMemory", "Fill" of the advanced API.)
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_FILL_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_FILL_H_

#include "opkit/include/ascendc/advanced_scratch.h"
#include "opkit/include/ascendc/sync.h"

namespace AscendC {
namespace detail {

constexpr uint32_t kFillTile = 16384;  // bytes

// A tile of whole blocks full of a value. Words of 64 bits are written as low and high halves.
template <typename T>
OPKIT_INLINE void fill_tile(const LocalTensor<T>& tile, T value) {
  const uint64_t word = bits(value);
  if constexpr (sizeof(T) == 1) {
    Duplicate(tile.template ReinterpretCast<uint16_t>(), static_cast<uint16_t>(word * 0x101),
              static_cast<int32_t>(tile.GetSize() / 2));
  } else if constexpr (sizeof(T) == 8) {
    const auto halves = tile.template ReinterpretCast<uint32_t>();
    const uint64_t low[2] = {0x5555555555555555u, 0}, high[2] = {0xaaaaaaaaaaaaaaaau, 0};
    const auto repeats = static_cast<uint8_t>(halves.GetSize() / 64);
    Duplicate(halves, static_cast<uint32_t>(word), low, repeats, 1, 8);
    Duplicate(halves, static_cast<uint32_t>(word >> 32), high, repeats, 1, 8);
    ResetMask();
  } else {
    Duplicate(tile, value, static_cast<int32_t>(tile.GetSize()));
  }
}

// Waits for `dst` on an id that nobody holds.
template <HardEvent event>
OPKIT_INLINE void hand_over() {
  TPipe* pipe = GetTPipePtr();
  const int32_t id = pipe ? pipe->template FetchEventID<event>() : 0;
  SetFlag<event>(id);
  WaitFlag<event>(id);
}

template <typename T>
OPKIT_INLINE void fill_gm(const char* name, const GlobalTensor<T>& gm, uint64_t size, T value) {
  if constexpr (g_coreType == AIC) return;
  if (size == 0) return;
  const LibraryCall call(name);
  LocalTensor<T> tile = rest_of_ub().template ReinterpretCast<T>();
  const uint32_t whole = tile.GetLength() / ONE_REPEAT_BYTE_SIZE * ONE_REPEAT_BYTE_SIZE;
  if (__builtin_expect(whole == 0, 0))
    return refuse_scratch(name, ONE_REPEAT_BYTE_SIZE, tile.GetLength());
  const uint64_t wanted =
      (bytes_of<T>(size) + ONE_REPEAT_BYTE_SIZE - 1) / ONE_REPEAT_BYTE_SIZE * ONE_REPEAT_BYTE_SIZE;
  const uint32_t most = whole < kFillTile ? whole : kFillTile;
  tile.SetBufferLen(wanted < most ? static_cast<uint32_t>(wanted) : most);
  fill_tile(tile, value);
  hand_over<HardEvent::V_MTE3>();
  const uint64_t part = tile.GetSize();
  for (uint64_t first = 0; first < size; first += part) {
    const uint64_t n = size - first < part ? size - first : part;
    pad_out(gm[first], tile, DataCopyExtParams(1, static_cast<uint32_t>(bytes_of<T>(n)), 0, 0, 0));
  }
  hand_over<HardEvent::MTE3_V>();
}

OPKIT_INLINE void refuse_given_out_ub(const char* message) {
  const TPipe* pipe = GetTPipePtr();
  if (__builtin_expect(pipe && pipe->used_bytes(OPK_MEM_UB) != 0, 0)) fault("EK1804", message);
}

}  // namespace detail

// What loads into UB afterwards has to wait: MTE3_MTE2, as the page says. Allowed before the first
// InitBuffer only.
template <typename T>
OPKIT_INLINE void InitGlobalMemory(GlobalTensor<T>& gmWorkspaceAddr, const uint64_t size,
                                   const T value) {
  detail::refuse_given_out_ub(
      "InitGlobalMemory: InitBuffer has given UB out before, and the chip "
      "fills UB from where it likes; call it before the first InitBuffer");
  detail::fill_gm("InitGlobalMemory", gmWorkspaceAddr, size, value);
}
template <typename T>
OPKIT_INLINE void InitOutput(GlobalTensor<T> gmWorkspaceAddr, uint32_t size, T value = T(0)) {
  InitGlobalMemory<T>(gmWorkspaceAddr, size, value);
}

template <typename T>
OPKIT_INLINE void Fill(GlobalTensor<T>& gmWorkspaceAddr, const uint64_t size, const T value) {
  detail::refuse_given_out_ub(
      "Fill: InitBuffer has given UB out before, and the chip fills UB from "
      "where it likes; call it before the first InitBuffer");
  detail::fill_gm("Fill", gmWorkspaceAddr, size, value);
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_FILL_H_
