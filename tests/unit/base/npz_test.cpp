#include "opkit/base/npz.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

namespace opkit {
namespace {

using ::testing::HasSubstr;

std::vector<Tensor> sample() {
  std::vector<Tensor> tensors;
  tensors.emplace_back(DType::kFloat32, Shape{2, 2}, "x");
  tensors.emplace_back(DType::kInt64, Shape{}, "count");
  tensors[0].set(3, 2.5);
  tensors[1].set(0, 42);
  return tensors;
}

TEST(Npz, RoundTrips) {
  auto bytes = encode_npz(sample());
  ASSERT_TRUE(bytes.ok()) << bytes.error().to_string();
  EXPECT_EQ(*bytes, *encode_npz(sample()));
  auto out = parse_npz(*bytes, "a.npz");
  ASSERT_TRUE(out.ok()) << out.error().to_string();
  ASSERT_EQ(out->size(), 2u);
  EXPECT_EQ((*out)[0].desc().name, "x");
  EXPECT_EQ((*out)[0].at(3), 2.5);
  EXPECT_EQ((*out)[1].desc().name, "count");
  EXPECT_EQ((*out)[1].at(0), 42);
}

TEST(Npz, AnEmptyArchiveHasNoTensors) {
  auto out = parse_npz(*encode_npz({}), "empty.npz");
  ASSERT_TRUE(out.ok()) << out.error().to_string();
  EXPECT_TRUE(out->empty());
}

TEST(Npz, SavesAndLoads) {
  const auto path = std::filesystem::path(::testing::TempDir()) / "opkit_npz_test.npz";
  const std::vector<Tensor> tensors = sample();
  ASSERT_TRUE(save_npz(path, tensors).ok());
  auto out = load_npz(path);
  ASSERT_TRUE(out.ok());
  EXPECT_EQ(out->size(), 2u);
  std::filesystem::remove(path);
}

TEST(Npz, RefusesDamagedArchives) {
  auto none = parse_npz("not a zip at all", "a.npz");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, "OPK-NPZ-001");
  EXPECT_THAT(none.error().message, HasSubstr("a.npz: cannot read the archive"));

  std::string bytes = *encode_npz(sample());
  bytes[bytes.find("\x93NUMPY") + 80] ^= 1;  // the member's checksum no longer fits
  auto damaged = parse_npz(bytes, "a.npz");
  ASSERT_FALSE(damaged.ok());
  EXPECT_EQ(damaged.error().code, "OPK-NPZ-001");
}

TEST(Npz, RefusesForeignMembers) {
  std::string bytes = *encode_npz(sample());
  for (size_t at = bytes.find("x.npy"); at != std::string::npos; at = bytes.find("x.npy", at + 1)) {
    bytes.replace(at, 5, "x.txt");
  }
  auto out = parse_npz(bytes, "a.npz");
  ASSERT_FALSE(out.ok());
  EXPECT_EQ(out.error().code, "OPK-NPZ-002");
  EXPECT_THAT(out.error().message, HasSubstr("member 'x.txt' is not a .npy file"));
}

TEST(Npz, RefusesNamesThatCannotBeWritten) {
  std::vector<Tensor> tensors = sample();
  tensors[1].desc().name = "x";
  EXPECT_EQ(encode_npz(tensors).error().code, "OPK-NPZ-003");
  tensors[1].desc().name = "";
  EXPECT_EQ(encode_npz(tensors).error().code, "OPK-NPZ-003");
}

TEST(Npz, SurvivesMutations) {
  std::mt19937 random(7);
  const std::string seed = *encode_npz(sample());
  int refused = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string bytes = seed;
    for (uint32_t edits = random() % 4 + 1; edits > 0; --edits) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    refused += !parse_npz(bytes, "m").ok();
  }
  EXPECT_GT(refused, 2500);
}

}  // namespace
}  // namespace opkit
