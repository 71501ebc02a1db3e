// LoadData and LoadDataWithTranspose against the documented index formulas.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/conformance/cube_matrices.h"
#include "tests/conformance/raw_memory.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;
using ::testing::HasSubstr;

constexpr uint32_t kElements = 16384;
std::function<void(LocalTensor<int16_t> l1, LocalTensor<int16_t> l0)> load16;
bool into_b = false;

// args: contents of L1, L0 afterwards.
void load_kernel(void* const* args) {
  LocalTensor<int16_t> l1(TPosition::A1, 0, kElements);
  LocalTensor<int16_t> l0(into_b ? TPosition::B2 : TPosition::A2, 0, kElements);
  put_raw(l1, args[0], kElements * 2);
  fill_raw(l0, 0, kElements * 2);
  load16(l1, l0);
  take_raw(args[1], l0, kElements * 2);
}

LaunchReport last_report;
std::vector<int16_t> loaded(const std::vector<int16_t>& l1, Observer* observer = nullptr) {
  auto in = l1;
  std::vector<int16_t> out(kElements);
  LaunchSetup setup = on_cube_core();
  setup.observer = observer;
  last_report = run<load_kernel>({in.data(), out.data()}, setup);
  return out;
}

TEST(LoadData2D, MovesFractals) {
  const auto in = noise<int16_t>(kElements, 1);
  for (const bool transpose : {false, true}) {
    for (const bool falling : {false, true}) {
      load16 = [&](auto l1, auto l0) {
        LoadData(l0, l1, LoadData2DParams(falling ? 9 : 1, 4, 2, 0, 1, transpose, falling));
      };
      const auto out = loaded(in);
      ASSERT_TRUE(last_report.ok());
      std::vector<int16_t> expected(kElements, 0);
      for (uint32_t r = 0; r < 4; ++r) {
        const uint32_t from = falling ? 9 - 2 * r : 1 + 2 * r;
        for (uint32_t i = 0; i < 256; ++i) {
          const uint32_t source = transpose ? i % 16 * 16 + i / 16 : i;
          expected[r * 2 * 256 + i] = in[from * 256 + source];
        }
      }
      EXPECT_EQ(out, expected) << transpose << falling;
    }
  }
}

TEST(LoadData2D, RepeatZeroDoesNothing) {
  load16 = [](auto l1, auto l0) { LoadData(l0, l1, LoadData2DParams(0, 0, 1, 0, 0, false, 0)); };
  EXPECT_EQ(loaded(noise<int16_t>(kElements, 1)), std::vector<int16_t>(kElements, 0));
}

TEST(LoadData2D, RefusesToFallBelowTheStart) {
  load16 = [](auto l1, auto l0) { LoadData(l0, l1, LoadData2DParams(2, 4, 1, 0, 0, false, 1)); };
  loaded(std::vector<int16_t>(kElements));
  ASSERT_EQ(last_report.faults.size(), 1u);
  EXPECT_EQ(last_report.faults[0].code, "EK1701");
  EXPECT_THAT(last_report.faults[0].message, HasSubstr("reads fractal -1"));
}

TEST(LoadData2D, RefusesToTransposeBytes) {
  load16 = [](auto l1, auto l0) {
    LoadData(l0.template ReinterpretCast<int8_t>(), l1.template ReinterpretCast<int8_t>(),
             LoadData2DParams(0, 1, 1, 0, 0, true, 0));
  };
  loaded(std::vector<int16_t>(kElements));
  ASSERT_EQ(last_report.faults.size(), 1u);
  EXPECT_EQ(last_report.faults[0].code, "EK1702");
  EXPECT_THAT(last_report.faults[0].action, HasSubstr("LoadDataWithTranspose"));
}

TEST(LoadData2D, RefusesTheWayBack) {
  load16 = [](auto l1, auto l0) { LoadData(l1, l0, LoadData2DParams(0, 1, 1, 0, 0, false, 0)); };
  loaded(std::vector<int16_t>(kElements));
  ASSERT_EQ(last_report.faults.size(), 1u);
  EXPECT_EQ(last_report.faults[0].code, "EK1703");
  EXPECT_THAT(last_report.faults[0].message, HasSubstr("no way from L0A to L1"));
}

TEST(LoadData2D, RefusesMoreThanTheSourceHas) {
  load16 = [](auto l1, auto l0) { LoadData(l0, l1, LoadData2DParams(0, 65, 1, 0, 0, false, 0)); };
  Strict strict;
  loaded(std::vector<int16_t>(kElements), &strict);
  ASSERT_EQ(last_report.faults.size(), 1u);
  EXPECT_EQ(last_report.faults[0].code, "EK1002");
}

// B k x n in Nz becomes Zn by transposing: element (k, n) is found where the formulas say.
TEST(LoadDataWithTranspose, TurnsB8Squares) {
  const auto in = noise<int16_t>(kElements, 2);
  load16 = [](auto l1, auto l0) {
    LoadDataWithTranspose(l0.template ReinterpretCast<int8_t>(),
                          l1.template ReinterpretCast<int8_t>(),
                          LoadData2dTransposeParams(1, 3, 2, 1, 4));
  };
  const auto out = loaded(in);
  ASSERT_TRUE(last_report.ok());
  const auto* src = reinterpret_cast<const int8_t*>(in.data());
  const auto* dst = reinterpret_cast<const int8_t*>(out.data());
  for (uint32_t r = 0; r < 3; ++r)
    for (uint32_t j = 0; j < 2; ++j)
      for (uint32_t k = 0; k < 16; ++k)
        for (uint32_t c = 0; c < 32; ++c)
          ASSERT_EQ(dst[(r * 2 + j * 5) * 512 + k * 32 + c],
                    src[(1 + r * 2) * 1024 + c * 32 + j * 16 + k]);
}

TEST(LoadDataWithTranspose, TurnsB32Squares) {
  const auto in = noise<int16_t>(kElements, 3);
  into_b = true;
  load16 = [](auto l1, auto l0) {
    LoadDataWithTranspose(l0.template ReinterpretCast<float>(),
                          l1.template ReinterpretCast<float>(),
                          LoadData2dTransposeParams(0, 2, 1, 1, 0));
  };
  const auto out = loaded(in);
  into_b = false;
  ASSERT_TRUE(last_report.ok());
  const auto* src = reinterpret_cast<const int32_t*>(in.data());
  const auto* dst = reinterpret_cast<const int32_t*>(out.data());
  for (uint32_t r = 0; r < 2; ++r)
    for (uint32_t row = 0; row < 16; ++row)
      for (uint32_t col = 0; col < 16; ++col) {
        const int32_t element = src[r * 256 + col / 8 * 128 + row * 8 + col % 8];
        ASSERT_EQ(dst[(r * 2 + row / 8) * 128 + col * 8 + row % 8], element);
      }
}

TEST(LoadDataWithTranspose, TurnsB4Squares) {
  const auto in = noise<int16_t>(kElements, 4);
  load16 = [](auto l1, auto l0) {
    LoadDataWithTranspose(l0.template ReinterpretCast<int4b_t>(),
                          l1.template ReinterpretCast<int4b_t>(),
                          LoadData2dTransposeParams(0, 1, 1, 0, 0));
  };
  const auto out = loaded(in);
  ASSERT_TRUE(last_report.ok());
  const auto nibble = [](const std::vector<int16_t>& v, uint32_t i) {
    return reinterpret_cast<const uint8_t*>(v.data())[i / 2] >> (i % 2 * 4) & 15;
  };
  for (uint32_t j = 0; j < 4; ++j)
    for (uint32_t k = 0; k < 16; ++k)
      for (uint32_t c = 0; c < 64; ++c)
        ASSERT_EQ(nibble(out, (j * 16 + k) * 64 + c), nibble(in, c * 64 + j * 16 + k));
}

struct Conv {
  uint16_t h, w, c, fh, fw;
  uint8_t sh, sw, dh, dw, left, right, top, bottom;
  uint16_t m0, m, k0, k;
  int16_t pad;
};

int16_t pixel(const std::vector<int16_t>& in, const Conv& v, uint32_t m, uint32_t k) {
  const int wo = (v.w + v.left + v.right - (v.dw * (v.fw - 1) + 1)) / v.sw + 1;
  const int c0 = static_cast<int>(k % 16), kw = static_cast<int>(k / 16 % v.fw),
            kh = static_cast<int>(k / 16 / v.fw % v.fh),
            c1 = static_cast<int>(k / 16 / v.fw / v.fh);
  const int y = static_cast<int>(m) / wo * v.sh + kh * v.dh - v.top;
  const int x = static_cast<int>(m) % wo * v.sw + kw * v.dw - v.left;
  if (y < 0 || x < 0 || y >= v.h || x >= v.w) return v.pad;
  return in[static_cast<size_t>(((c1 * v.h + y) * v.w + x) * 16 + c0)];
}

std::vector<int16_t> run_conv(const std::vector<int16_t>& in, const Conv& v, bool transpose) {
  load16 = [&](auto l1, auto l0) {
    const uint8_t pads[4] = {v.left, v.right, v.top, v.bottom};
    LoadData(l0, l1,
             LoadData3DParamsV2<int16_t>(pads, v.h, v.w, v.c, v.k, v.m, v.k0, v.m0, v.sw, v.sh,
                                         static_cast<uint8_t>(v.fw), static_cast<uint8_t>(v.fh),
                                         v.dw, v.dh, transpose, false, v.pad));
  };
  return loaded(in);
}

const std::vector<Conv> kConvs = {{6, 5, 32, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 0, 30, 0, 288, 7},
                                  {6, 5, 32, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 7, 16, 48, 64, 0},
                                  {9, 7, 16, 3, 2, 2, 3, 2, 1, 2, 0, 1, 3, 0, 8, 0, 96, -3},
                                  {64, 1, 48, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 16, 32, 16, 32, 0}};

TEST(LoadData3D, WritesTheWindowAsZz) {
  const auto in = noise<int16_t>(kElements, 5);
  for (const Conv& v : kConvs) {
    const auto out = run_conv(in, v, false);
    ASSERT_TRUE(last_report.ok()) << last_report.faults[0].message;
    for (uint32_t m = 0; m < v.m; ++m)
      for (uint32_t k = 0; k < v.k; ++k)
        ASSERT_EQ(out[zz(m, k, v.k, 16)], pixel(in, v, v.m0 + m, v.k0 + k)) << m << "," << k;
  }
}

// int4b_t goes to L0A, 64 to a unit (page "LoadData（卷积数据搬运）").
TEST(LoadData3D, WritesWindowsOfNibbles) {
  const auto in = noise<int16_t>(kElements, 8);
  load16 = [](auto l1, auto l0) {
    const uint8_t pads[4] = {1, 1, 1, 1};
    LoadData3DParamsV2<int4b_t> p(pads, 4, 5, 64, 256, 16, 64, 2, 1, 1, 3, 3, 1, 1, false, false,
                                  int4b_t{5});
    LoadData(l0.template ReinterpretCast<int4b_t>(), l1.template ReinterpretCast<int4b_t>(), p);
  };
  const auto out = loaded(in);
  ASSERT_TRUE(last_report.ok()) << last_report.faults[0].message;
  const auto nibble = [](const std::vector<int16_t>& v, uint32_t i) {
    return reinterpret_cast<const uint8_t*>(v.data())[i / 2] >> (i % 2 * 4) & 15;
  };
  for (uint32_t m = 0; m < 16; ++m)
    for (uint32_t k = 0; k < 256; ++k) {
      const uint32_t column = 64 + k, tap = column / 64;
      const int y = static_cast<int>((2 + m) / 5 + tap / 3) - 1,
                x = static_cast<int>((2 + m) % 5 + tap % 3) - 1;
      const bool inside = y >= 0 && y < 4 && x >= 0 && x < 5;
      const int expected =
          inside ? nibble(in, static_cast<uint32_t>(y * 5 + x) * 64 + column % 64) : 5;
      ASSERT_EQ(nibble(out, static_cast<uint32_t>(zz(m, k, 256, 64))), expected) << m << "," << k;
    }
}

TEST(LoadData3D, RefusesNumbersOfChannelsThatDoNotExist) {
  const uint8_t pads[4] = {};
  for (const uint16_t channels : {1, 3, 6, 12, 20, 24, 28, 32}) {
    load16 = [&](auto l1, auto l0) {
      LoadData(l0, l1,
               LoadData3DParamsV2<int16_t>(pads, 4, 4, channels, 16, 16, 0, 0, 1, 1, 1, 1, 1, 1,
                                           false, false, 0));
    };
    loaded(noise<int16_t>(kElements, 9));
    const bool exists = channels == 20 || channels == 24 || channels == 32;
    ASSERT_EQ(last_report.faults.size(), exists ? 0u : 1u) << channels;
    if (exists) continue;
    EXPECT_EQ(last_report.faults[0].code, "EK1704");
    EXPECT_THAT(last_report.faults[0].message,
                HasSubstr("channelSize " + std::to_string(channels) + " does not exist"));
  }
}

TEST(LoadData3D, TransposesIntoL0A) {
  const auto in = noise<int16_t>(kElements, 6);
  for (const Conv& v : kConvs) {
    const auto out = run_conv(in, v, true);
    ASSERT_TRUE(last_report.ok());
    for (uint32_t m = 0; m < v.m; ++m)
      for (uint32_t k = 0; k < v.k; ++k)
        ASSERT_EQ(out[zz(k, m, v.m, 16)], pixel(in, v, v.m0 + m, v.k0 + k)) << m << "," << k;
  }
}

TEST(LoadData3D, WritesTheWindowAsZnIntoL0B) {
  const auto in = noise<int16_t>(kElements, 7);
  into_b = true;
  for (const Conv& v : kConvs) {
    const auto out = run_conv(in, v, false);
    ASSERT_TRUE(last_report.ok());
    for (uint32_t m = 0; m < v.m; ++m)
      for (uint32_t k = 0; k < v.k; ++k)
        ASSERT_EQ(out[zn(m, k, v.k, 16)], pixel(in, v, v.m0 + m, v.k0 + k)) << m << "," << k;
  }
  into_b = false;
}

constexpr IsResetLoad3dConfig kFromRegisters = {false, false};

TEST(LoadData3D, TakesSizesAndPaddingFromRegisters) {
  const auto in = noise<int16_t>(kElements, 8);
  const Conv& v = kConvs[0];
  load16 = [&](auto l1, auto l0) {
    const uint8_t pads[4] = {1, 1, 1, 1}, none[4] = {};
    SetFmatrix(6, 5, pads, FmatrixMode::FMATRIX_LEFT);
    SetLoadDataPaddingValue<int16_t>(7);
    LoadData<int16_t, kFromRegisters>(l0, l1,
                                      LoadData3DParamsV2<int16_t>(none, 1, 1, 32, 288, 30, 0, 0, 1,
                                                                  1, 3, 3, 1, 1, false, false, 0));
  };
  const auto by_registers = loaded(in);
  EXPECT_EQ(by_registers, run_conv(in, v, false));
  load16 = [&](auto l1, auto l0) {  // the older names of both
    const uint8_t pads[4] = {1, 1, 1, 1}, none[4] = {};
    Load3DSetFMatrixCal(6, 5, pads);
    Load3DSetPaddingCal<int16_t>(7);
    LoadData<int16_t, kFromRegisters>(l0, l1,
                                      LoadData3DParamsV2<int16_t>(none, 1, 1, 32, 288, 30, 0, 0, 1,
                                                                  1, 3, 3, 1, 1, false, false, 0));
  };
  EXPECT_EQ(loaded(in), by_registers);
}

// LoadData3DParamsV2Pro: what is no register is packed as its page says.
std::vector<int16_t> run_packed(const std::vector<int16_t>& in, const Conv& v, bool transpose) {
  load16 = [&](auto l1, auto l0) {
    const uint8_t pads[4] = {v.left, v.right, v.top, v.bottom};
    SetFmatrix(v.h, v.w, pads, FmatrixMode::FMATRIX_LEFT);
    SetLoadDataPaddingValue<int16_t>(v.pad);
    LoadData3DParamsV2Pro p;
    p.channelSize = v.c;
    p.enTranspose = transpose;
    p.filterSizeW = v.fw > 255;
    p.filterSizeH = v.fh > 255;
    p.extConfig = uint64_t{v.m0} << 48 | uint64_t{v.k0} << 32 | uint64_t{v.m} << 16 | v.k;
    p.filterConfig = uint64_t{v.dh} << 40 | uint64_t{v.dw} << 32 | (uint64_t{v.fh} & 0xff) << 24 |
                     (uint64_t{v.fw} & 0xff) << 16 | uint64_t{v.sh} << 8 | v.sw;
    LoadData(l0, l1, p);
  };
  return loaded(in);
}

TEST(LoadData3D, TakesItsParametersInWords) {
  const auto in = noise<int16_t>(kElements, 10);
  for (const Conv& v : kConvs) {
    for (const bool transpose : {false, true}) {
      const auto out = run_packed(in, v, transpose);
      ASSERT_TRUE(last_report.ok());
      for (uint32_t m = 0; m < v.m; ++m)
        for (uint32_t k = 0; k < v.k; ++k)
          ASSERT_EQ(out[transpose ? zz(k, m, v.m, 16) : zz(m, k, v.k, 16)],
                    pixel(in, v, v.m0 + m, v.k0 + k))
              << m << "," << k;
    }
  }
  const LoadData3DParamsV2Pro made(16, true, false, true, false, true, 5, 6);
  EXPECT_TRUE(made.enTranspose && made.filterSizeW && made.fMatrixCtrl);
  EXPECT_EQ(made.channelSize + made.extConfig + made.filterConfig, 27u);
}

// SetLoadDataRepeat: windows that follow each other count as one large matrix.
std::vector<int16_t> run_repeated(const std::vector<int16_t>& in, const Conv& v, bool transpose,
                                  const LoadDataRepeatParam& repeat) {
  load16 = [&](auto l1, auto l0) {
    const uint8_t pads[4] = {v.left, v.right, v.top, v.bottom};
    SetLoadDataRepeat(repeat);
    LoadData(l0, l1,
             LoadData3DParamsV2<int16_t>(pads, v.h, v.w, v.c, v.k, v.m, v.k0, v.m0, v.sw, v.sh,
                                         static_cast<uint8_t>(v.fw), static_cast<uint8_t>(v.fh),
                                         v.dw, v.dh, transpose, false, v.pad));
    SetLoadDataRepeat(LoadDataRepeatParam());
  };
  return loaded(in);
}

TEST(LoadData3D, RepeatsWindowsAlongBothSides) {
  const auto in = noise<int16_t>(kElements, 9);
  const Conv image = {64, 1, 48, 3, 1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 16, 16, 32, 5};
  const LoadDataRepeatParam kRepeats[] = {{2, 2, 0}, {1, 3, 0}, {2, 2, 1}, {4, 2, 1}, {3, 1, 0}};
  for (const LoadDataRepeatParam& r : kRepeats) {
    for (const bool transpose : {false, true}) {
      for (const bool right : {false, true}) {
        into_b = right;
        const auto out = run_repeated(in, image, transpose, r);
        ASSERT_TRUE(last_report.ok()) << last_report.faults[0].message;
        const bool along_k = r.repeatMode == 1;
        const uint32_t rows = image.m * (along_k ? 1u : r.repeatTime);
        const uint32_t columns = image.k * (along_k ? r.repeatTime : 1u);
        for (uint32_t m = 0; m < rows; ++m) {
          for (uint32_t k = 0; k < columns; ++k) {
            const uint32_t row = m / image.m * r.repeatStride * 16u + m % image.m;
            const uint32_t column = k / image.k * r.repeatStride * 16u + k % image.k;
            const size_t at = right       ? zn(m, k, columns, 16)
                              : transpose ? zz(k, m, rows, 16)
                                          : zz(m, k, columns, 16);
            ASSERT_EQ(out[at], pixel(in, image, image.m0 + row, image.k0 + column))
                << m << "," << k << " " << +r.repeatMode << right << transpose;
          }
        }
      }
    }
  }
  into_b = false;
}

TEST(LoadData3D, RepeatsNothingZeroTimes) {
  const auto out = run_repeated(noise<int16_t>(kElements, 9), kConvs[0], false, {0, 0, 0});
  ASSERT_TRUE(last_report.ok());
  EXPECT_EQ(out, std::vector<int16_t>(out.size(), out[0]));
}

TEST(LoadData3D, RefusesWindowsThatMeet) {
  Conv v = kConvs[3];
  run_repeated(std::vector<int16_t>(kElements), v, false, {1, 2, 0});
  ASSERT_EQ(last_report.faults.size(), 1u);
  EXPECT_EQ(last_report.faults[0].code, "EK1704");
  EXPECT_THAT(last_report.faults[0].message,
              HasSubstr("windows along M of 32 that follow each other after 1 x 16 rows"));
}

// SetLoadDataBoundary: behind it the image goes on at the start of L1.
TEST(LoadData3D, GoesRoundTheBoundary) {
  const auto in = noise<int16_t>(kElements, 10);
  const Conv v = {32, 2, 16, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 64, 0, 16, 0};
  constexpr uint32_t kBoundary = 1024, kStart = 512;  // bytes
  load16 = [&](auto l1, auto l0) {
    const uint8_t pads[4] = {};
    SetLoadDataBoundary(kBoundary);
    LoadData(l0, l1[kStart / 2],
             LoadData3DParamsV2<int16_t>(pads, v.h, v.w, v.c, v.k, v.m, 0, 0, 1, 1, 1, 1, 1, 1,
                                         false, false, 0));
    SetLoadDataBoundary(0);
  };
  const auto out = loaded(in);
  ASSERT_TRUE(last_report.ok()) << last_report.faults[0].message;
  for (uint32_t m = 0; m < v.m; ++m) {
    for (uint32_t k = 0; k < 16; ++k) {
      const uint32_t byte = (kStart + (m * 16 + k) * 2) % kBoundary;
      ASSERT_EQ(out[zz(m, k, 16, 16)], in[byte / 2]) << m << "," << k;
    }
  }
}

TEST(LoadData3D, RefusesBoundariesThatDoNotExist) {
  load16 = [&](auto l1, auto l0) {
    const uint8_t pads[4] = {};
    SetLoadDataBoundary(1000);
    LoadData(l0, l1,
             LoadData3DParamsV2<int16_t>(pads, 16, 1, 16, 16, 16, 0, 0, 1, 1, 1, 1, 1, 1, false,
                                         false, 0));
  };
  loaded(std::vector<int16_t>(kElements));
  ASSERT_EQ(last_report.faults.size(), 1u);
  EXPECT_EQ(last_report.faults[0].code, "EK1704");
  EXPECT_THAT(last_report.faults[0].message, HasSubstr("the boundary is 1000 bytes"));
}

TEST(LoadData3D, RefusesWindowsOutsideTheMatrix) {
  Conv v = kConvs[0];
  v.k = 304;
  run_conv(std::vector<int16_t>(kElements), v, false);
  ASSERT_EQ(last_report.faults.size(), 1u);
  EXPECT_EQ(last_report.faults[0].code, "EK1704");
  EXPECT_THAT(last_report.faults[0].message, HasSubstr("column 304 of a matrix of 288 columns"));
  v = kConvs[0];
  v.m = 33;
  run_conv(std::vector<int16_t>(kElements), v, false);
  ASSERT_EQ(last_report.faults.size(), 1u);
  EXPECT_THAT(last_report.faults[0].message, HasSubstr("row 33 of a matrix of 30 rows"));
}

TEST(LoadData3D, RefusesFiltersThatDoNotFit) {
  Conv v = kConvs[0];
  v.dh = 9;
  run_conv(std::vector<int16_t>(kElements), v, false);
  ASSERT_EQ(last_report.faults.size(), 1u);
  EXPECT_EQ(last_report.faults[0].code, "EK1704");
}

void fill(void* const* args) {
  LocalTensor<half> l1(TPosition::A1, 0, 256), l0(TPosition::A2, 0, 1024);
  fill_raw(l1, 0, 512);
  fill_raw(l0, 0, 2048);
  InitConstValue(l1, InitConstValueParams<half>(2, 1, 3, half(1.5f)));
  Fill(l0, InitConstValueParams<half>(2, 1, 1, half(2.5f)));
  take_raw(args[0], l1, 512);
  take_raw(args[1], l0, 2048);
}

TEST(InitConstValue, CountsBlocksOf32BytesInL1And512InL0) {
  std::vector<half> l1(256), l0(1024);
  ASSERT_TRUE(run<fill>({l1.data(), l0.data()}, on_cube_core()).ok());
  for (uint32_t i = 0; i < 256; ++i)
    EXPECT_EQ(float(l1[i]), i < 16 || (i >= 64 && i < 80) ? 1.5f : 0.0f) << i;
  for (uint32_t i = 0; i < 1024; ++i) EXPECT_EQ(float(l0[i]), i / 256 % 2 == 0 ? 2.5f : 0.0f) << i;
}

}  // namespace
}  // namespace opkit::core::test
