// JPEGs against thousands of mutants of good ones.
#include <gtest/gtest.h>

#include "mutator.h"
#include "opkit/acl/media/image/jpeg.h"
#include "tests/unit/acl/media/image/block_jpeg.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace opkit::fuzz {
namespace {

std::string seed_of(int across, int down, int components, int orientation, uint8_t kind = 0xc0) {
  image::BlockJpeg jpeg{72, 40, across, down, components, orientation, kind};
  jpeg.value = image::block_value;
  return jpeg.write();
}

void run(const std::string& bytes) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
}

TEST(JpegFuzz, MutantsNeverBreakAPromise) {
  const std::vector<std::string> seeds = {seed_of(2, 2, 3, 6), seed_of(2, 1, 3, 0),
                                          seed_of(1, 1, 1, 8), seed_of(4, 1, 3, 0),
                                          seed_of(1, 1, 3, 1, 0xc2)};
  ASSERT_TRUE(image::decode_jpeg(seeds[0]).ok());
  Mutator mutator(5, seeds,
                  {"\xff\xda", "\xff\xc4", "\xff\xdb", "\xff\xd9", "\xff\xdd", "\xff\xe1",
                   std::string("Exif\0\0", 6), std::string(4, '\0'), std::string(8, '\xff')});
  size_t decoded = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string bytes = mutator.next();
    run(bytes);
    const auto header = image::read_jpeg_header(bytes);
    decoded += header.ok() && uint64_t{header->width} * header->height < 10000 &&
               image::decode_jpeg(bytes).ok();
  }
  EXPECT_GT(decoded, 100u) << "nothing behind the header is reached";
}

// Every byte takes values that break lengths, and every length cuts the file.
TEST(JpegFuzz, EveryByteMayBeHostile) {
  const std::string seed = seed_of(2, 2, 3, 6);
  for (size_t at = 0; at < seed.size(); ++at) {
    run(seed.substr(0, at));
    for (const char value : {'\x00', '\x01', '\x7f', '\xff'}) {
      std::string bytes = seed;
      bytes[at] = value;
      run(bytes);
    }
  }
}

}  // namespace
}  // namespace opkit::fuzz
