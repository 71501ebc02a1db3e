#include "registry/manifest.h"

#include <gtest/gtest.h>

#include <random>

#include "packages.h"

namespace opkit::registry {
namespace {

constexpr const char* kDigest = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

Manifest example() {
  Manifest m;
  m.abi = 1;
  m.vendor = "acme";
  m.op = "AddRelu";
  m.version = "1.10.0";
  m.kit = "0.1.0";
  m.contract_file = "op_proto/op_contract.yaml";
  m.contract_sha256 = kDigest;
  m.library_file = "op_impl/libadd_relu.so";
  m.library_sha256 = kDigest;
  m.platform = "linux-x86_64";
  m.glibc = "2.34";
  m.glibcxx = "";
  m.needed = {"libstdc++.so.6", "libc.so.6"};
  m.socs = {"Ascend910B"};
  m.kernels = {{"add_relu", 0u, 18446744073709551614u, "aiv"}, {"any", {}, {}, "mix_1_2"}};
  return m;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(Manifest, WhatIsWrittenIsReadBack) {
  const Manifest m = example();
  const auto read = parse_manifest(to_yaml(m), "manifest.yaml");
  ASSERT_TRUE(read.ok()) << read.error().to_string();
  EXPECT_EQ(read->abi, m.abi);
  EXPECT_EQ(read->version, "1.10.0");
  EXPECT_EQ(read->needed, m.needed);
  EXPECT_EQ(read->socs, m.socs);
  EXPECT_EQ(read->kernels, m.kernels);
  EXPECT_EQ(to_yaml(*read), to_yaml(m));
  EXPECT_EQ(read->place("abi").line, 3);
}

struct Case {
  const char* from;
  const char* to;
  const char* code;
  const char* words;
};

TEST(Manifest, EveryMistakeHasItsCodeAndWords) {
  const Case cases[] = {
      {"abi: 1", "abi: [", "OPK-MANIFEST-002", "the manifest is not readable"},
      {"abi: 1", "abi: 1\nabi: 1", "OPK-MANIFEST-002", "the manifest is not readable"},
      {"vendor: \"acme\"\n", "", "OPK-MANIFEST-003", "the manifest lacks 'vendor'"},
      {"  sha256", "  sha255", "OPK-MANIFEST-004", "sha255"},
      {"vendor:", "vendr:", "OPK-MANIFEST-004", "vendr"},
      {"abi: 1", "abi: one", "OPK-MANIFEST-004", "abi"},
      {"abi: 1", "abi: -1", "OPK-MANIFEST-005", "-1 is outside 0 to"},
      {"manifest: 1", "manifest: 2", "OPK-MANIFEST-005", "the format is 2, this opkit reads 1"},
      {"\"acme\"", "\"a/b\"", "OPK-MANIFEST-005", "'a/b' is not a vendor name"},
      {"\"AddRelu\"", "\"../X\"", "OPK-MANIFEST-005", "'../X' is not an op type"},
      {"\"1.10.0\"", "\"1.10\"", "OPK-MANIFEST-005", "'1.10' is not a semantic version"},
      {"\"1.10.0\"", "1.10", "OPK-MANIFEST-004", "version"},
      {kDigest, "0123", "OPK-MANIFEST-005", "a digest has 64"},
      {"\"none\"", "\"leak\"", "OPK-MANIFEST-005", "'leak' is none of"},
      {"\"op_impl/libadd_relu.so\"", "\"/lib/x.so\"", "OPK-MANIFEST-006", "'/lib/x.so'"},
      {"\"op_impl/libadd_relu.so\"", "\"op_impl/../../x.so\"", "OPK-MANIFEST-006", "inside"},
      {"soc: [\"Ascend910B\"]", "soc: Ascend910B", "OPK-MANIFEST-004", "'soc' must be a list"},
      {"\"18446744073709551614\"", "\"18446744073709551616\"", "OPK-MANIFEST-005", "64-bit"},
      {"column: 0", "column: 99999999999", "OPK-MANIFEST-005", "kernels[0].column"},
      {"- {name: \"any\"", "- 5\n  - {name: \"any\"", "OPK-MANIFEST-004",
       "'kernels[1]' must be a map"},
  };
  for (const Case& c : cases) {
    const auto read = parse_manifest(replaced(to_yaml(example()), c.from, c.to), "manifest.yaml");
    ASSERT_FALSE(read.ok()) << c.to;
    EXPECT_EQ(read.error().code, c.code) << c.to << "\n" << read.error().to_string();
    EXPECT_NE(read.error().message.find(c.words), std::string::npos) << read.error().to_string();
    EXPECT_EQ(read.error().where.file, "manifest.yaml") << c.to;
    EXPECT_FALSE(read.error().action.empty()) << c.to;
  }
}

TEST(Manifest, AMissingFileIsNamed) {
  const auto read = load_manifest("/nowhere/manifest.yaml");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, "OPK-MANIFEST-001");
  EXPECT_NE(read.error().message.find("/nowhere/manifest.yaml"), std::string::npos);
}

TEST(Manifest, RandomDamageIsReadOrRefused) {
  const std::string good = to_yaml(example());
  std::mt19937_64 random(7);
  const std::string marks = "\n\t :-[]{}\"'#&*!|>%@`,?0aZ\\\xff";
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text = good;
    for (int change = 0; change < 1 + round % 6; ++change) {
      const size_t at = random() % text.size();
      switch (random() % 4) {
        case 0: text[at] = marks[random() % marks.size()]; break;
        case 1: text.erase(at, 1 + random() % 9); break;
        case 2: text.insert(at, 1, marks[random() % marks.size()]); break;
        case 3: text.insert(at, text.substr(random() % text.size(), random() % 40)); break;
      }
      if (text.empty()) text.push_back(' ');
    }
    const auto read = parse_manifest(text, "m");
    if (read) continue;
    ++refused;
    EXPECT_EQ(read.error().code.substr(0, 13), "OPK-MANIFEST-");
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace opkit::registry
