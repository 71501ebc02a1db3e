// TransData against plain loops, bit by bit: channels and batches that are padding become 0, and
// what is behind a plane of NCDHW is not looked at.
#include "opkit/include/ascendc/advanced_transdata.h"

#include "tests/conformance/advanced.h"
#include "tiling/tiling_api.h"

namespace conformance {
namespace {

using AscendC::DataFormat;
using AscendC::TransDataConfig;
constexpr TransDataConfig kToC0{DataFormat::NCDHW, DataFormat::NDC1HWC0};
constexpr TransDataConfig kFromC0{DataFormat::NDC1HWC0, DataFormat::NCDHW};
constexpr TransDataConfig kToFractal{DataFormat::NCDHW, DataFormat::FRACTAL_Z_3D};
constexpr TransDataConfig kFromFractal{DataFormat::FRACTAL_Z_3D, DataFormat::NCDHW};

struct Sizes {
  int n, c, d, h, w;
};
// f(element of NCDHW or -1, element of the packed layout).
template <bool kFractal, typename F>
void each_packed(const Sizes& s, F&& f) {
  const int c1 = (s.c + 15) / 16, n1 = (s.n + 15) / 16, hw = s.h * s.w, plane = (hw + 15) / 16 * 16;
  for (int n = 0; n < (kFractal ? 16 * n1 : s.n); ++n) {
    for (int d = 0; d < s.d; ++d) {
      for (int c = 0; c < 16 * c1; ++c) {
        for (int i = 0; i < hw; ++i) {
          const int plain = n < s.n && c < s.c ? ((n * s.c + c) * s.d + d) * plane + i : -1;
          const int packed =
              kFractal ? ((((d * c1 + c / 16) * hw + i) * n1 + n / 16) * 16 + n % 16) * 16 + c % 16
                       : (((n * s.d + d) * c1 + c / 16) * hw + i) * 16 + c % 16;
          f(plain, packed);
        }
      }
    }
  }
}

template <typename T, bool kFractal, bool kPack>
void check(const Sizes& s, bool shared) {
  constexpr const TransDataConfig& kConfig =
      kFractal ? (kPack ? kToFractal : kFromFractal) : (kPack ? kToC0 : kFromC0);
  constexpr uint32_t kFrom = kSrc1 + 4096, kBytes = kImage - kFrom;  // the destination is larger
  std::vector<uint16_t> x(kBytes / 2);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<uint16_t>(i + 1);
  Image before(95);
  before.fill(kFrom, x);
  const int c1 = (s.c + 15) / 16, n1 = (s.n + 15) / 16;
  const auto plain =
      AscendC::MakeLayout(AscendC::MakeShape(s.n, s.c, s.d, s.h, s.w), AscendC::MakeStride());
  const auto with_c0 =
      AscendC::MakeLayout(AscendC::MakeShape(s.n, s.d, c1, s.h, s.w, 16), AscendC::MakeStride());
  const auto fractal =
      AscendC::MakeLayout(AscendC::MakeShape(s.d, c1, s.h, s.w, n1, 16, 16), AscendC::MakeStride());
  const Image after =
      run(before, piped([&] {
            const auto d = at<T>(kDst, kFrom), from = at<T>(kFrom, kBytes);
            const auto call = [&](const auto& packed) {
              const auto go = [&](const auto& params) {
                if (shared) return AscendC::TransData<kConfig>(d, from, temporary(768), params);
                AscendC::TransData<kConfig>(d, from, params);
              };
              using P = std::decay_t<decltype(packed)>;
              using N = std::decay_t<decltype(plain)>;
              if constexpr (kPack)
                go(AscendC::TransDataParams<N, P>{plain, packed});
              else
                go(AscendC::TransDataParams<P, N>{packed, plain});
            };
            if constexpr (kFractal)
              call(fractal);
            else
              call(with_c0);
          }))
          .image;
  each_packed<kFractal>(s, [&](int plain_at, int packed_at) {
    if (kPack) {
      const uint16_t expected = plain_at < 0 ? 0 : x.at(static_cast<size_t>(plain_at));
      ASSERT_EQ(after.get<uint16_t>(static_cast<uint64_t>(packed_at) * 2), expected)
          << s.n << "x" << s.c << " packed " << packed_at;
    } else if (plain_at >= 0) {
      ASSERT_EQ(after.get<uint16_t>(static_cast<uint64_t>(plain_at) * 2),
                x.at(static_cast<size_t>(packed_at)))
          << s.n << "x" << s.c << " plain " << plain_at;
    }
  });
}
template <typename T>
void check_scenes() {
  for (bool shared : {true, false}) {
    for (const Sizes& s : {Sizes{1, 16, 1, 3, 5}, Sizes{2, 20, 2, 4, 4}, Sizes{1, 7, 3, 1, 16},
                           Sizes{1, 33, 1, 2, 9}}) {
      check<T, false, true>(s, shared);
      check<T, false, false>(s, shared);
    }
    for (const Sizes& s : {Sizes{16, 16, 1, 3, 5}, Sizes{5, 20, 1, 3, 3}, Sizes{17, 3, 1, 1, 8}}) {
      check<T, true, true>(s, shared);
      check<T, true, false>(s, shared);
    }
  }
}
TEST(AdvancedTransData, AllScenes) {
  check_scenes<Half>();
  check_scenes<BFloat16>();
  check_scenes<int16_t>();
  check_scenes<uint16_t>();
}

}  // namespace
}  // namespace conformance
