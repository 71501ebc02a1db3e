#include "opkit/codes/codes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "opkit_test_paths.h"

namespace opkit {
namespace {
namespace fs = std::filesystem;

const fs::path kRoot = OPKIT_SOURCE_DIR;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// Every code that stands in the folders' C++ files, outside the table, and the file where it
// stands.
std::map<std::string, fs::path> codes_in(const std::vector<fs::path>& folders) {
  static const std::regex code(R"((OPK-[A-Z]+-[0-9]{3}|EK1[0-9]{3})(?![0-9]))");
  std::map<std::string, fs::path> found;
  for (const fs::path& folder : folders) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string type = entry.path().extension().string();
      if (type != ".cpp" && type != ".h" && type != ".inc") continue;
      const std::string text = text_of(entry.path());
      for (std::sregex_iterator it(text.begin(), text.end(), code), end; it != end; ++it)
        found.emplace(it->str(), entry.path());
    }
  }
  return found;
}

TEST(Codes, EverySourceHasItsRows) {
  for (const auto& [code, file] : codes_in({kRoot / "opkit", kRoot / "registry"}))
    EXPECT_TRUE(find_code(code)) << code << " of " << file << " has no row in opkit/codes";
}

TEST(Codes, EveryRowIsUsed) {
  const auto used = codes_in({kRoot / "opkit", kRoot / "registry"});
  for (const Code& code : all_codes())
    EXPECT_TRUE(used.count(code.id)) << code.id << " stands in the table and nowhere else";
}

TEST(Codes, EveryRowIsComplete) {
  std::set<std::string> ids;
  for (const Code& code : all_codes()) {
    EXPECT_TRUE(ids.insert(code.id).second) << code.id << " stands twice";
    const std::string cause = code.cause, cure = code.cure;
    ASSERT_GT(cause.size(), 10u) << code.id;
    EXPECT_EQ(cause.back(), '.') << code.id << ": the cause is a sentence";
    EXPECT_EQ(cure.back(), '.') << code.id << ": the cure is a sentence";
    EXPECT_GT(std::string(code.example).size(), 2u) << code.id;
    EXPECT_TRUE(fs::exists(kRoot / code.page)) << code.id << " points to " << code.page;
  }
}

TEST(Codes, FindTakesAnyCase) {
  ASSERT_TRUE(find_code("ek1103"));
  EXPECT_STREQ(find_code("ek1103")->id, "EK1103");
  EXPECT_EQ(find_code("EK999"), nullptr);
  EXPECT_EQ(find_code(""), nullptr);
}

TEST(Codes, ExplainNamesCauseExampleCureAndPage) {
  const Code* code = find_code("EK1103");
  ASSERT_TRUE(code);
  EXPECT_EQ(explain(*code),
            "EK1103: DeQue is called on a queue that holds nothing.\n"
            "  for example: queue.DeQue<float>() before EnQue\n"
            "  cure: EnQue a tensor first, on every path that leads to the DeQue.\n"
            "  read: docs/checked.md\n");
}

}  // namespace
}  // namespace opkit
