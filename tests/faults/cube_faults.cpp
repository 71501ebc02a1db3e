// EK1701 to EK1710: loads into L0, products, Fixpipe.
#include "corpus.h"
#include "static_tensors.h"

using namespace AscendC;

namespace faults {
namespace {

// 16 KiB of x in L1; places in L0.
struct Cube {
  LocalTensor<half> l1{TPosition::A1, 0, 8192}, a{TPosition::A2, 0, 8192},
      b{TPosition::B2, 0, 8192};
  LocalTensor<float> c{TPosition::CO1, 0, 4096};
  GlobalTensor<float> gz;

  __aicore__ inline Cube(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<half> gx;
    gx.SetGlobalBuffer((__gm__ half*)x, kElements * 2);
    gz.SetGlobalBuffer((__gm__ float*)z, kElements);
    DataCopy(l1, gx, 8192);
    order<HardEvent::MTE2_MTE1>();
  }
  // Makes c, 16 rows of 64.
  __aicore__ inline void multiply() {
    LoadData(a, l1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
    LoadData(b, l1, LoadData2DParams(0, 4, 1, 0, 0, false, 0));
    order<HardEvent::MTE1_M>();
    Mmad(c, a, b, MmadParams(16, 64, 16, 0, false, true));
    order<HardEvent::M_FIX>();
  }
};

// --- EK1726: what lies behind k -----------------------------------------------------------------

__aicore__ inline void clear(Cube& t) {
  PipeBarrier<PIPE_ALL>();
  InitConstValue(t.l1, InitConstValueParams<half>(1, 256, 0, half(0.0f)));
  PipeBarrier<PIPE_ALL>();
}

template <bool kFault>
void leaves_values_behind_k(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  if constexpr (!kFault) clear(t);
  LoadData(t.a, t.l1, LoadData2DParams(0, 2, 1, 0, 0, false, 0));
  LoadData(t.b, t.l1, LoadData2DParams(0, 2, 1, 0, 0, false, 0));
  order<HardEvent::MTE1_M>();
  Mmad(t.c, t.a, t.b, MmadParams(16, 16, 24, 0, false, true));  // FAULT: leaves_values_behind_k
}

template <bool kFault>
void leaves_floats_behind_k(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  if constexpr (!kFault) clear(t);
  const auto l1 = t.l1.ReinterpretCast<float>(), a = t.a.ReinterpretCast<float>(),
             b = t.b.ReinterpretCast<float>();
  LoadData(a, l1, LoadData2DParams(0, 2, 1, 0, 0, false, 0));
  LoadData(b, l1, LoadData2DParams(0, 2, 1, 0, 0, false, 0));
  order<HardEvent::MTE1_M>();
  Mmad(t.c, a, b, MmadParams(16, 16, 12, 0, false, true));  // FAULT: leaves_floats_behind_k
}

template <bool kFault>
void leaves_bytes_behind_k(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  if constexpr (!kFault) clear(t);
  const auto l1 = t.l1.ReinterpretCast<int8_t>(), a = t.a.ReinterpretCast<int8_t>(),
             b = t.b.ReinterpretCast<int8_t>();
  const auto c = t.c.ReinterpretCast<int32_t>();
  LoadData(a, l1, LoadData2DParams(0, 2, 1, 0, 0, false, 0));
  LoadData(b, l1, LoadData2DParams(0, 2, 1, 0, 0, false, 0));
  order<HardEvent::MTE1_M>();
  Mmad(c, a, b, MmadParams(16, 16, 40, 0, false, true));  // FAULT: leaves_bytes_behind_k
}

// --- EK1701: steps below the start --------------------------------------------------------------

template <bool kFault>
void descends_below_the_first_fractal(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  const LoadData2DParams p(kFault ? 2 : 3, 4, 1, 0, 0, false, 1);
  LoadData(t.a, t.l1, p);  // FAULT: descends_below_the_first_fractal
}

template <bool kFault>
void descends_in_steps_of_three(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  const LoadData2DParams p(6, kFault ? 4 : 3, 3, 0, 0, false, 1);
  LoadData(t.b, t.l1, p);  // FAULT: descends_in_steps_of_three
}

template <bool kFault>
void descends_while_it_transposes(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  LoadData2DParams p(0, 2, 1, 0, 0, true, kFault);
  LoadData(t.b, t.l1, p);  // FAULT: descends_while_it_transposes
}

// --- EK1702: transposing ------------------------------------------------------------------------

template <bool kFault>
void transposes_bytes(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  auto a = t.a.ReinterpretCast<int8_t>(), l1 = t.l1.ReinterpretCast<int8_t>();
  LoadData(a, l1, LoadData2DParams(0, 1, 1, 0, 0, kFault, 0));  // FAULT: transposes_bytes
}

template <bool kFault>
void transposes_floats(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  auto b = t.b.ReinterpretCast<float>(), l1 = t.l1.ReinterpretCast<float>();
  LoadData(b, l1, LoadData2DParams(0, 2, 1, 0, 0, kFault, 0));  // FAULT: transposes_floats
}

template <bool kFault>
void transposes_from_gm(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  GlobalTensor<half> gx;
  gx.SetGlobalBuffer((__gm__ half*)x, kElements);
  LocalTensor<half> a(TPosition::A2, 0, 256);
  LoadData(a, gx, LoadData2DParams(0, 1, 1, 0, 0, kFault, 0));  // FAULT: transposes_from_gm
}

// --- EK1703: ways that do not exist -------------------------------------------------------------

template <bool kFault>
void loads_back_into_l1(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  const LoadData2DParams p(0, 1, 1, 0, 0, false, 0);
  LoadData(kFault ? t.l1 : t.a, kFault ? t.a : t.l1, p);  // FAULT: loads_back_into_l1
}

template <bool kFault>
void multiplies_out_of_l1(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  t.multiply();
  const MmadParams p(16, 16, 16, 0, false, true);
  order<HardEvent::FIX_M>();
  Mmad(t.c, kFault ? t.l1 : t.a, t.b, p);  // FAULT: multiplies_out_of_l1
}

template <bool kFault>
void stores_out_of_l1(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  t.multiply();
  const FixpipeParamsV220 p(16, 16, 16, 16, false);
  auto c = kFault ? LocalTensor<float>(TPosition::A1, 0, 256) : t.c;
  Fixpipe(t.gz, c, p);  // FAULT: stores_out_of_l1
}

// --- EK1704: windows of an image ----------------------------------------------------------------

template <bool kFault>
void window_ends_behind_the_columns(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  const uint8_t pads[4] = {1, 1, 1, 1};
  const LoadData3DParamsV2<half> p(pads, 6, 5, 32, kFault ? 304 : 288, 16, 0, 0, 1, 1, 3, 3, 1, 1,
                                   false, false, half(0.0f));
  LoadData(t.a, t.l1, p);  // FAULT: window_ends_behind_the_columns
}

template <bool kFault>
void window_ends_behind_the_rows(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  const uint8_t pads[4] = {0, 0, 0, 0};
  const LoadData3DParamsV2<half> p(pads, 4, 4, 16, 16, 16, 0, kFault ? 16 : 0, 1, 1, 1, 1, 1, 1,
                                   false, false, half(0.0f));
  LoadData(t.a, t.l1, p);  // FAULT: window_ends_behind_the_rows
}

template <bool kFault>
void filter_is_larger_than_the_image(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  const uint8_t pads[4] = {0, 0, 0, 0};
  const uint8_t dilation = kFault ? 4 : 1;
  const LoadData3DParamsV2<half> p(pads, 8, 8, 16, 16, 16, 0, 0, 1, 1, 3, 3, dilation, dilation,
                                   false, false, half(0.0f));
  LoadData(t.a, t.l1, p);  // FAULT: filter_is_larger_than_the_image
}

// --- EK1705, EK1706, EK1707: products -----------------------------------------------------------

__aicore__ inline void load_both(Cube& t) {
  LoadData(t.a, t.l1, LoadData2DParams(0, 16, 1, 0, 0, false, 0));
  LoadData(t.b, t.l1, LoadData2DParams(0, 16, 1, 0, 0, false, 0));
  order<HardEvent::MTE1_M>();
}

template <bool kFault>
void k_is_too_long(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  load_both(t);
  const MmadParams p(16, 16, kFault ? 4096 : 32, 0, false, true);
  Mmad(t.c, t.a, t.b, p);  // FAULT: k_is_too_long
}

template <bool kFault>
void m_is_too_long(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  load_both(t);
  const MmadParams p(kFault ? 8192 : 32, 16, 16, 0, false, true);
  Mmad(t.c, t.a, t.b, p);  // FAULT: m_is_too_long
}

template <bool kFault>
void n_wraps_around(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  load_both(t);
  const int32_t tail = kFault ? 16 - 32 : 16;
  const MmadParams p(16, static_cast<uint16_t>(tail), 16, 0, false, true);
  Mmad(t.c, t.a, t.b, p);  // FAULT: n_wraps_around
}

// The headers refuse other types; a plugin built with others reaches the engine.
template <bool kFault, int kA, int kB, int kC>
__aicore__ inline opk_mmad_v1 product_of(Cube& t) {
  opk_mmad_v1 x = AscendC::detail::mmad_call(t.c, t.a, t.b, MmadParams(16, 16, 16, 0, false, true));
  if constexpr (kFault) x.a.dtype = kA, x.b.dtype = kB, x.c.dtype = kC;
  return x;
}

template <bool kFault>
void multiplies_half_by_bfloat16(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  load_both(t);
  const auto p = product_of<kFault, OPK_FLOAT16, OPK_BFLOAT16, OPK_FLOAT32>(t);
  AscendC::detail::issue(p);  // FAULT: multiplies_half_by_bfloat16
}

template <bool kFault>
void sums_halves_in_half(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  load_both(t);
  const auto p = product_of<kFault, OPK_FLOAT16, OPK_FLOAT16, OPK_FLOAT16>(t);
  AscendC::detail::issue(p);  // FAULT: sums_halves_in_half
}

template <bool kFault>
void multiplies_unsigned_bytes(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  load_both(t);
  const auto p = product_of<kFault, OPK_UINT8, OPK_INT8, OPK_INT32>(t);
  AscendC::detail::issue(p);  // FAULT: multiplies_unsigned_bytes
}

template <bool kFault>
void names_a_bias_table_without_a_bias(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  load_both(t);
  const MmadParams p(16, 16, 16, 0, kFault, !kFault);
  Mmad(t.c, t.a, t.b, p);  // FAULT: names_a_bias_table_without_a_bias
}

template <bool kFault, int kType>
__aicore__ inline opk_mmad_v1 with_bias(Cube& t) {
  opk_mmad_v1 x = product_of<false, 0, 0, 0>(t);
  if constexpr (kFault) {
    x.init = 2;
    x.bias = AscendC::detail::operand(LocalTensor<float>(TPosition::C2, 0, 16));
    x.bias.dtype = kType;
  }
  return x;
}

template <bool kFault>
void bias_is_half(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  load_both(t);
  const auto p = with_bias<kFault, OPK_FLOAT16>(t);
  AscendC::detail::issue(p);  // FAULT: bias_is_half
}

template <bool kFault>
void bias_is_integer(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  load_both(t);
  const auto p = with_bias<kFault, OPK_INT32>(t);
  AscendC::detail::issue(p);  // FAULT: bias_is_integer
}

// --- EK1708, EK1709: Fixpipe --------------------------------------------------------------------

template <bool kFault>
void quantises_float_into_float(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  t.multiply();
  FixpipeParamsV220 p(16, 16, 16, 16, false);
  if constexpr (kFault) p.quantPre = QuantMode_t::F322F16;
  Fixpipe(t.gz, t.c, p);  // FAULT: quantises_float_into_float
}

template <bool kFault>
void forgets_the_cast_to_half(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  t.multiply();
  GlobalTensor<half> narrow;
  narrow.SetGlobalBuffer((__gm__ half*)z, kElements);
  FixpipeParamsV220 p(16, 16, 16, 16, false);
  if constexpr (!kFault) p.quantPre = QuantMode_t::F322F16;
  Fixpipe(narrow, t.c, p);  // FAULT: forgets_the_cast_to_half
}

template <bool kFault>
void keeps_floats_on_the_way_to_l1(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  t.multiply();
  using T = std::conditional_t<kFault, float, half>;
  FixpipeParamsV220 p(16, 16, 16, 16, false);
  if constexpr (!kFault) p.quantPre = QuantMode_t::F322F16;
  const LocalTensor<T> to = t.l1.template ReinterpretCast<T>();
  Fixpipe<T, float, CFG_NZ>(to, t.c, p);  // FAULT: keeps_floats_on_the_way_to_l1
}

template <bool kFault>
void dequantises_a_float_product(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  t.multiply();
  GlobalTensor<half> narrow;
  narrow.SetGlobalBuffer((__gm__ half*)z, kElements);
  FixpipeParamsV220 p(16, 16, 16, 16, false);
  p.quantPre = kFault ? QuantMode_t::DEQF16 : QuantMode_t::F322F16;
  Fixpipe(narrow, t.c, p);  // FAULT: dequantises_a_float_product
}

template <bool kFault>
void stores_part_of_a_panel(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  t.multiply();
  const FixpipeParamsV220 p(kFault ? 20 : 32, 16, 16, 32, false);
  Fixpipe<float, float, CFG_NZ>(t.gz, t.c, p);  // FAULT: stores_part_of_a_panel
}

template <bool kFault>
void panels_overlap(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  t.multiply();
  const FixpipeParamsV220 p(32, 16, kFault ? 8 : 16, 32, false);
  Fixpipe(t.gz, t.c, p);  // FAULT: panels_overlap
}

template <bool kFault>
void splits_channels_of_rows(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  t.multiply();
  const FixpipeParamsV220 p(16, 16, 16, 16, false, QuantMode_t::NoQuant, 0, 1, 0, 0, 0, kFault);
  Fixpipe(t.gz, t.c, p);  // FAULT: splits_channels_of_rows
}

// --- EK1710: parts of other chips ---------------------------------------------------------------

template <bool kFault>
void clips_on_the_way_out(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  t.multiply();
  DataCopyCO12DstParams p(16, 16, 16, 16, QuantMode_t::NoQuant, 0, false, true);
  p.clipReluPre = kFault;
  DataCopy(t.gz, t.c, p);  // FAULT: clips_on_the_way_out
}

template <bool kFault>
void adds_on_the_way_out(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  t.multiply();
  DataCopyCO12DstParams p(16, 16, 16, 16, QuantMode_t::NoQuant, 0, false, true);
  p.eltWiseOp = kFault;
  DataCopy(t.gz, t.c, p);  // FAULT: adds_on_the_way_out
}

template <bool kFault>
void leaks_on_the_way_out(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Cube t(x, z);
  t.multiply();
  const uint8_t relu = kFault ? 2 : 1;
  DataCopyCO12DstParams p(16, 16, 16, 16, QuantMode_t::NoQuant, relu, false, true);
  DataCopy(t.gz, t.c, p);  // FAULT: leaks_on_the_way_out
}

}  // namespace

Family cube_faults() {
  return {
      CUBE_FAULT("EK1726", leaves_values_behind_k, "Mmad: k is 24"),
      CUBE_FAULT("EK1726", leaves_floats_behind_k, "the last fractals of 8 hold"),
      CUBE_FAULT("EK1726", leaves_bytes_behind_k, "the last fractals of 32 hold"),
      CUBE_FAULT("EK1701", descends_below_the_first_fractal, "reads fractal -1"),
      CUBE_FAULT("EK1701", descends_in_steps_of_three, "reads fractal -3"),
      CUBE_FAULT("EK1701", descends_while_it_transposes, "reads fractal -1"),
      CUBE_FAULT("EK1702", transposes_bytes, "int8_t from L1"),
      CUBE_FAULT("EK1702", transposes_floats, "float from L1"),
      CUBE_FAULT("EK1702", transposes_from_gm, "from GM"),
      CUBE_FAULT("EK1703", loads_back_into_l1, "no way from L0A to L1"),
      CUBE_FAULT("EK1703", multiplies_out_of_l1, "left matrix lies in L1"),
      CUBE_FAULT("EK1703", stores_out_of_l1, "no way from L1 to GM"),
      CUBE_FAULT("EK1704", window_ends_behind_the_columns, "column 304"),
      CUBE_FAULT("EK1704", window_ends_behind_the_rows, "row 32"),
      CUBE_FAULT("EK1704", filter_is_larger_than_the_image, "does not fit"),
      CUBE_FAULT("EK1705", k_is_too_long, "16, 16, 4096"),
      CUBE_FAULT("EK1705", m_is_too_long, "8192, 16, 16"),
      CUBE_FAULT("EK1705", n_wraps_around, "16, 65520, 16"),
      CUBE_FAULT("EK1706", multiplies_half_by_bfloat16, "half and bfloat16_t in float"),
      CUBE_FAULT("EK1706", sums_halves_in_half, "in half"),
      CUBE_FAULT("EK1706", multiplies_unsigned_bytes, "uint8_t and int8_t"),
      CUBE_FAULT("EK1707", names_a_bias_table_without_a_bias, "no bias tensor"),
      CUBE_FAULT("EK1707", bias_is_half, "the bias is half"),
      CUBE_FAULT("EK1707", bias_is_integer, "the bias is int32_t"),
      CUBE_FAULT("EK1708", quantises_float_into_float, "does not make float out of float"),
      CUBE_FAULT("EK1708", forgets_the_cast_to_half, "does not make half out of float"),
      CUBE_FAULT("EK1708", dequantises_a_float_product, "does not make half out of float"),
      CUBE_FAULT("EK1708", keeps_floats_on_the_way_to_l1, "no way to L1 without quantPre"),
      CUBE_FAULT("EK1709", stores_part_of_a_panel, "nSize 20"),
      CUBE_FAULT("EK1709", panels_overlap, "srcStride 8 is below mSize 16"),
      CUBE_FAULT("EK1709", splits_channels_of_rows, "isChannelSplit"),
      CUBE_FAULT("EK1710", clips_on_the_way_out, "clipReluPre"),
      CUBE_FAULT("EK1710", adds_on_the_way_out, "eltWiseOp"),
      CUBE_FAULT("EK1710", leaks_on_the_way_out, "reluPre is 0 or 1"),
  };
}

}  // namespace faults
