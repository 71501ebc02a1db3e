// Copies between GM and UB over every element type, against loops over the index formulas of the
// pages "DataCopyPad", "DataCopy" and "SliceInfo".
#include <gmock/gmock.h>

#include "opkit/include/kernel_operator.h"
#include "tests/conformance/blocks.h"
#include "tests/conformance/elementwise.h"

namespace conformance {
namespace {

using namespace AscendC;

constexpr uint32_t kOut = 16384;  // where results begin in GM, in bytes

template <typename... T, typename F>
void for_types(F&& f) {
  (f(T{}), ...);
}
template <typename F>
void for_copied_types(F&& f) {
  for_types<int8_t, uint8_t, int16_t, uint16_t, Half, BFloat16, int32_t, uint32_t, float, int64_t,
            uint64_t>(f);
}

std::vector<uint8_t> noise(uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<uint8_t> bytes(2 * kOut);
  for (uint8_t& b : bytes) b = static_cast<uint8_t>(random());
  return bytes;
}

template <typename T>
GlobalTensor<T> global(uint8_t* data) {
  GlobalTensor<T> t;
  t.SetGlobalBuffer(reinterpret_cast<T*>(data));
  return t;
}
uint32_t up32(uint32_t bytes) { return (bytes + 31) / 32 * 32; }
void set_bytes(std::vector<uint8_t>& to, size_t at, const std::vector<uint8_t>& from, size_t start,
               size_t n) {
  std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(start), n,
              to.begin() + static_cast<std::ptrdiff_t>(at));
}

std::vector<uint8_t> outcome_of(const std::vector<uint8_t>& gm,
                                const std::function<void(uint8_t*)>& body) {
  const BlocksOutcome o = run_blocks(gm, body, Blocks{});
  for (const auto& fault : o.faults) ADD_FAILURE() << fault.code << " " << fault.message;
  return o.gm;
}

// UB as a plain array: all of it goes out after the call, into the second half of GM.
template <typename Call>
std::vector<uint8_t> ub_after(const std::vector<uint8_t>& gm, uint32_t bytes, Call call) {
  return outcome_of(gm, [&](uint8_t* data) {
    LocalTensor<int32_t> ub = at<int32_t>(0, bytes);
    Duplicate(ub, 0x5a5a5a5a, static_cast<int32_t>(bytes / 4));
    PipeBarrier<PIPE_ALL>();
    call(data);
    PipeBarrier<PIPE_ALL>();
    DataCopy(global<int32_t>(data + kOut), ub, bytes / 4);
  });
}

struct Padding {
  uint32_t count, elements, src_gap, dst_gap;  // blocks, elements, elements, 32-byte blocks
  bool pad;
  uint8_t left, right;  // elements
};
constexpr Padding kPaddings[] = {{1, 1, 0, 0, false, 0, 0}, {3, 5, 0, 0, false, 0, 0},
                                 {4, 7, 3, 1, true, 0, 1},  {2, 37, 1, 2, true, 2, 1},
                                 {5, 16, 0, 0, true, 0, 0}, {2, 3, 4, 0, true, 3, 0}};

// Block by block: left, the data, right, then filler up to 32 bytes. Without left and right the
// filler is the block's first element.
template <typename T>
std::vector<uint8_t> padded(const std::vector<uint8_t>& gm, const Padding& p, T value,
                            uint32_t bytes) {
  std::vector<uint8_t> ub(bytes, 0x5a);
  const uint32_t size = sizeof(T), whole = up32((p.left + p.elements + p.right) * size);
  for (uint32_t b = 0; b < p.count; ++b) {
    const uint32_t from = b * (p.elements + p.src_gap) * size;
    const uint32_t to = b * (whole + 32 * p.dst_gap);
    for (uint32_t i = 0; i < whole / size; ++i) {
      if (p.left == 0 && p.right == 0)
        set_bytes(ub, to + i * size, gm, from, size);
      else
        std::memcpy(&ub[to + i * size], &value, size);
    }
    set_bytes(ub, to + p.left * size, gm, from, p.elements * size);
  }
  return ub;
}

template <typename T, typename Call>
void check_pad_in(Call call) {
  const auto gm = noise(3);
  const T value = sizeof(T) == 8 ? T(0) : T(77);  // the page allows 64-bit types the value 0 only
  for (const Padding& p : kPaddings) {
    if ((p.left | p.right) * sizeof(T) > 32) continue;
    const uint32_t bytes = 4096;
    std::vector<uint8_t> expected = gm;
    set_bytes(expected, kOut, padded(gm, p, value, bytes), 0, bytes);
    EXPECT_EQ(ub_after(gm, bytes, [&](uint8_t* data) { call(global<T>(data), p, value); }),
              expected)
        << sizeof(T) << "-byte type, " << p.elements << " elements";
  }
}

TEST(Transfer, PadInOfEveryType) {
  for_copied_types([](auto zero) {
    using T = decltype(zero);
    check_pad_in<T>([](const GlobalTensor<T>& src, const Padding& p, T value) {
      const DataCopyExtParams params(static_cast<uint16_t>(p.count), p.elements * sizeof(T),
                                     p.src_gap * sizeof(T), p.dst_gap, 0);
      DataCopyPad(at<T>(0), src, params, DataCopyPadExtParams<T>(p.pad, p.left, p.right, value));
    });
  });
}

TEST(Transfer, PadInWithShortParameters) {
  for_types<Half, float, int16_t, uint8_t, int32_t>([](auto zero) {
    using T = decltype(zero);
    check_pad_in<T>([](const GlobalTensor<T>& src, const Padding& p, T value) {
      DataCopyParams params;
      params.blockCount = static_cast<uint16_t>(p.count);
      params.blockLen = static_cast<uint16_t>(p.elements * sizeof(T));
      params.srcStride = static_cast<uint16_t>(p.src_gap * sizeof(T));
      params.dstStride = static_cast<uint16_t>(p.dst_gap);
      DataCopyPad(at<T>(0), src, params,
                  DataCopyPadParams{p.pad, p.left, p.right, detail::bits(value)});
    });
  });
}

// Without isPad, left and right are filled with what SetPadValue said.
TEST(Transfer, SetPadValueOfEveryType) {
  const auto gm = noise(4);
  for_types<int8_t, uint8_t, int16_t, uint16_t, Half, BFloat16, int32_t, uint32_t, float>(
      [&](auto zero) {
        using T = decltype(zero);
        const Padding p{2, 5, 0, 0, false, 1, 2};
        std::vector<uint8_t> expected = gm;
        set_bytes(expected, kOut, padded(gm, p, T(99), 256), 0, 256);
        const auto after = ub_after(gm, 256, [&](uint8_t* data) {
          SetPadValue<T>(T(99));
          DataCopyPad(at<T>(0), global<T>(data), DataCopyExtParams(2, 5 * sizeof(T), 0, 0, 0),
                      DataCopyPadExtParams<T>(false, 1, 2, T(1)));
        });
        EXPECT_EQ(after, expected) << sizeof(T);
      });
}

// UB to GM: exactly blockLen bytes of every block.
template <typename T, typename Call>
void check_pad_out(Call call) {
  const auto gm = noise(6);
  for (const Padding& p : kPaddings) {
    std::vector<uint8_t> expected = gm;
    const uint32_t bytes = p.elements * sizeof(T), pitch = up32(bytes) + 32 * p.dst_gap;
    for (uint32_t b = 0; b < p.count; ++b)
      set_bytes(expected, kOut + b * (bytes + p.src_gap * sizeof(T)), gm, b * pitch, bytes);
    const auto after = outcome_of(gm, [&](uint8_t* data) {
      DataCopy(at<uint8_t>(0), global<uint8_t>(data), 8192);
      PipeBarrier<PIPE_ALL>();
      call(global<T>(data + kOut), p);
    });
    EXPECT_EQ(after, expected) << sizeof(T) << "-byte type, " << p.elements << " elements";
  }
}

TEST(Transfer, PadOutOfEveryType) {
  for_copied_types([](auto zero) {
    using T = decltype(zero);
    check_pad_out<T>([](const GlobalTensor<T>& dst, const Padding& p) {
      DataCopyPad(dst, at<T>(0),
                  DataCopyExtParams(static_cast<uint16_t>(p.count), p.elements * sizeof(T),
                                    p.dst_gap, p.src_gap * sizeof(T), 0));
    });
    check_pad_out<T>([](const GlobalTensor<T>& dst, const Padding& p) {
      DataCopyParams params;
      params.blockCount = static_cast<uint16_t>(p.count);
      params.blockLen = static_cast<uint16_t>(p.elements * sizeof(T));
      params.srcStride = static_cast<uint16_t>(p.dst_gap);
      params.dstStride = static_cast<uint16_t>(p.src_gap * sizeof(T));
      DataCopyPad(dst, at<T>(0), params);
    });
  });
}

TEST(Transfer, CountsAndStridesOfEveryType) {
  const auto gm = noise(7);
  for_copied_types([&](auto zero) {
    using T = decltype(zero);
    constexpr uint32_t kBlock = 32 / sizeof(T);
    std::vector<uint8_t> expected = gm;
    set_bytes(expected, kOut, gm, 64, 5 * 32);  // a rest below 32 bytes is dropped
    for (uint32_t b = 0; b < 3; ++b)            // two blocks, gaps of one in and of three out
      set_bytes(expected, kOut + 1024 + b * 5 * 32, gm, 2048 + b * 3 * 32, 64);
    EXPECT_EQ(outcome_of(gm,
                         [](uint8_t* data) {
                           Duplicate(at<int32_t>(0), 0, 1024);
                           PipeBarrier<PIPE_ALL>();
                           DataCopy(at<T>(0), global<T>(data + 64),
                                    5 * kBlock + (kBlock > 1 ? kBlock - 1 : 0));
                           DataCopy(at<T>(1024), global<T>(data + 2048),
                                    DataCopyParams(3, 2, 1, 0));
                           PipeBarrier<PIPE_ALL>();
                           DataCopy(at<T>(4096), at<T>(0), 512 * kBlock / 8);
                           PipeBarrier<PIPE_ALL>();
                           DataCopy(global<T>(data + kOut), at<T>(4096), 5 * kBlock);
                           DataCopy(global<T>(data + kOut + 1024), at<T>(4096 + 1024),
                                    DataCopyParams(3, 2, 0, 3));
                         }),
              expected)
        << sizeof(T);
  });
}

// count * sizeof(T) is what 32 bytes divide, and sizeof(int4b_t) is a byte: 32 of them, 16 bytes,
// move as one block, 64 as one, 96 as two.
TEST(Transfer, CountsOfElementsBelowAByte) {
  const auto gm = noise(8);
  std::vector<uint8_t> expected = gm;
  set_bytes(expected, kOut, gm, 16, 32);
  set_bytes(expected, kOut + 512, gm, 64, 32);
  set_bytes(expected, kOut + 1024, gm, 128, 64);
  EXPECT_EQ(outcome_of(gm,
                       [](uint8_t* data) {
                         const auto copy = [&](uint32_t from, uint32_t to, uint32_t count) {
                           DataCopy(at<int4b_t>(to), global<int4b_t>(data + from), count);
                           PipeBarrier<PIPE_ALL>();
                           DataCopy(global<int4b_t>(data + kOut + to), at<int4b_t>(to), count);
                         };
                         copy(16, 0, 32);
                         copy(64, 512, 64);
                         copy(128, 1024, 96);
                       }),
            expected);
}

// Rows 1 and 3 of a matrix of 5 x 48, of each two runs of 16 elements that 16 others lie between.
TEST(Transfer, SlicesOfEveryType) {
  const auto gm = noise(8);
  for_types<Half, int16_t, uint16_t>([&](auto zero) {
    using T = decltype(zero);
    std::vector<uint8_t> expected = gm;
    for (uint32_t row = 0; row < 2; ++row) {
      for (uint32_t run = 0; run < 2; ++run)
        set_bytes(expected, kOut + (row * 2 + run) * 32, gm, ((2 * row + 1) * 48 + run * 32) * 2,
                  32);
    }
    EXPECT_EQ(outcome_of(gm,
                         [](uint8_t* data) {
                           const SliceInfo from[] = {{0, 47, 16, 1, 48}, {1, 3, 1, 1, 5}};
                           const SliceInfo to[] = {{0, 31, 0, 1, 32}, {0, 1, 0, 1, 2}};
                           DataCopy(at<T>(0), global<T>(data), to, from, 2);
                           PipeBarrier<PIPE_ALL>();
                           DataCopy(global<T>(data + kOut), at<T>(0), 64);
                         }),
              expected);
  });
}

// 20 x 24 elements into panels and back.
template <typename T>
void check_matrix_changes() {
  constexpr uint32_t kC0 = 32 / sizeof(T), kRows = 20, kColumns = 3 * kC0, kPitch = kColumns + kC0;
  const auto gm = noise(9);
  std::vector<uint8_t> expected = gm;
  for (uint32_t r = 0; r < kRows; ++r) {
    for (uint32_t c = 0; c < kColumns; ++c) {
      const size_t from = (r * kPitch + c) * sizeof(T);
      set_bytes(expected, kOut + ((c / kC0 * kRows + r) * kC0 + c % kC0) * sizeof(T), gm, from,
                sizeof(T));
      set_bytes(expected, kOut + 8192 + (r * (kColumns + 2 * kC0) + c) * sizeof(T), gm, from,
                sizeof(T));
    }
  }
  const auto after = outcome_of(gm, [](uint8_t* data) {
    Nd2NzParams in;
    in.ndNum = 1;
    in.nValue = kRows;
    in.dValue = kColumns;
    in.srcDValue = kPitch;
    in.dstNzC0Stride = kRows;
    in.dstNzNStride = 1;
    DataCopy(at<T>(0), global<T>(data), in);
    PipeBarrier<PIPE_ALL>();
    DataCopy(global<T>(data + kOut), at<T>(0), kRows * kColumns);
    Nz2NdParamsFull out;
    out.ndNum = 1;
    out.nValue = kRows;
    out.dValue = kColumns;
    out.srcNStride = kRows;
    out.dstDStride = kColumns + 2 * kC0;
    DataCopy(global<T>(data + kOut + 8192), at<T>(0), out);
  });
  EXPECT_EQ(after, expected) << sizeof(T);
}

TEST(Transfer, RowsToPanelsAndBack) {
  for_types<Half, BFloat16, int16_t, uint16_t, float, int32_t, uint32_t>(
      [](auto zero) { check_matrix_changes<decltype(zero)>(); });
}

TEST(Transfer, ConstantsIntoGm) {
  const auto gm = noise(10);
  for_types<Half, float, int16_t, uint16_t, int32_t, uint32_t>([&](auto zero) {
    using T = decltype(zero);
    std::vector<uint8_t> expected = gm;
    const T first = T(3), second = T(250);
    for (uint32_t i = 0; i < 777; ++i)
      std::memcpy(&expected[kOut + i * sizeof(T)], &first, sizeof(T));
    for (uint32_t i = 0; i < 33; ++i)
      std::memcpy(&expected[kOut + 8192 + i * sizeof(T)], &second, sizeof(T));
    EXPECT_EQ(outcome_of(gm,
                         [=](uint8_t* data) {
                           TPipe pipe;
                           GlobalTensor<T> out = global<T>(data + kOut);
                           InitGlobalMemory<T>(out, 777, first);
                           InitOutput<T>(global<T>(data + kOut + 8192), 33, second);
                         }),
              expected)
        << sizeof(T);
  });
}

}  // namespace
}  // namespace conformance
