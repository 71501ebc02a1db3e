// Windows that LoadData 3D brings into L0A, of halves as floats in Fast mode, are those of the
// image as it was when they were loaded, whatever happens to L1 and L0A until they are multiplied:
// the same kernel gives the same bits with an observer that sees data, so that nothing is put off.
#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "tests/conformance/cube_matrices.h"
#include "tests/conformance/raw_memory.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;

class Watcher : public Observer {};

constexpr uint16_t kHeight = 6, kWidth = 11, kPlanes = 2, kOutputs = 32;
constexpr uint32_t kTaps = 9, kRows = 64, kPixels = kHeight * kWidth;  // kRows: of the product
constexpr uint32_t kOut = 3 * kRows * kOutputs;                        // floats of results

enum class Form { kPlain, kStrided, kPadded, kEnd };
Form form;

void settled() { PipeBarrier<PIPE_ALL>(); }

// args: an image, filters in fractals, results. Every body leaves what it computes in the results.
template <typename T>
struct Job {
  static constexpr uint16_t kC0 = 32 / sizeof(T);
  static constexpr uint16_t kColumns = kPlanes * kTaps * kC0;
  // L0A and L0B hold the columns of one plane.
  static constexpr uint16_t kStep = kTaps * kC0;
  GlobalTensor<T> image, filters;
  GlobalTensor<float> out;
  LocalTensor<T> x1{TPosition::A1, 64, kPlanes* kPixels* kC0};
  LocalTensor<T> w1{TPosition::A1, 65536, kColumns* kOutputs};
  LocalTensor<T> a2{TPosition::A2, 0, kRows*kStep}, b2{TPosition::B2, 0, kStep*kOutputs};
  LocalTensor<float> c{TPosition::CO1, 0, kRows* kOutputs};

  explicit Job(void* const* args) {
    image.SetGlobalBuffer(static_cast<T*>(args[0]));
    filters.SetGlobalBuffer(static_cast<T*>(args[1]));
    out.SetGlobalBuffer(static_cast<float*>(args[2]));
    settled();
    DataCopy(x1, image, kPlanes * kPixels * kC0);
    DataCopy(w1, filters, kColumns * kOutputs);
  }
  LoadData3DParamsV2<T> window(uint32_t plane) const {
    LoadData3DParamsV2<T> p;
    p.l1H = kHeight;
    p.l1W = kWidth;
    p.channelSize = kPlanes * kC0;
    p.kExtension = kStep;
    p.kStartPt = static_cast<uint16_t>(plane * kStep);
    p.mExtension = kRows;
    p.filterW = p.filterH = 3;
    p.strideW = p.strideH = p.dilationFilterW = p.dilationFilterH = 1;
    for (uint8_t& pad : p.padList) pad = 1;
    if (form == Form::kStrided) {
      p.strideW = 2;
      p.dilationFilterH = 2;
      p.padList[2] = 2;
      p.mExtension = 24;
    }
    if (form == Form::kPadded) p.padValue = T(-0.75f);
    if (form == Form::kEnd) p.mStartPt = 16;  // ends behind the last pixel
    return p;
  }
  void load_rows(uint32_t plane) {
    settled();
    LoadData(a2, x1, window(plane));
  }
  void load_columns(uint32_t plane) {
    settled();
    LoadData(b2, w1[plane * kStep * kOutputs],
             LoadData2DParams(0, static_cast<uint8_t>(kTaps * kOutputs / 16), 1, 0, 0, false, 0));
  }
  void load(uint32_t plane) {
    load_rows(plane);
    load_columns(plane);
  }
  static uint16_t rows() { return form == Form::kStrided ? 24 : kRows; }
  // Rows from panel to panel in L0C.
  static uint16_t pitch() { return static_cast<uint16_t>(up(rows(), 16)); }
  void multiply(bool first, uint16_t most = kRows, uint16_t k = kStep) {
    settled();
    Mmad(c, a2, b2, MmadParams(std::min(most, rows()), kOutputs, k, 0, false, first));
  }
  void store(uint32_t place) {
    settled();
    Fixpipe(out[place * kRows * kOutputs], c,
            FixpipeParamsV220(kOutputs, rows(), pitch(), kOutputs, false));
  }
};

template <typename T>
void plainly(void* const* args) {
  Job<T> job(args);
  job.load(0);
  job.multiply(true);
  job.store(0);
  job.load(1);
  job.multiply(false);
  job.store(1);
  job.load_columns(0);  // loads these windows a second time
  job.multiply(false);
  job.store(2);
}

// A copy from GM changes the image between LoadData and Mmad, in part and as a whole.
template <typename T>
void over_the_image_by_copies(void* const* args) {
  Job<T> job(args);
  job.load(0);
  settled();
  DataCopy(job.x1[3 * 16], job.image[kPixels * Job<T>::kC0], 20 * Job<T>::kC0);
  job.multiply(true);
  job.store(0);
  job.load_rows(0);
  settled();
  DataCopy(job.x1, job.filters, kPlanes * kPixels * Job<T>::kC0);
  job.multiply(true);
  job.multiply(false);
  job.store(1);
  settled();
  InitConstValue(job.x1, {1, kPlanes * kPixels, 0, T(2.0f)});
  job.load_rows(1);
  job.multiply(false);
  job.store(2);
}

// Fixpipe writes halves over the image; then rows in GM become the image (ND2NZ).
template <typename T>
void over_the_image_by_results(void* const* args) {
  Job<T> job(args);
  job.load(0);
  job.multiply(true);
  job.load_rows(1);
  settled();
  FixpipeParamsV220 to_l1(kOutputs, 16, Job<T>::pitch(), 64, false);
  to_l1.quantPre = QuantMode_t::F322F16;
  Fixpipe<half, float, CFG_NZ>(job.x1.template ReinterpretCast<half>(), job.c, to_l1);
  job.load_columns(1);
  job.multiply(true);
  job.store(0);
  settled();
  DataCopy(job.x1, job.image, Nd2NzParams(1, 64, 16, 0, 16, 64, 1, 0));
  job.load_rows(0);
  settled();
  DataCopy(job.x1, job.filters, Nd2NzParams(1, 64, 16, 0, 16, 64, 1, 0));
  job.multiply(false);
  job.store(1);
}

// Other fractals take the place of some of the windows' in L0A.
template <typename T>
void over_l0a(void* const* args) {
  Job<T> job(args);
  job.load(0);
  settled();
  LoadData(job.a2[16 * Job<T>::kC0], job.w1, LoadData2DParams(1, 3, 2, 0, 0, false, 0));
  job.multiply(true);
  job.store(0);
  job.load_rows(1);
  settled();
  LoadData3DParamsV2<T> part = job.window(0);
  part.kExtension = 2 * Job<T>::kC0;
  part.mExtension = 16;
  LoadData(job.a2[5 * 16 * Job<T>::kC0], job.x1, part);
  job.multiply(true);
  job.store(1);
  settled();
  LoadData(job.a2, job.x1, job.window(0));
  job.multiply(false);
  job.store(2);
}

// Products of parts of the windows: fewer rows, one row, ends of k within a fractal.
template <typename T>
void in_parts(void* const* args) {
  Job<T> job(args);
  const uint16_t sizes[][2] = {{19, Job<T>::kStep}, {2, 16}, {kRows, 37}, {5, 3 * 16}};
  uint32_t place = 0;
  for (const auto& size : sizes) {
    job.load(0);
    job.multiply(true);
    job.multiply(false, size[0], size[1]);
    job.store(place++ % 3);
  }
}

// L0A by its address, and an element of the image that a scalar changes.
template <typename T>
void by_address(void* const* args) {
  Job<T> job(args);
  job.load(0);
  settled();
  take_raw(static_cast<uint8_t*>(args[2]) + kRows * kOutputs * 8, job.a2, kRows * kOutputs * 4);
  settled();
  job.x1.SetValue(5, T(1.5f));
  job.multiply(true);
  job.store(0);
  job.load_rows(0);
  job.multiply(false);
  job.store(1);
}

template <typename T>
std::vector<T> numbers(size_t n, uint32_t seed, bool special) {
  std::vector<T> v = noise<T>(n, seed);
  for (size_t i = 0; special && i < n; i += 97)
    v[i] =
        T(i % 2 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN());
  return v;
}

template <typename T, KernelBody body>
std::vector<float> outcome(Observer* observer, bool special) {
  std::vector<T> image = numbers<T>(4096, 31, special),
                 filters = numbers<T>(Job<T>::kColumns * kOutputs, 32, false);
  std::vector<float> out(kOut, -1.0f);
  LaunchSetup setup = on_cube_core();
  setup.observer = observer;
  EXPECT_TRUE(run<body>({image.data(), filters.data(), out.data()}, setup).ok());
  return out;
}

template <typename T, KernelBody body>
void expect_same_bits(const char* what) {
  for (const Form one : {Form::kPlain, Form::kStrided, Form::kPadded, Form::kEnd}) {
    for (const bool special : {false, true}) {
      form = one;
      Watcher watcher;
      const std::vector<float> fast = outcome<T, body>(nullptr, special),
                               plain = outcome<T, body>(&watcher, special);
      for (size_t i = 0; i < kOut; ++i)
        ASSERT_EQ(std::bit_cast<uint32_t>(fast[i]), std::bit_cast<uint32_t>(plain[i]))
            << what << ", form " << static_cast<int>(one) << ", word " << i;
    }
  }
}

template <typename T>
void all() {
  expect_same_bits<T, plainly<T>>("plainly");
  expect_same_bits<T, over_the_image_by_copies<T>>("over the image by copies");
  expect_same_bits<T, over_the_image_by_results<T>>("over the image by results");
  expect_same_bits<T, over_l0a<T>>("over L0A");
  expect_same_bits<T, in_parts<T>>("in parts");
  expect_same_bits<T, by_address<T>>("by address");
}

TEST(Windows, OfHalvesNeverShowThatTheyAreFloats) { all<half>(); }
TEST(Windows, OfFloatsAreThoseOfTheirImage) { all<float>(); }
TEST(Windows, OfBfloat16AreThoseOfTheirImage) { all<bfloat16_t>(); }

}  // namespace
}  // namespace opkit::core::test
