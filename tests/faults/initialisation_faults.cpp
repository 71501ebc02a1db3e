// EK1301, EK1302, EK1401, EK1402, EK1290: values that nobody made, operands that overlap.
#include "corpus.h"
#include "product.h"

using namespace AscendC;

namespace faults {
namespace {

// --- EK1301 -------------------------------------------------------------------------------------

template <bool kFault>
void adds_without_loading_y(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  DataCopy(t.x, t.gx, kTile);
  if constexpr (!kFault) DataCopy(t.y, t.gx[kTile], kTile);
  order<HardEvent::MTE2_V>();
  Add(t.z, t.x, t.y, kTile);  // FAULT: adds_without_loading_y
  t.store(kTile);
}

// A dump of a local tensor shows what is there, written or not; GM is read as by GetValue.
template <bool kFault>
void dumps_what_nobody_wrote(GM_ADDR, GM_ADDR, GM_ADDR z, GM_ADDR) {
  LocalTensor<float> t(TPosition::VECCALC, 0, 64);
  DumpTensor(t, 1, 2);
  GlobalTensor<float> gz;
  gz.SetGlobalBuffer((__gm__ float*)z, kElements);
  if constexpr (kFault) DumpTensor(gz, 2, 2);  // FAULT: dumps_what_nobody_wrote
}

// Lanes behind the data are nobody's business, as long as they stay in UB.
template <bool kFault>
void adds_more_than_was_loaded(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  DataCopy(t.x, t.gx, kTile - 64);
  order<HardEvent::MTE2_V>();
  Add(t.z, t.x, t.x, kTile);  // FAULT: adds_more_than_was_loaded
  t.store(kFault ? kTile : kTile - 64);
}

template <bool kFault>
void stores_more_than_was_made(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.z, 1.0f, kFault ? kTile - 8 : kTile);
  order<HardEvent::V_MTE3>();
  DataCopy(t.gz, t.z, kTile);  // FAULT: stores_more_than_was_made
}

template <bool kFault>
void reads_accumulator_before_it_is_zeroed(GM_ADDR, GM_ADDR, GM_ADDR z, GM_ADDR) {
  GlobalTensor<float> gz;
  gz.SetGlobalBuffer((__gm__ float*)z, kElements);
  TPipe pipe;
  TBuf<TPosition::VECCALC> sum;
  pipe.InitBuffer(sum, kTile * 4);
  auto total = sum.Get<float>();
  if constexpr (!kFault) Duplicate(total, 0.0f, kTile);
  Add(total, total, total, kTile);  // FAULT: reads_accumulator_before_it_is_zeroed
  order<HardEvent::V_MTE3>();
  DataCopy(gz, total, kTile);
}

template <bool kFault>
void reads_scalar_that_nobody_wrote(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  LocalTensor<float> t(TPosition::VECCALC, 0, 64);
  if constexpr (!kFault) t.SetValue(3, 1.0f);
  const float value = t.GetValue(3);  // FAULT: reads_scalar_that_nobody_wrote
  t.SetValue(4, value);
}

// Every second lane is loaded, all of them are read; lanes without the mask's bit are not.
template <bool kFault>
void masked_lanes_were_not_loaded(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  uint64_t even[2] = {0x5555555555555555u, 0}, odd[2] = {0xAAAAAAAAAAAAAAAAu, 0};
  Duplicate(t.x, 1.0f, even, 2, 1, 8);
  Duplicate(t.z, 0.0f, kTile);
  const UnaryRepeatParams dense(1, 1, 8, 8);
  Exp(t.z, t.x, kFault ? odd : even, 2, dense);  // FAULT: masked_lanes_were_not_loaded
  t.store(kTile);
}

template <bool kFault>
void repeats_read_more_than_was_loaded(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  DataCopy(t.x, t.gx, 128);
  order<HardEvent::MTE2_V>();
  const UnaryRepeatParams dense(1, 1, 8, 8);
  Exp(t.z, t.x, uint64_t{64}, kFault ? 3 : 2, dense);  // FAULT: repeats_read_more_than_was_loaded
  t.store(kFault ? 192 : 128);
}

// --- EK1302 -------------------------------------------------------------------------------------

template <bool kFault>
void reads_output(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  DataCopy(t.x, kFault ? t.gz[kTile] : t.gx, kTile);  // FAULT: reads_output
  order<HardEvent::MTE2_V>();
  Adds(t.z, t.x, 1.0f, kTile);
  t.store(kTile);
}

template <bool kFault>
void reads_behind_written_workspace(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  DataCopy(t.gw, t.z, kTile);
  order<HardEvent::MTE3_MTE2>();
  DataCopy(t.x, t.gw, 2 * kTile);  // FAULT: reads_behind_written_workspace
  order<HardEvent::MTE2_V>();
  Adds(t.z, t.x[kFault ? kTile : 0], 1.0f, kTile);
  t.store(kTile);
}

template <bool kFault>
void reads_workspace_scalar(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  if constexpr (!kFault) t.gw.SetValue(0, 2.0f);
  const float first = t.gw.GetValue(0);  // FAULT: reads_workspace_scalar
  t.gw.SetValue(1, first);
}

// --- EK1402 -------------------------------------------------------------------------------------

template <bool kFault>
void adds_to_unfilled_output(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  if constexpr (!kFault) DataCopy(t.gz, t.z, kTile);
  PipeBarrier<PIPE_MTE3>();
  SetAtomicAdd<float>();
  DataCopy(t.gz, t.z, kTile);  // FAULT: adds_to_unfilled_output
  SetAtomicNone();
}

template <bool kFault>
void takes_maximum_with_unfilled_output(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  if constexpr (!kFault) DataCopy(t.gz, t.z, kTile);
  PipeBarrier<PIPE_MTE3>();
  SetAtomicMax<float>();
  DataCopy(t.gz[64], t.z, 64);  // FAULT: takes_maximum_with_unfilled_output
  SetAtomicNone();
}

template <bool kFault>
void fills_half_of_the_output(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  DataCopy(t.gz, t.z, kFault ? kTile / 2 : kTile);
  PipeBarrier<PIPE_MTE3>();
  SetAtomicAdd<float>();
  DataCopy(t.gz, t.z, kTile);  // FAULT: fills_half_of_the_output
  SetAtomicNone();
}

// --- EK1290 -------------------------------------------------------------------------------------

template <bool kFault>
void shifts_up_in_place(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.x, 1.0f, 2 * kTile);
  Add(t.x[kFault ? 64 : 0], t.x, t.x, kTile);  // FAULT: shifts_up_in_place
}

template <bool kFault>
void overlaps_within_an_iteration(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.x, 1.0f, 2 * kTile);
  Add(t.x, t.x[kFault ? 8 : kTile], t.x, kTile);  // FAULT: overlaps_within_an_iteration
}

template <bool kFault>
void exp_onto_the_tail_of_its_source(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.x, 1.0f, 2 * kTile);
  Exp(t.x[kFault ? kTile - 8 : kTile], t.x, kTile);  // FAULT: exp_onto_the_tail_of_its_source
}

// What a repeat writes lies where later ones read.
template <bool kFault>
void widens_in_place(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  const auto narrow = t.z.ReinterpretCast<half>();
  Duplicate(narrow, half(1.0f), kTile);
  if constexpr (kFault)
    Cast(t.z, narrow, RoundMode::CAST_NONE, kTile);  // FAULT: widens_in_place
  else
    Cast(t.x, narrow, RoundMode::CAST_NONE, kTile);
}

// Iteration 0 widens eight numbers to eight blocks, over those of the later iterations.
template <bool kFault>
void broadcasts_onto_its_source(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.x, 1.0f, kTile);
  Brcb(kFault ? t.x : t.z, t.x, 4, BrcbRepeatParams(1, 8));  // FAULT: broadcasts_onto_its_source
}

template <bool kFault>
void sorts_onto_its_scores(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.x, 1.0f, kTile);
  const auto index = t.y.ReinterpretCast<uint32_t>();
  Duplicate(index, 7u, kTile);
  Sort32(kFault ? t.x : t.z, t.x, index, 4);  // FAULT: sorts_onto_its_scores
}

template <bool kFault>
void gathers_onto_its_source(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.x, 1.0f, kTile);
  const auto offset = t.y.ReinterpretCast<uint32_t>();
  Duplicate(offset, 4u, kTile);
  Gather(kFault ? t.x : t.z, t.x, offset, 0, kTile);  // FAULT: gathers_onto_its_source
}

// From where it reads on a packing never overtakes; behind that it does.
template <bool kFault>
void packs_onto_later_rows(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.x, 1.0f, 2 * kTile);
  uint64_t kept = 0;
  const uint8_t all = 7;
  const auto onto = t.x[kFault ? 64 : 0];
  GatherMask(onto, t.x, all, false, 0, {1, 4, 8, 8}, kept);  // FAULT: packs_onto_later_rows
}

// Sums onto one row are defined; a quotient of the quotient before is not.
template <bool kFault>
void divides_what_it_divided(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.x, 1.0f, kTile);
  Duplicate(t.z, 1.0f, kTile);
  const BinaryRepeatParams onto_one_row(1, 1, 1, 0, 0, 8);
  if constexpr (kFault)
    Div(t.z, t.z, t.x, 64, 4, onto_one_row);  // FAULT: divides_what_it_divided
  else
    Add(t.z, t.z, t.x, 64, 4, onto_one_row);
}

template <bool kFault>
void moves_on_by_less_than_it_reads(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.x, 1.0f, kTile);
  const UnaryRepeatParams strides(1, 1, kFault ? 4 : 8, kFault ? 4 : 8);
  Adds(t.x, t.x, 1.0f, 64, 2, strides);  // FAULT: moves_on_by_less_than_it_reads
}

// --- EK1401 -------------------------------------------------------------------------------------

// The headers refuse other types; a plugin that was built with others reaches the engine.
template <bool kFault, int32_t kType>
__aicore__ inline void add_as(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w, Tensors& t) {
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  DataCopy(t.gz, t.z, kTile);
  PipeBarrier<PIPE_MTE3>();
  SetAtomicAdd<float>();
  if constexpr (kFault) AscendC::detail::core()->atomic_dtype = kType;
}

template <bool kFault>
void adds_unsigned_words(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  add_as<kFault, OPK_UINT32>(x, y, z, w, t);
  DataCopy(t.gz, t.z, kTile);  // FAULT: adds_unsigned_words
  SetAtomicNone();
}

template <bool kFault>
void adds_long_words(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  add_as<kFault, OPK_INT64>(x, y, z, w, t);
  DataCopy(t.gz, t.z, kTile);  // FAULT: adds_long_words
  SetAtomicNone();
}

template <bool kFault>
void takes_maxima_of_bytes(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  add_as<kFault, OPK_UINT8>(x, y, z, w, t);
  AscendC::detail::core()->atomic = OPK_ATOMIC_MAX;
  DataCopy(t.gz, t.z, kTile);  // FAULT: takes_maxima_of_bytes
  SetAtomicNone();
}

// --- the cube core ------------------------------------------------------------------------------

template <bool kFault>
void loads_from_an_empty_l1(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Product p(x, z);
  DataCopy(p.l1a, p.gx, kFault ? 256 : 512);
  order<HardEvent::MTE2_MTE1>();
  LoadData(p.a, p.l1a, LoadData2DParams(0, 2, 1, 0, 0, false, 0));  // FAULT: loads_from_an_empty_l1
  p.load_right();
  order<HardEvent::MTE1_M>();
  Mmad(p.c, p.a, p.b, MmadParams(32, 16, 16, 0, false, true));
  p.store(32, 32);
}

// 20 rows are in two fractals, and a third one is loaded: what lies behind the rows may take part,
// as long as it does not leave L0C.
template <bool kFault>
void loads_fractals_behind_the_rows(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Product p(x, z);
  DataCopy(p.l1a, p.gx, Nd2NzParams(1, 20, 16, 0, 16, 48, 1, 0));
  order<HardEvent::MTE2_MTE1>();
  LoadData(p.a, p.l1a,  // FAULT: loads_fractals_behind_the_rows
           LoadData2DParams(0, 3, 1, 0, 0, false, 0));
  p.load_right();
  order<HardEvent::MTE1_M>();
  Mmad(p.c, p.a, p.b, MmadParams(48, 16, 16, 0, false, true));
  p.store(kFault ? 21 : 20, 48);
}

template <bool kFault>
void multiplies_by_an_empty_l0b(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Product p(x, z);
  DataCopy(p.l1a, p.gx, 256);
  order<HardEvent::MTE2_MTE1>();
  LoadData(p.a, p.l1a, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
  if constexpr (!kFault) p.load_right();
  order<HardEvent::MTE1_M>();
  const MmadParams params(16, 16, 16, 0, false, true);
  Mmad(p.c, p.a, p.b, params);  // FAULT: multiplies_by_an_empty_l0b
  p.store(16, 16);
}

template <bool kFault>
void accumulates_on_an_empty_l0c(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Product p(x, z);
  DataCopy(p.l1a, p.gx, 256);
  order<HardEvent::MTE2_MTE1>();
  LoadData(p.a, p.l1a, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
  p.load_right();
  order<HardEvent::MTE1_M>();
  const MmadParams params(16, 16, 16, 0, false, !kFault);  // the last: start from zero
  Mmad(p.c, p.a, p.b, params);                             // FAULT: accumulates_on_an_empty_l0c
  p.store(16, 16);
}

}  // namespace

Family initialisation_faults() {
  return {
      VECTOR_FAULT("EK1301", adds_without_loading_y, "bytes 8192 to 9216 of UB"),
      VECTOR_FAULT("EK1301", adds_more_than_was_loaded, "bytes 768 to 1024 of UB"),
      VECTOR_FAULT("EK1301", stores_more_than_was_made, "of UB"),
      VECTOR_FAULT("EK1301", reads_accumulator_before_it_is_zeroed, "of UB"),
      VECTOR_FAULT("EK1301", reads_scalar_that_nobody_wrote, "bytes 12 to 16 of UB"),
      VECTOR_FAULT("EK1301", masked_lanes_were_not_loaded, "of UB"),
      VECTOR_FAULT("EK1301", repeats_read_more_than_was_loaded, "of UB"),
      CUBE_FAULT("EK1301", loads_from_an_empty_l1, "of L1"),
      CUBE_FAULT("EK1301", loads_fractals_behind_the_rows, "bytes 640 to 1536 of L1"),
      CUBE_FAULT("EK1301", multiplies_by_an_empty_l0b, "of L0B"),
      CUBE_FAULT("EK1301", accumulates_on_an_empty_l0c, "of L0C"),
      VECTOR_FAULT("EK1302", dumps_what_nobody_wrote, "GM tensor 'z'"),
      VECTOR_FAULT("EK1302", reads_output, "GM tensor 'z'"),
      VECTOR_FAULT("EK1302", reads_behind_written_workspace, "bytes 1024 to 2048"),
      VECTOR_FAULT("EK1302", reads_workspace_scalar, "GM tensor 'workspace'"),
      VECTOR_FAULT("EK1402", adds_to_unfilled_output, "adds atomically"),
      VECTOR_FAULT("EK1402", takes_maximum_with_unfilled_output, "GM tensor 'z'"),
      VECTOR_FAULT("EK1402", fills_half_of_the_output, "bytes 512 to 1024"),
      VECTOR_FAULT("EK1401", adds_unsigned_words, "uint32_t"),
      VECTOR_FAULT("EK1401", adds_long_words, "int64_t"),
      VECTOR_FAULT("EK1401", takes_maxima_of_bytes, "uint8_t"),
      VECTOR_FAULT("EK1290", shifts_up_in_place, "256 bytes apart"),
      VECTOR_FAULT("EK1290", overlaps_within_an_iteration, "32 bytes apart"),
      VECTOR_FAULT("EK1290", exp_onto_the_tail_of_its_source, "overlap"),
      VECTOR_FAULT("EK1290", widens_in_place, "widens half to float over its own bytes in UB"),
      VECTOR_FAULT("EK1290", broadcasts_onto_its_source, "a later iteration reads as source 1"),
      VECTOR_FAULT("EK1290", sorts_onto_its_scores, "what an earlier one has written"),
      VECTOR_FAULT("EK1290", gathers_onto_its_source, "a later iteration reads as source 1"),
      VECTOR_FAULT("EK1290", packs_onto_later_rows, "a later iteration reads"),
      VECTOR_FAULT("EK1290", divides_what_it_divided, "what an earlier one has written"),
      VECTOR_FAULT("EK1290", moves_on_by_less_than_it_reads, "a later iteration reads"),
  };
}

}  // namespace faults
