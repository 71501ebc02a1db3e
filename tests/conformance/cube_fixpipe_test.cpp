// Fixpipe against plain loops over the documented formulas.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/conformance/cube_matrices.h"
#include "tests/conformance/raw_memory.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;
using ::testing::HasSubstr;

constexpr uint32_t kWords = 8192;  // counts words of 4 bytes in L0C

std::function<void(LocalTensor<float> l0c, uint8_t* gm)> body;
void fixpipe_kernel(void* const* args) {
  LocalTensor<float> l0c(TPosition::CO1, 0, kWords);
  put_raw(l0c, args[0], kWords * 4);
  body(l0c, static_cast<uint8_t*>(args[1]));
}

LaunchReport last_report;
template <typename Out>
std::vector<Out> stored(const void* l0c, size_t elements, Out before = Out(0)) {
  std::vector<Out> out(elements, before);
  LaunchSetup setup = on_cube_core();
  setup.gm = {{reinterpret_cast<uint8_t*>(out.data()), elements * sizeof(Out), "c", true, true}};
  last_report = run<fixpipe_kernel>({const_cast<void*>(l0c), out.data()}, setup);
  return out;
}

template <typename T>
GlobalTensor<T> at(uint8_t* gm) {
  GlobalTensor<T> t;
  t.SetGlobalBuffer(reinterpret_cast<T*>(gm));
  return t;
}

float value_at(const std::vector<float>& l0c, uint32_t r, uint32_t c, uint32_t stride) {
  return l0c[(size_t{c / 16} * stride + r) * 16 + c % 16];
}

constexpr uint32_t kM = 21, kN = 37, kStride = 32, kPitch = 50;

TEST(Fixpipe, StoresRowsOfFloat) {
  const auto in = noise<float>(kWords, 1);
  body = [](auto l0c, uint8_t* gm) {
    Fixpipe(at<float>(gm), l0c, FixpipeParamsV220(kN, kM, kStride, kPitch, false));
  };
  const auto out = stored<float>(in.data(), kM * kPitch, -7.0f);
  ASSERT_TRUE(last_report.ok()) << last_report.faults[0].message;
  for (uint32_t r = 0; r < kM; ++r)
    for (uint32_t c = 0; c < kPitch; ++c)
      ASSERT_EQ(out[r * kPitch + c], c < kN ? value_at(in, r, c, kStride) : -7.0f);
}

template <typename T>
void narrow(QuantMode_t mode) {
  auto in = noise<float>(kWords, 2);
  in[0] = 1.0e6f;
  in[1] = 1.0f + 1.0f / 2048;
  body = [=](auto l0c, uint8_t* gm) {
    FixpipeParamsV220 p(kN, kM, kStride, kPitch, true);
    p.quantPre = mode;
    Fixpipe<T, float, CFG_ROW_MAJOR>(at<T>(gm), l0c, p);
  };
  const auto out = stored<T>(in.data(), kM * kPitch);
  ASSERT_TRUE(last_report.ok());
  for (uint32_t r = 0; r < kM; ++r)
    for (uint32_t c = 0; c < kN; ++c) {
      const float x = value_at(in, r, c, kStride);
      ASSERT_EQ(out[r * kPitch + c].bits, T(x < 0 ? 0.0f : x).bits);
    }
}
TEST(Fixpipe, RoundsToHalfAfterRelu) { narrow<half>(QuantMode_t::F322F16); }
TEST(Fixpipe, RoundsToBfloat16AfterRelu) { narrow<bfloat16_t>(QuantMode_t::F322BF16); }

TEST(Fixpipe, ReluOfInt32ComparesIntegers) {
  auto in = noise<int32_t>(kWords, 3);
  in[0] = -1;
  in[1] = INT32_MIN;
  body = [](auto l0c, uint8_t* gm) {
    Fixpipe(at<int32_t>(gm), l0c.template ReinterpretCast<int32_t>(),
            FixpipeParamsV220(kN, kM, kStride, kPitch, true));
  };
  const auto out = stored<int32_t>(in.data(), kM * kPitch);
  for (uint32_t r = 0; r < kM; ++r)
    for (uint32_t c = 0; c < kN; ++c)
      ASSERT_EQ(out[r * kPitch + c], std::max(0, in[(size_t{c / 16} * kStride + r) * 16 + c % 16]));
}

TEST(Fixpipe, StoresSeveralMatrices) {
  const auto in = noise<float>(kWords, 4);
  body = [](auto l0c, uint8_t* gm) {
    Fixpipe(at<float>(gm), l0c,
            FixpipeParamsV220(20, 16, 16, 24, false, QuantMode_t::NoQuant, 0, 3, 2, 400, 0));
  };
  const auto out = stored<float>(in.data(), 1200);
  ASSERT_TRUE(last_report.ok());
  for (uint32_t d = 0; d < 3; ++d)
    for (uint32_t r = 0; r < 16; ++r)
      for (uint32_t c = 0; c < 20; ++c)
        ASSERT_EQ(out[d * 400 + r * 24 + c], in[d * 512 + (c / 16 * 16 + r) * 16 + c % 16]);
}

TEST(Fixpipe, StoresPanels) {
  const auto in = noise<float>(kWords, 5);
  body = [](auto l0c, uint8_t* gm) {
    FixpipeParamsV220 p(48, 19, 32, 30, false);
    p.quantPre = QuantMode_t::F322F16;
    Fixpipe<half, float, CFG_NZ>(at<half>(gm), l0c, p);
  };
  const auto out = stored<half>(in.data(), 3 * 30 * 16);
  ASSERT_TRUE(last_report.ok());
  for (uint32_t r = 0; r < 19; ++r)
    for (uint32_t c = 0; c < 48; ++c)
      ASSERT_EQ(out[c / 16 * 480 + r * 16 + c % 16].bits, half(value_at(in, r, c, 32)).bits);
}

TEST(Fixpipe, SplitsChannelsOfFloat) {
  const auto in = noise<float>(kWords, 6);
  body = [](auto l0c, uint8_t* gm) {
    Fixpipe<float, float, CFG_NZ>(
        at<float>(gm), l0c,
        FixpipeParamsV220(24, 16, 16, 16, false, QuantMode_t::NoQuant, 0, 1, 0, 0, 0, true));
  };
  const auto out = stored<float>(in.data(), 3 * 128);
  ASSERT_TRUE(last_report.ok());
  for (uint32_t r = 0; r < 16; ++r)
    for (uint32_t c = 0; c < 24; ++c)
      ASSERT_EQ(out[c / 8 * 128 + r * 8 + c % 8], value_at(in, r, c, 16));
}

// shift: 0 for none, or 1 to 16: the mode bit and one less than the shift.
uint64_t word(float m1, uint32_t shift, int32_t offset, bool is_signed) {
  uint32_t bits;
  std::memcpy(&bits, &m1, 4);
  const uint64_t shifts = shift ? uint64_t{1} << 36 | uint64_t{shift - 1} << 32 : 0;
  return bits | shifts | (static_cast<uint64_t>(offset) & 0x1ff) << 37 | uint64_t{is_signed} << 46;
}
int requantised(double x, float m1, int32_t offset, bool is_signed) {
  uint32_t bits;
  std::memcpy(&bits, &m1, 4);
  bits = bits >> 13 << 13;
  float kept;
  std::memcpy(&kept, &bits, 4);
  const float scaled = static_cast<float>(x) * kept;
  const double rounded = std::min(255.0, std::max(-256.0, double{std::nearbyint(scaled)}));
  const double sum = rounded + offset;
  return static_cast<int>(is_signed ? std::min(127.0, std::max(-128.0, sum))
                                    : std::min(255.0, std::max(0.0, sum)));
}

TEST(Fixpipe, QuantisesFloatToBytes) {
  const auto in = noise<float>(kWords, 7);
  for (const bool is_signed : {true, false}) {
    body = [=](auto l0c, uint8_t* gm) {
      FixpipeParamsV220 p(kN, kM, kStride, kPitch, false);
      p.quantPre = QuantMode_t::QF322B8_PRE;
      p.deqScalar = word(77.7f, 0, -3, is_signed);
      if (is_signed)
        Fixpipe(at<int8_t>(gm), l0c, p);
      else
        Fixpipe(at<uint8_t>(gm), l0c, p);
    };
    const auto out = stored<uint8_t>(in.data(), kM * kPitch);
    ASSERT_TRUE(last_report.ok());
    for (uint32_t r = 0; r < kM; ++r)
      for (uint32_t c = 0; c < kN; ++c) {
        const uint8_t byte = out[r * kPitch + c];
        const int got = is_signed ? static_cast<int8_t>(byte) : byte;
        ASSERT_EQ(got, requantised(value_at(in, r, c, kStride), 77.7f, -3, is_signed));
      }
  }
}

// One word per column, from L1 and through the fixpipe buffer's registers.
TEST(Fixpipe, DequantisesInt32ByColumn) {
  auto in = noise<int32_t>(kWords, 8);
  for (auto& x : in) x /= 1 << 12;
  const auto scale = [](uint32_t c) { return 0.0003f * static_cast<float>(c + 1); };
  for (const bool registers : {false, true}) {
    body = [=](auto l0c, uint8_t* gm) {
      LocalTensor<uint64_t> words(registers ? TPosition::C2PIPE2GM : TPosition::A1, 0, 48);
      uint64_t each[kN];
      for (uint32_t c = 0; c < kN; ++c) each[c] = word(scale(c), 0, 0, false);
      put_raw(words, each, sizeof each);
      const auto c32 = l0c.template ReinterpretCast<int32_t>();
      if (registers) {
        SetFixPipeConfig(words);
        SetFixpipeNz2ndFlag(1, 0, 0);
        DataCopy(
            at<half>(gm), c32,
            DataCopyCO12DstParams(kN, kM, kPitch, kStride, QuantMode_t::VDEQF16, 0, false, true));
      } else {
        FixpipeParamsV220 p(kN, kM, kStride, kPitch, false);
        p.quantPre = QuantMode_t::VDEQF16;
        Fixpipe(at<half>(gm), c32, words, p);
      }
    };
    const auto out = stored<half>(in.data(), kM * kPitch);
    ASSERT_TRUE(last_report.ok()) << last_report.faults[0].message;
    for (uint32_t r = 0; r < kM; ++r)
      for (uint32_t c = 0; c < kN; ++c) {
        uint32_t bits = static_cast<uint32_t>(word(scale(c), 0, 0, false)) >> 13 << 13;
        float m1;
        std::memcpy(&m1, &bits, 4);
        const int32_t x = in[(size_t{c / 16} * kStride + r) * 16 + c % 16];
        ASSERT_EQ(out[r * kPitch + c].bits, half(static_cast<float>(x) * m1).bits);
      }
  }
}

TEST(Fixpipe, RequantisesInt32InPanelsOf32) {
  auto in = noise<int32_t>(kWords, 9);
  for (auto& x : in) x /= 1 << 10;
  body = [](auto l0c, uint8_t* gm) {
    SetFixpipePreQuantFlag(word(0.01f, 4, 5, true));
    DataCopy(at<int8_t>(gm), l0c.template ReinterpretCast<int32_t>(),
             DataCopyCO12DstParams(64, 16, 16, 16, QuantMode_t::REQ8, 0, false, false));
  };
  const auto out = stored<int8_t>(in.data(), 2 * 512);
  ASSERT_TRUE(last_report.ok());
  for (uint32_t r = 0; r < 16; ++r)
    for (uint32_t c = 0; c < 64; ++c) {
      const int32_t x = in[(c / 16 * 16 + r) * 16 + c % 16];
      const int32_t shifted = std::min(32767, std::max(-32768, x >> 4));
      ASSERT_EQ(out[c / 32 * 512 + r * 32 + c % 32], requantised(shifted, 0.01f, 5, true));
    }
}

// Page "随路量化": bit 36 chooses whether an int32_t is shifted; without it bits 32 to 35 are void,
// and both are for products of floats.
TEST(Fixpipe, ShiftsWhereTheModeBitSaysSo) {
  auto in = noise<int32_t>(kWords, 21);
  for (auto& x : in) x /= 1 << 8;
  const auto shifted = [&](uint32_t i, uint32_t by) {
    return by ? std::min(32767, std::max(-32768, in[i] >> by)) : in[i];
  };
  constexpr uint64_t kLone = uint64_t{7} << 32;  // a number of bits without the mode bit
  for (const uint32_t by : {0u, 1u, 5u, 16u}) {
    const float scale = by == 0 ? 0.00002f : 0.002f;
    const uint64_t w = word(scale, by, 0, true) | (by == 0 ? kLone : 0);
    body = [=](auto l0c, uint8_t* gm) {
      FixpipeParamsV220 p(16, 16, 16, 16, false);
      p.deqScalar = w;
      p.quantPre = QuantMode_t::REQ8;
      Fixpipe(at<int8_t>(gm), l0c.template ReinterpretCast<int32_t>(), p);
      p.quantPre = QuantMode_t::DEQF16;
      Fixpipe(at<half>(gm + 256), l0c.template ReinterpretCast<int32_t>(), p);
    };
    const auto out = stored<uint8_t>(in.data(), 256 + 512);
    ASSERT_TRUE(last_report.ok()) << last_report.faults[0].message;
    for (uint32_t i = 0; i < 256; ++i) {
      ASSERT_EQ(static_cast<int8_t>(out[i]), requantised(shifted(i, by), scale, 0, true)) << by;
      uint32_t bits = static_cast<uint32_t>(w) >> 13 << 13;
      float m1;
      std::memcpy(&m1, &bits, 4);
      uint16_t got;
      std::memcpy(&got, &out[256 + i * 2], 2);
      ASSERT_EQ(got, half(static_cast<float>(shifted(i, by)) * m1).bits) << by;
    }
  }
}

TEST(Fixpipe, ShiftsNoFloats) {
  const auto in = noise<float>(kWords, 22);
  body = [](auto l0c, uint8_t* gm) {
    FixpipeParamsV220 p(16, 16, 16, 16, false);
    p.quantPre = QuantMode_t::QF322B8_PRE;
    p.deqScalar = word(30.0f, 3, 0, true);
    Fixpipe(at<int8_t>(gm), l0c, p);
  };
  const auto out = stored<int8_t>(in.data(), 256);
  ASSERT_TRUE(last_report.ok()) << last_report.faults[0].message;
  for (uint32_t i = 0; i < 256; ++i) ASSERT_EQ(out[i], requantised(in[i], 30.0f, 0, true));
}

// "ndNum = 0: the instruction is not executed" (page "Fixpipe（L0C到GM数据搬运）").
TEST(Fixpipe, StoresNoMatricesWhenThereAreNone) {
  const auto in = noise<float>(kWords, 23);
  body = [](auto l0c, uint8_t* gm) {
    Fixpipe(at<float>(gm), l0c,
            FixpipeParamsV220(16, 16, 16, 16, false, QuantMode_t::NoQuant, 0, 0, 0, 0, 0));
  };
  const auto out = stored<float>(in.data(), 256, -7.0f);
  ASSERT_TRUE(last_report.ok());
  EXPECT_EQ(out, std::vector<float>(256, -7.0f));
}

// The distance of matrices has 16 bits on this chip (page "SetFixpipeNz2ndFlag").
TEST(Fixpipe, CountsTheDistanceOfMatricesIn16Bits) {
  const auto in = noise<float>(kWords, 24);
  body = [](auto l0c, uint8_t* gm) {
    SetFixpipeNz2ndFlag(2, 1, static_cast<uint16_t>(65536 + 256));
    DataCopy(at<float>(gm), l0c,
             DataCopyCO12DstParams(16, 16, 16, 16, QuantMode_t::NoQuant, 0, false, true));
  };
  const auto out = stored<float>(in.data(), 512);
  ASSERT_TRUE(last_report.ok());
  EXPECT_EQ(out, std::vector<float>(in.begin(), in.begin() + 512));
  static_assert(
      std::is_same_v<decltype(&SetFixpipeNz2ndFlag), void (*)(uint16_t, uint16_t, uint16_t)>);
}

TEST(Fixpipe, AddsAtomically) {
  const auto in = noise<float>(kWords, 10);
  body = [](auto l0c, uint8_t* gm) {
    SetAtomicAdd<float>();
    for (int i = 0; i < 2; ++i)
      Fixpipe(at<float>(gm), l0c, FixpipeParamsV220(kN, kM, kStride, kN, false));
    SetAtomicNone();
  };
  const auto out = stored<float>(in.data(), kM * kN, 10.0f);
  ASSERT_TRUE(last_report.ok());
  for (uint32_t r = 0; r < kM; ++r)
    for (uint32_t c = 0; c < kN; ++c) {
      const float x = value_at(in, r, c, kStride);
      ASSERT_EQ(out[r * kN + c], 10.0f + x + x);
    }
}

TEST(Fixpipe, StoresIntoL1) {
  const auto in = noise<float>(kWords, 11);
  body = [](auto l0c, uint8_t* gm) {
    LocalTensor<half> l1(TPosition::A1, 64, 2 * 16 * 16);
    FixpipeParamsV220 p(32, 16, 16, 16, false);
    p.quantPre = QuantMode_t::F322F16;
    Fixpipe<half, float, CFG_NZ>(l1, l0c, p);
    take_raw(gm, l1, 1024);
  };
  const auto out = stored<half>(in.data(), 512);
  ASSERT_TRUE(last_report.ok());
  for (uint32_t i = 0; i < 512; ++i) ASSERT_EQ(out[i].bits, half(in[i]).bits);
}

// Rows do not exist on the way to L1: the configuration has no effect there, nor has nz2ndEn.
// (Pages "Fixpipe（L0C到L1数据搬运）", "DataCopy（L0C到L1数据搬运）".)
TEST(Fixpipe, StoresPanelsIntoL1WhateverTheFormat) {
  const auto in = noise<float>(kWords, 25);
  for (const bool registers : {false, true}) {
    body = [=](auto l0c, uint8_t* gm) {
      LocalTensor<half> l1(TPosition::A1, 64, 2 * 20 * 16);
      if (registers) {
        DataCopy(l1, l0c,
                 DataCopyCO12DstParams(32, 16, 20, 16, QuantMode_t::F322F16, 0, true, true));
      } else {
        FixpipeParamsV220 p(32, 16, 16, 20, false);
        p.quantPre = QuantMode_t::F322F16;
        p.ndNum = 0;
        Fixpipe(l1, l0c, p);
      }
      take_raw(gm, l1, 2 * 20 * 32);
    };
    const auto out = stored<half>(in.data(), 2 * 20 * 16);
    ASSERT_TRUE(last_report.ok()) << last_report.faults[0].message;
    for (uint32_t r = 0; r < 16; ++r)
      for (uint32_t c = 0; c < 32; ++c)
        ASSERT_EQ(out[c / 16 * 320 + r * 16 + c % 16].bits, half(value_at(in, r, c, 16)).bits);
  }
}

// "The destination must not overlap" (page "Fixpipe（L0C到GM数据搬运）").
template <const FixpipeConfig& config>
std::string refusal_of_destination(uint32_t stride, uint32_t at_byte) {
  body = [=](auto l0c, uint8_t* gm) {
    Fixpipe<float, float, config>(at<float>(gm + at_byte), l0c,
                                  FixpipeParamsV220(32, 10, 16, stride, false));
  };
  const std::vector<float> in(kWords);
  stored<float>(in.data(), 1024);
  return last_report.ok() ? "" : last_report.faults[0].code + last_report.faults[0].message;
}

TEST(FixpipeRefuses, DestinationsThatOverlap) {
  EXPECT_EQ(refusal_of_destination<CFG_ROW_MAJOR>(32, 4), "");
  EXPECT_THAT(refusal_of_destination<CFG_ROW_MAJOR>(31, 0), HasSubstr("EK1709"));
  EXPECT_THAT(refusal_of_destination<CFG_ROW_MAJOR>(0, 0), HasSubstr("rows of the destination"));
  EXPECT_EQ(refusal_of_destination<CFG_NZ>(20, 0), "");
  EXPECT_THAT(refusal_of_destination<CFG_NZ>(19, 0), HasSubstr("panels of the destination"));
}

// Page "F32 Channel Split".
TEST(FixpipeRefuses, ASplitWithUnitFlag) {
  body = [](auto l0c, uint8_t* gm) {
    Fixpipe<float, float, CFG_NZ>(
        at<float>(gm), l0c,
        FixpipeParamsV220(16, 16, 16, 16, false, QuantMode_t::NoQuant, 0, 1, 0, 0, 3, true));
  };
  const std::vector<float> in(kWords);
  stored<float>(in.data(), 256);
  ASSERT_EQ(last_report.faults.size(), 1u);
  EXPECT_EQ(last_report.faults[0].code, "EK1709");
}

TEST(FixpipeRefuses, FloatsOnTheWayToL1) {
  body = [](auto l0c, uint8_t*) {
    Fixpipe<float, float, CFG_NZ>(LocalTensor<float>(TPosition::A1, 0, 256), l0c,
                                  FixpipeParamsV220(16, 16, 16, 32, false));
  };
  const std::vector<float> in(kWords);
  stored<float>(in.data(), 256);
  ASSERT_EQ(last_report.faults.size(), 1u);
  EXPECT_EQ(last_report.faults[0].code, "EK1708");
  EXPECT_THAT(last_report.faults[0].message, HasSubstr("no way to L1 without quantPre"));
}

Fault refused(uint32_t n, uint32_t m, uint32_t src_stride, QuantMode_t mode, bool to_half) {
  body = [=](auto l0c, uint8_t* gm) {
    FixpipeParamsV220 p(static_cast<uint16_t>(n), static_cast<uint16_t>(m),
                        static_cast<uint16_t>(src_stride), 512, false);
    p.quantPre = mode;
    if (to_half)
      Fixpipe<half, float, CFG_NZ>(at<half>(gm), l0c, p);
    else
      Fixpipe(at<float>(gm), l0c, p);
  };
  const std::vector<float> in(kWords);
  stored<float>(in.data(), 8192);
  return last_report.faults.size() == 1 ? last_report.faults[0] : Fault{};
}

TEST(FixpipeRefuses, ModesThatDoNotConnectTheTypes) {
  const Fault fault = refused(16, 16, 16, QuantMode_t::F322F16, false);
  EXPECT_EQ(fault.code, "EK1708");
  EXPECT_THAT(fault.message, HasSubstr("does not make float out of float"));
  EXPECT_EQ(refused(16, 16, 16, QuantMode_t::VQF322B8_PRE, false).code, "EK1708");
}
TEST(FixpipeRefuses, PanelsThatAreNotWhole) {
  const Fault fault = refused(20, 16, 16, QuantMode_t::F322F16, true);
  EXPECT_EQ(fault.code, "EK1709");
  EXPECT_THAT(fault.message, HasSubstr("nSize 20 is not a multiple of 16 in NZ output"));
}
TEST(FixpipeRefuses, PanelsThatOverlap) {
  EXPECT_THAT(refused(32, 17, 16, QuantMode_t::NoQuant, false).message,
              HasSubstr("srcStride 16 is below mSize 17"));
}
TEST(FixpipeRefuses, TooManyRows) {
  EXPECT_THAT(refused(16, 8193, 8193, QuantMode_t::NoQuant, false).message,
              HasSubstr("mSize 8193 is above 8192"));
}
TEST(FixpipeRefuses, MoreThanGmHas) {
  const Fault fault = refused(16, 17, 32, QuantMode_t::NoQuant, false);
  EXPECT_EQ(fault.code, "EK1004");
  EXPECT_THAT(fault.message, HasSubstr("GM tensor 'c'"));
}

TEST(FixpipeRefuses, ASplitOfRows) {
  body = [](auto l0c, uint8_t* gm) {
    Fixpipe(at<float>(gm), l0c,
            FixpipeParamsV220(16, 16, 16, 16, false, QuantMode_t::NoQuant, 0, 1, 0, 0, 0, true));
  };
  const std::vector<float> in(kWords);
  stored<float>(in.data(), 256);
  ASSERT_EQ(last_report.faults.size(), 1u);
  EXPECT_EQ(last_report.faults[0].code, "EK1709");
}

}  // namespace
}  // namespace opkit::core::test
