// What libFuzzer has found worth keeping: every file of the corpus keeps the target's promises.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "opkit/base/file.h"
#include "opkit_test_paths.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace opkit::fuzz {
namespace {

TEST(Corpus, OfLibFuzzerKeepsEveryPromise) {
  const auto folder =
      std::filesystem::path(OPKIT_SOURCE_DIR) / "tests/fuzz/corpus" / OPKIT_FUZZ_CORPUS;
  size_t files = 0;
  for (const auto& each : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(each.path().string());
    const auto bytes = read_file(each.path());
    ASSERT_TRUE(bytes.ok());
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes->data()), bytes->size());
    ++files;
  }
  EXPECT_GT(files, 0u);
}

}  // namespace
}  // namespace opkit::fuzz
