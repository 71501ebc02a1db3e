// Sums of a convolution from L0C to GM, by panels of y's channels: into y, or into a slot of
// the workspace for the vector cores.
#ifndef OPS_SHARED_CONV_STORE_H_
#define OPS_SHARED_CONV_STORE_H_

#include "conv_tile.h"

namespace conv {

// Channels of a plane of y.
template <typename T>
__aicore__ constexpr uint32_t PlaneChannels() {
  return 32 / sizeof(T);
}
// Channels of a panel, which Fixpipe writes at once: a plane of y, or half of one of int8.
template <typename T>
__aicore__ constexpr uint32_t PanelChannels() {
  return PlaneChannels<T>() < 16 ? PlaneChannels<T>() : 16;
}

// Narrows sums to D and writes panels of `channels` each, `pitch` pixels apart.
template <typename D, typename Sum>
__aicore__ inline void StorePanels(const GlobalTensor<D>& to, const LocalTensor<Sum>& sums,
                                   const Tile& tile, uint32_t channels, uint32_t pitch, bool relu) {
  const uint32_t pixels = tile.pixels();
  FixpipeParamsV220 store(static_cast<uint16_t>(UpTo(tile.given, channels)),
                          static_cast<uint16_t>(pixels), static_cast<uint16_t>(UpTo(pixels, 16)),
                          pitch * channels * static_cast<uint32_t>(sizeof(D)) / 32, relu);
  if constexpr (IsSameType<D, half>::value) store.quantPre = QuantMode_t::F322F16;
  store.isChannelSplit = channels == 8;
  Fixpipe<D, Sum, CFG_NZ>(to, sums, store);
}

// Returns the element of y with the tile's first pixel and channel.
template <typename T>
__aicore__ inline uint64_t PlaceInY(const ConvTiling& t, const Tile& tile) {
  constexpr uint32_t kC0 = PlaneChannels<T>();
  const uint64_t planes = Parts(t.out_channels, kC0);
  const uint64_t plane = tile.image * planes + tile.channel / kC0;
  return ((plane * t.out_height + tile.row) * t.out_width + tile.column) * kC0;
}

// Writes y, or relu of it, on the cube core.
template <typename T, typename Core>
__aicore__ inline void StoreInY(Core& core, const ConvTiling& t, bool relu, GM_ADDR y) {
  GlobalTensor<T> out;
  out.SetGlobalBuffer((__gm__ T*)y);
  core.Run([&](const Tile& tile, uint32_t, const LocalTensor<float>& sums) {
    StorePanels(out[PlaceInY<T>(t, tile)], sums, tile, PanelChannels<T>(),
                t.out_height * t.out_width, relu);
  });
}

// Returns the slots of a block, each with the sums of a tile.
template <typename D>
__aicore__ inline GlobalTensor<D> SlotsOf(const ConvTiling& t, GM_ADDR workspace, uint32_t block) {
  GlobalTensor<D> slots;
  slots.SetGlobalBuffer((__gm__ D*)GetUserWorkspace(workspace) +
                        uint64_t{block} * kConvSlots * t.slot_sums);
  return slots;
}
template <typename D>
__aicore__ inline GlobalTensor<D> SlotOf(const ConvTiling& t, const GlobalTensor<D>& slots,
                                         uint32_t number) {
  return slots[uint64_t{number % kConvSlots} * t.slot_sums];
}

}  // namespace conv

#endif  // OPS_SHARED_CONV_STORE_H_
