#include "registry/elf.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "packages.h"

namespace opkit::registry {
namespace {

std::string good_library() { return read_text(fake_plugin("good")); }

template <typename T>
void put(std::string& bytes, size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof(value));
}

TEST(Elf, ReadsARealPlugin) {
  const auto facts = read_elf_file(fake_plugin("good"));
  ASSERT_TRUE(facts.ok()) << facts.error().to_string();
  EXPECT_EQ(facts->platform, "linux-x86_64");
  EXPECT_TRUE(facts->exports("opkit_plugin_query"));
  EXPECT_FALSE(facts->exports("opkit_plugin_quer"));
  EXPECT_EQ(facts->sanitizer(), this_host().sanitizer);
}

// The loader's own library: many symbols, versions on both sides.
TEST(Elf, ReadsTheRunningCxxRunTime) {
  const auto path = this_host().find_library("libstdc++.so.6", {});
  ASSERT_FALSE(path.empty());
  const auto facts = read_elf_file(path);
  ASSERT_TRUE(facts.ok()) << facts.error().to_string();
  EXPECT_EQ(facts->soname, "libstdc++.so.6");
  EXPECT_EQ(facts->highest_provided("GLIBCXX"), this_host().glibcxx);
  EXPECT_TRUE(facts->exports("_ZSt9terminatev"));
  EXPECT_TRUE(facts->imports("pthread_mutex_lock") || facts->imports("malloc"));
  EXPECT_EQ(facts->highest_need("GLIBC").substr(0, 2), "2.");
  EXPECT_GT(facts->exported.size(), 3000u);
}

TEST(Elf, RefusesWhatIsNoLibrary) {
  for (const std::string& bytes : {std::string(),
                                   std::string("\x7f"
                                               "ELF"),
                                   std::string(4096, 'x')}) {
    const auto facts = read_elf(bytes, "x.so");
    ASSERT_FALSE(facts.ok());
    EXPECT_EQ(facts.error().code, "OPK-ELF-001");
    EXPECT_EQ(facts.error().message, "x.so is not an ELF file");
  }
  std::string wrong = good_library();
  put<uint16_t>(wrong, offsetof(Elf64_Ehdr, e_type), ET_EXEC);
  EXPECT_EQ(read_elf(wrong, "x.so").error().code, "OPK-ELF-003");
  wrong = good_library();
  wrong[EI_CLASS] = ELFCLASS32;
  EXPECT_EQ(read_elf(wrong, "x.so").error().code, "OPK-ELF-003");
}

TEST(Elf, NamesAForeignMachine) {
  std::string bytes = good_library();
  put<uint16_t>(bytes, offsetof(Elf64_Ehdr, e_machine), EM_AARCH64);
  const auto facts = read_elf(bytes, "x.so");
  ASSERT_TRUE(facts.ok());
  EXPECT_EQ(facts->platform, "linux-aarch64");
}

TEST(Elf, EveryCutFileIsRefusedOrReadWithoutHarm) {
  const std::string bytes = good_library();
  size_t refused = 0;
  for (size_t length = 0; length < bytes.size(); length += 13) {
    const auto facts = read_elf(std::string_view(bytes).substr(0, length), "x.so");
    if (!facts) ++refused;
    if (facts.ok() || length < sizeof(Elf64_Ehdr)) continue;
    EXPECT_EQ(facts.error().code, "OPK-ELF-002");
  }
  EXPECT_GT(refused, 20u);
}

// Random damage, denser where the tables are. Run under ASan this finds any read out of range.
TEST(Elf, RandomDamageNeverHarms) {
  const std::string good = good_library();
  std::mt19937_64 random(20240607);
  for (int round = 0; round < 4000; ++round) {
    std::string bytes = good;
    const size_t reach = round % 2 == 0 ? std::min<size_t>(bytes.size(), 0x800) : bytes.size();
    for (int change = 0; change < 1 + round % 12; ++change) {
      const size_t at = random() % reach;
      const uint64_t value = round % 3 == 0 ? ~uint64_t{0} >> (random() % 64) : random();
      std::memcpy(bytes.data() + at, &value, std::min<size_t>(1 + random() % 8, bytes.size() - at));
    }
    const auto facts = read_elf(bytes, "x.so");
    if (facts.ok()) continue;
    EXPECT_EQ(facts.error().code.substr(0, 8), "OPK-ELF-");
  }
}

}  // namespace
}  // namespace opkit::registry
