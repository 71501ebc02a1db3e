// EK1001 to EK1008: bounds, alignment, memories that a core does not have, inputs.
#include "corpus.h"
#include "static_tensors.h"

using namespace AscendC;

namespace faults {
namespace {

// --- EK1001: outside a memory -------------------------------------------------------------------

template <bool kFault>
void fills_behind_ub(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  LocalTensor<float> t(TPosition::VECCALC, (kFault ? 192 : 96) * 1024 - 512, kTile);
  Duplicate(t, 1.0f, kTile);  // FAULT: fills_behind_ub
}

template <bool kFault>
void loads_behind_l1(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  GlobalTensor<float> gx;
  gx.SetGlobalBuffer((__gm__ float*)x, kElements);
  LocalTensor<float> a(TPosition::A1, (kFault ? 512 : 256) * 1024 - 512, kTile);
  DataCopy(a, gx, kTile);  // FAULT: loads_behind_l1
}

// The index of a ring of tiles runs one too far.
template <bool kFault>
void ring_is_longer_than_ub(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  GlobalTensor<float> gx;
  gx.SetGlobalBuffer((__gm__ float*)x, kElements);
  for (uint32_t i = 0; i < (kFault ? 13u : 12u); ++i) {
    LocalTensor<float> t(TPosition::VECIN, i * 16384, kElements);
    DataCopy(t, gx, kElements);  // FAULT: ring_is_longer_than_ub
  }
}

// --- EK1002: outside a tensor -------------------------------------------------------------------

template <bool kFault>
void copies_more_than_the_tensor_holds(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  DataCopy(t.y, t.gx, kFault ? 2 * kTile : kTile);  // FAULT: copies_more_than_the_tensor_holds
}

template <bool kFault>
void adds_more_than_the_buffer_holds(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, kTile * 4);
  auto t = buffer.Get<float>();
  Duplicate(t, 1.0f, kTile);
  Adds(t, t, 1.0f, kFault ? kTile + 64 : kTile);  // FAULT: adds_more_than_the_buffer_holds
}

template <bool kFault>
void steps_over_the_end(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.x, 1.0f, 2 * kTile);
  const UnaryRepeatParams steps(1, 1, 8, kFault ? 32 : 16);
  Abs(t.z, t.x, uint64_t{64}, 4, steps);  // FAULT: steps_over_the_end
}

// --- EK1003: misaligned -------------------------------------------------------------------------

template <bool kFault>
void copies_to_a_crooked_address(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  DataCopy(t.x[kFault ? 1 : 8], t.gx, 64);  // FAULT: copies_to_a_crooked_address
}

template <bool kFault>
void adds_at_an_odd_row(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.x, 1.0f, 2 * kTile);
  const uint32_t row = kFault ? 33 : 40;  // elements per row
  Add(t.z, t.x, t.x[row], 32);            // FAULT: adds_at_an_odd_row
}

template <bool kFault>
void multiplies_from_half_a_fractal(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  LocalTensor<half> a(TPosition::A2, kFault ? 256 : 0, 256), b(TPosition::B2, 0, 256);
  LocalTensor<float> c(TPosition::CO1, 0, 256);
  LocalTensor<half> l1(TPosition::A1, 0, 256);
  InitConstValue(l1, InitConstValueParams<half>(1, 16, 0, half(1.0f)));
  order<HardEvent::MTE2_MTE1>();
  LoadData(LocalTensor<half>(TPosition::A2, 0, 256), l1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
  LoadData(b, l1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
  order<HardEvent::MTE1_M>();
  Mmad(c, a, b, MmadParams(16, 16, 16, 0, false, true));  // FAULT: multiplies_from_half_a_fractal
}

// --- EK1004: outside a GM tensor ----------------------------------------------------------------

template <bool kFault>
void copies_behind_the_output(GM_ADDR, GM_ADDR, GM_ADDR z, GM_ADDR) {
  LocalTensor<float> t(TPosition::VECOUT, 0, kTile);
  GlobalTensor<float> gz;
  gz.SetGlobalBuffer((__gm__ float*)z);
  Duplicate(t, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  DataCopy(gz[kElements - (kFault ? 64 : kTile)], t, kTile);  // FAULT: copies_behind_the_output
}

// The tail is loaded as a whole tile.
template <bool kFault>
void loads_a_whole_tile_at_the_tail(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  LocalTensor<float> t(TPosition::VECIN, 0, kTile);
  GlobalTensor<float> gx;
  gx.SetGlobalBuffer((__gm__ float*)x);
  const uint32_t total = kElements, done = total - 96;
  const uint32_t n = kFault ? kTile : total - done;
  DataCopy(t, gx[done], n);  // FAULT: loads_a_whole_tile_at_the_tail
}

template <bool kFault>
void reads_a_scalar_behind_the_input(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  GlobalTensor<float> gx, gz;
  gx.SetGlobalBuffer((__gm__ float*)x);
  gz.SetGlobalBuffer((__gm__ float*)z);
  const float last = gx.GetValue(kElements - !kFault);  // FAULT: reads_a_scalar_behind_the_input
  gz.SetValue(0, last);
}

// --- EK1005: a memory that this core does not have ----------------------------------------------

template <bool kFault>
void vector_core_uses_l1(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  GlobalTensor<float> gx;
  gx.SetGlobalBuffer((__gm__ float*)x, kElements);
  LocalTensor<float> t(kFault ? TPosition::A1 : TPosition::VECIN, 0, kTile);
  DataCopy(t, gx, kTile);  // FAULT: vector_core_uses_l1
}

template <bool kFault>
void cube_core_loads_into_ub(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  GlobalTensor<float> gx;
  gx.SetGlobalBuffer((__gm__ float*)x, kElements);
  LocalTensor<float> t(kFault ? TPosition::VECIN : TPosition::A1, 1024, 2 * kTile);
  DataCopy(t, gx, 2 * kTile);  // FAULT: cube_core_loads_into_ub
}

template <bool kFault>
void cube_core_does_vector_work(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  if (!kFault) return;
  LocalTensor<float> t(TPosition::VECCALC, 0, kTile);
  Duplicate(t, 0.0f, kTile);  // FAULT: cube_core_does_vector_work
}

// --- EK1006: writes to an input -----------------------------------------------------------------

template <bool kFault>
void writes_an_input(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  DataCopy(kFault ? t.gx : t.gz, t.z, kTile);  // FAULT: writes_an_input
}

template <bool kFault>
void sets_a_scalar_of_an_input(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  auto& target = kFault ? t.gx : t.gz;
  target.SetValue(3, 1.0f);  // FAULT: sets_a_scalar_of_an_input
}

// In-place kernels take the input's pointer for the output's.
template <bool kFault>
void works_in_place_on_an_input(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  auto& target = kFault ? t.gy : t.gz;
  for (uint32_t i = 0; i < 2; ++i) {
    DataCopy(t.y, t.gy[i * kTile], kTile);
    order<HardEvent::MTE2_V>();
    Adds(t.z, t.y, 1.0f, kTile);
    order<HardEvent::V_MTE3>();
    DataCopy(target[i * kTile], t.z, kTile);  // FAULT: works_in_place_on_an_input
    order<HardEvent::MTE3_V>();
    order<HardEvent::V_MTE2>();
  }
}

// --- EK1007: an index behind the tensor ---------------------------------------------------------

template <bool kFault>
void reads_behind_a_local_tensor(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.z, 1.0f, kTile);
  const float last =
      t.z.GetValue(kFault ? kTile : kTile - 1);  // FAULT: reads_behind_a_local_tensor
  t.gz.SetValue(0, last);
}

template <bool kFault>
void sets_behind_a_local_tensor(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  for (uint32_t i = 0; i < (kFault ? kTile + 1 : kTile); ++i)
    t.z.SetValue(i, 1.0f);  // FAULT: sets_behind_a_local_tensor
}

template <bool kFault>
void refers_behind_a_local_tensor(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.z, 1.0f, kTile);
  float& last = t.z(kFault ? kTile : kTile - 1);  // FAULT: refers_behind_a_local_tensor
  t.gz.SetValue(0, last);
}

// --- EK1010: behind the size of a GlobalTensor, where the tensor goes on -------------------------

template <bool kFault>
void reads_a_gm_tensor_at_an_index_too_high(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  GlobalTensor<float> part, gz;
  part.SetGlobalBuffer((__gm__ float*)x, kTile);
  gz.SetGlobalBuffer((__gm__ float*)z);
  const uint32_t i = kFault ? kTile + 7 : 7;
  gz.SetValue(0, part.GetValue(i));  // FAULT: reads_a_gm_tensor_at_an_index_too_high
}

template <bool kFault>
void copies_the_neighbours_tile_in(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  LocalTensor<float> t(TPosition::VECIN, 0, kTile);
  GlobalTensor<float> part;
  part.SetGlobalBuffer((__gm__ float*)x, kTile);
  DataCopy(t, part[kFault ? 64 : 0], kTile);  // FAULT: copies_the_neighbours_tile_in
}

template <bool kFault>
void stores_over_the_neighbours_tile(GM_ADDR, GM_ADDR, GM_ADDR z, GM_ADDR) {
  LocalTensor<float> t(TPosition::VECOUT, 0, kTile);
  GlobalTensor<float> part;
  part.SetGlobalBuffer((__gm__ float*)z, kTile);
  Duplicate(t, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  DataCopy(part[kFault ? kTile : 0], t, kTile);  // FAULT: stores_over_the_neighbours_tile
}

// --- EK1008: conversions of older chips ---------------------------------------------------------

template <bool kFault>
void copies_through_relu(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  DataCopyEnhancedParams how;
  how.isRelu = kFault;
  DataCopy(t.x, t.gx, DataCopyParams(1, 8, 0, 0), how);  // FAULT: copies_through_relu
}

template <bool kFault>
void dequantises_while_it_copies(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  DataCopyEnhancedParams how;
  if constexpr (kFault) how.deqScale = DeqScale::DEQ;
  DataCopy(t.y, t.gy, DataCopyParams(1, 16, 0, 0), how);  // FAULT: dequantises_while_it_copies
}

template <bool kFault>
void copies_matrices_of_l0c(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  DataCopyEnhancedParams how;
  if constexpr (kFault) how.blockMode = BlockMode::BLOCK_MODE_MATRIX;
  DataCopy(t.x, t.gy, DataCopyParams(2, 4, 0, 0), how);  // FAULT: copies_matrices_of_l0c
}

TEST(MemoryFaults, AKernelGoesOnAfterARefusedCopy) {
  const auto report = check<writes_an_input<true>>();
  EXPECT_EQ(report.findings.size(), 1u) << all_text(report);
}

// --- EK1011: DataCopyPad makes at most 32 bytes on either side -----------------------------------

template <typename T>
struct Padded {
  GlobalTensor<T> gx;
  LocalTensor<T> t{TPosition::VECIN, 0, 256};
  DataCopyExtParams one{1, 64, 0, 0, 0};
  DataCopyPadExtParams<T> pad;

  __aicore__ inline Padded(GM_ADDR x, uint8_t left, uint8_t right) : pad(true, left, right, T(0)) {
    gx.SetGlobalBuffer((__gm__ T*)x);
  }
};

template <bool kFault>
void pads_nine_floats_on_the_right(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  Padded<float> p(x, 0, kFault ? 9 : 8);
  DataCopyPad(p.t, p.gx, p.one, p.pad);  // FAULT: pads_nine_floats_on_the_right
}

template <bool kFault>
void pads_seventeen_halves_on_the_left(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  Padded<half> p(x, kFault ? 17 : 16, 0);
  DataCopyPad(p.t, p.gx, p.one, p.pad);  // FAULT: pads_seventeen_halves_on_the_left
}

template <bool kFault>
void pads_bytes_on_both_sides(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  Padded<int8_t> p(x, 32, kFault ? 64 : 32);
  DataCopyPad(p.t, p.gx, p.one, p.pad);  // FAULT: pads_bytes_on_both_sides
}

}  // namespace

Family memory_faults() {
  return {
      VECTOR_FAULT("EK1001", fills_behind_ub, "of UB"),
      CUBE_FAULT("EK1001", loads_behind_l1, "of L1"),
      VECTOR_FAULT("EK1001", ring_is_longer_than_ub, "reaches from byte 196608"),
      VECTOR_FAULT("EK1002", copies_more_than_the_tensor_holds, "needs 2048 bytes in UB"),
      VECTOR_FAULT("EK1002", adds_more_than_the_buffer_holds, "its tensor has 1024"),
      VECTOR_FAULT("EK1002", steps_over_the_end, "Abs: source"),
      VECTOR_FAULT("EK1003", copies_to_a_crooked_address, "starts at byte 4 of UB"),
      VECTOR_FAULT("EK1003", adds_at_an_odd_row, "source 1 starts at byte 132"),
      CUBE_FAULT("EK1003", multiplies_from_half_a_fractal, "not a multiple of 512"),
      VECTOR_FAULT("EK1004", copies_behind_the_output, "of GM tensor 'z'"),
      VECTOR_FAULT("EK1004", loads_a_whole_tile_at_the_tail, "of GM tensor 'x'"),
      VECTOR_FAULT("EK1004", reads_a_scalar_behind_the_input, "GetValue"),
      VECTOR_FAULT("EK1005", vector_core_uses_l1, "lies in L1"),
      CUBE_FAULT("EK1005", cube_core_loads_into_ub, "lies in UB"),
      CUBE_FAULT("EK1005", cube_core_does_vector_work, "lies in UB"),
      VECTOR_FAULT("EK1006", writes_an_input, "writes into input 'x'"),
      VECTOR_FAULT("EK1006", sets_a_scalar_of_an_input, "SetValue"),
      VECTOR_FAULT("EK1006", works_in_place_on_an_input, "writes into input 'y'"),
      VECTOR_FAULT("EK1008", copies_through_relu, "no copy of this chip does"),
      VECTOR_FAULT("EK1008", dequantises_while_it_copies, "no copy of this chip does"),
      VECTOR_FAULT("EK1008", copies_matrices_of_l0c, "no copy of this chip does"),
      VECTOR_FAULT("EK1007", reads_behind_a_local_tensor, "index 256 is outside"),
      VECTOR_FAULT("EK1007", sets_behind_a_local_tensor, "SetValue"),
      VECTOR_FAULT("EK1007", refers_behind_a_local_tensor, "operator()"),
      VECTOR_FAULT("EK1010", reads_a_gm_tensor_at_an_index_too_high, "GetValue: element reads 4"),
      VECTOR_FAULT("EK1010", copies_the_neighbours_tile_in, "has 768 left"),
      VECTOR_FAULT("EK1010", stores_over_the_neighbours_tile, "writes 1024 bytes of GM"),
      VECTOR_FAULT("EK1011", pads_nine_floats_on_the_right, "36 on the right"),
      VECTOR_FAULT("EK1011", pads_seventeen_halves_on_the_left, "34 bytes on the left"),
      VECTOR_FAULT("EK1011", pads_bytes_on_both_sides, "64 on the right"),
  };
}

}  // namespace faults
