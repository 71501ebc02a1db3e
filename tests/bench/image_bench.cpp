// LoadData in its three-dimensional form (im2col): 3 x 3 filters over an image in L1, into L0A,
// into L0A transposed and into L0B. Bytes that reach L0 per second of the thread's own time.
#include <benchmark/benchmark.h>

#include <vector>

#include "tests/bench/cube_core.h"

namespace {

using namespace AscendC;

constexpr uint16_t kSide = 32, kChannels = 16, kPixels = 128, kColumns = 9 * kChannels;
constexpr uint32_t kImage = kSide * kSide * kChannels, kWindow = kPixels * kColumns;
constexpr uint32_t kCalls = 64;

template <typename T, bool right, bool transposed>
void load_windows(void* const* args) {
  LocalTensor<T> l1(TPosition::A1, 0, kImage);
  LocalTensor<T> l0(right ? TPosition::B2 : TPosition::A2, 0, kWindow);
  GlobalTensor<T> in;
  in.SetGlobalBuffer(static_cast<T*>(args[0]));
  DataCopy(l1, in, kImage);
  const uint8_t pads[4] = {1, 1, 1, 1};
  for (uint32_t i = 0; i < kCalls; ++i) {
    LoadData(l0, l1,
             LoadData3DParamsV2<T>(pads, kSide, kSide, kChannels, kColumns, kPixels, 0,
                                   static_cast<uint16_t>(i % 8 * kPixels), 1, 1, 3, 3, 1, 1,
                                   transposed, false, T(0)));
  }
}

template <typename T, bool right, bool transposed>
void load_3d(benchmark::State& state) {
  std::vector<T> image(kImage, T(0.5f));
  void* args[] = {image.data()};
  opkit::bench::CubeCore core(load_windows<T, right, transposed>, args);
  for (auto _ : state) core.run(state);
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * kCalls * kWindow *
                          static_cast<int64_t>(sizeof(T)));
}
BENCHMARK_TEMPLATE(load_3d, half, false, false)->Unit(benchmark::kMicrosecond);
BENCHMARK_TEMPLATE(load_3d, half, false, true)->Unit(benchmark::kMicrosecond);
BENCHMARK_TEMPLATE(load_3d, half, true, false)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
