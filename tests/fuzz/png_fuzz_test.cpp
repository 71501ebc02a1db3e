// PNGs against thousands of mutants of good ones.
#include <gtest/gtest.h>

#include "mutator.h"
#include "opkit/acl/media/image/png.h"
#include "tests/unit/acl/media/image/plain_png.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace opkit::fuzz {
namespace {

std::string png_seed(int components, int depth = 8, int color = -1) {
  return image::PlainPng{34, 20, components, image::plain_value, depth, color}.write();
}

void run_png(const std::string& bytes) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
}

TEST(PngFuzz, MutantsNeverBreakAPromise) {
  const std::vector<std::string> seeds = {png_seed(1), png_seed(2),       png_seed(3),
                                          png_seed(4), png_seed(1, 8, 3), png_seed(3, 16)};
  ASSERT_TRUE(image::read_png_header(seeds[0]).ok());
  Mutator mutator(5, seeds,
                  {"IDAT", "IEND", "PLTE", "tRNS", "gAMA", "iCCP", "zTXt", "\x78\x9c",
                   std::string(4, '\0'), std::string(4, '\xff')});
  for (int i = 0; i < 20000; ++i) run_png(mutator.next());
}

// Every byte takes values that break lengths, and every length cuts the file.
TEST(PngFuzz, EveryByteMayBeHostile) {
  const std::string seed = png_seed(4);
  for (size_t at = 0; at < seed.size(); ++at) {
    run_png(seed.substr(0, at));
    for (const char value : {'\x00', '\x01', '\x7f', '\xff'}) {
      std::string bytes = seed;
      bytes[at] = value;
      run_png(bytes);
    }
  }
}

}  // namespace
}  // namespace opkit::fuzz
