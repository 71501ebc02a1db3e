#include "registry/lookup_index.h"

#include <gtest/gtest.h>

#include "packages.h"

namespace opkit::registry {
namespace {

using Read = LookupIndex::Read;
constexpr const char* kOne = "AddRelu/1.0.0";
constexpr const char* kTwo = "MulAdd/1.2.0";

IntactPackage intact(const std::string& op) {
  IntactPackage package;
  package.manifest.op = op;
  package.manifest.files = {{"docs/page.md", std::string(64, 'a')}};
  package.manifest.kernels = {{"add", 3u, 7u, "aiv"}, {"any", {}, {}, "mix_1_2"}};
  package.manifest.places["op"] = {"elsewhere", 7, 9};
  package.signer = "key of " + op;
  package.run_path = {"$ORIGIN"};
  package.stamps = {{"", {1, 2, 3, 4, 5}}, {"manifest.yaml", {1, 6, 7, 8, 9}}};
  return package;
}

std::string two_packages() {
  LookupIndex index("/opp");
  index.put(kOne, intact("AddRelu"));
  index.put(kTwo, intact("MulAdd"));
  return index.to_bytes();
}

TEST(LookupIndexTest, GivesBackWhatWasPut) {
  LookupIndex index("/opp");
  ASSERT_EQ(index.read(two_packages()), Read::kWhole);
  EXPECT_EQ(index.names(), (std::vector<std::string>{kOne, kTwo}));
  const auto found = index.find(kOne, "here/manifest.yaml");
  ASSERT_TRUE(found);
  const IntactPackage expected = intact("AddRelu");
  EXPECT_EQ(found->manifest.op, "AddRelu");
  EXPECT_EQ(found->manifest.files, expected.manifest.files);
  EXPECT_EQ(found->manifest.kernels, expected.manifest.kernels);
  EXPECT_EQ(found->manifest.place("op").to_string(), "here/manifest.yaml:7:9");
  EXPECT_EQ(found->signer, expected.signer);
  EXPECT_EQ(found->run_path, expected.run_path);
  EXPECT_EQ(found->stamps, expected.stamps);
  EXPECT_FALSE(index.find("AddRelu/2.0.0", "m"));
}

TEST(LookupIndexTest, AnotherFoldersOrKitsIndexIsNoneAndNotDamaged) {
  LookupIndex other("/other");
  EXPECT_EQ(other.read(two_packages()), Read::kOther);
  EXPECT_TRUE(other.names().empty());
}

TEST(LookupIndexTest, APartIsReplacedDroppedAndTakenOver) {
  LookupIndex index("/opp"), other("/opp");
  ASSERT_EQ(other.read(two_packages()), Read::kWhole);
  IntactPackage mine = intact("AddRelu");
  mine.signer = "mine";
  index.put(kOne, mine);
  index.take_missing(other);
  EXPECT_EQ(index.names().size(), 2u);
  EXPECT_EQ(index.find(kOne, "m")->signer, "mine");
  EXPECT_EQ(index.find(kTwo, "m")->signer, "key of MulAdd");
  index.drop(kTwo);
  LookupIndex again("/opp");
  ASSERT_EQ(again.read(index.to_bytes()), Read::kWhole);
  EXPECT_EQ(again.names(), std::vector<std::string>{kOne});
  ASSERT_EQ(other.read("gone"), Read::kDamaged);
  EXPECT_TRUE(other.names().empty());
}

// Every changed byte is seen: the table says so, or the part it is in is not there.
TEST(LookupIndexTest, NoChangedByteIsBelieved) {
  const std::string good = two_packages();
  for (size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    LookupIndex index("/opp");
    const Read read = index.read(bad);
    const int found = index.find(kOne, "m").has_value() + index.find(kTwo, "m").has_value();
    EXPECT_EQ(found, read == Read::kWhole ? 1 : 0) << at;
  }
}

TEST(LookupIndexTest, WhatWasCutOffIsMissingAndTheRestIsThere) {
  const std::string good = two_packages();
  for (size_t size = 0; size < good.size(); ++size) {
    LookupIndex index("/opp");
    EXPECT_EQ(index.read(good.substr(0, size)), Read::kDamaged) << size;
    EXPECT_FALSE(index.find(kTwo, "m")) << size;
  }
  LookupIndex index("/opp");
  EXPECT_EQ(index.read(good.substr(0, good.size() - 1)), Read::kDamaged);
  EXPECT_TRUE(index.find(kOne, "m"));
}

}  // namespace
}  // namespace opkit::registry
