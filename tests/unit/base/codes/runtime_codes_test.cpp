// Numbers of the runtime API: a row for each that the headers name, and each row told as it is.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "opkit/base/codes/codes.h"
#include "opkit/base/codes/runtime_code.h"
#include "opkit_test_paths.h"

namespace opkit {
namespace {
namespace fs = std::filesystem;

const fs::path kRepository = OPKIT_SOURCE_DIR;

std::string whole(const fs::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// The codes that headers of programs define, by name.
std::map<std::string, int64_t> named_codes() {
  static const std::regex define(R"(#define (ACL(?:NN)?_ERR\w+) (\d+))");
  std::map<std::string, int64_t> codes;
  for (const char* header : {"acl/acl_base_types.h", "aclnn/acl_meta.h"}) {
    const std::string text = whole(kRepository / "opkit/include" / header);
    for (std::sregex_iterator it(text.begin(), text.end(), define), end; it != end; ++it)
      codes[(*it)[1]] = std::stoll((*it)[2]);
  }
  return codes;
}

// Everything that the runtime is made of.
std::string runtime_sources() {
  std::string text;
  for (const char* folder : {"opkit/acl", "opkit/atc/ge", "opkit/include/graph"})
    for (const auto& entry : fs::recursive_directory_iterator(kRepository / folder))
      if (entry.is_regular_file()) text += whole(entry.path());
  return text;
}

std::set<std::string> words_of(const std::string& text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      word += c;
    } else {
      words.insert(std::move(word));
      word.clear();
    }
  }
  return words;
}

TEST(RuntimeCodes, EveryNumberOfTheHeadersHasARow) {
  const auto named = named_codes();
  ASSERT_GT(named.size(), 150u);
  for (const auto& [name, number] : named) {
    const auto found = find_runtime_code(number);
    ASSERT_TRUE(found) << name << " " << number;
    EXPECT_TRUE(found->name == name || name == "ACL_ERROR_NONE") << found->name << " " << name;
  }
}

TEST(RuntimeCodes, TellWhichOfThemTheRuntimeReturns) {
  const std::set<std::string> words = words_of(runtime_sources());
  for (const RuntimeCode& code : runtime_codes()) {
    EXPECT_EQ(words.count(code.name) > 0, code.returned_here) << code.id << " " << code.name;
  }
}

TEST(RuntimeCodes, EveryRowIsComplete) {
  std::set<int64_t> numbers;
  for (const RuntimeCode& code : runtime_codes()) {
    EXPECT_TRUE(numbers.insert(code.number).second) << code.id << " stands twice";
    for (const std::string& text : {code.cause, code.usual, code.cure}) {
      ASSERT_GT(text.size(), 8u) << code.id;
      EXPECT_EQ(text.back(), '.') << code.id << ": " << text;
    }
    EXPECT_TRUE(fs::exists(kRepository / code.page)) << code.id;
  }
}

TEST(RuntimeCodes, AreFoundByNumberAndByName) {
  ASSERT_TRUE(find_runtime_code(507015));
  EXPECT_EQ(find_runtime_code(507015)->name, "ACL_ERROR_RT_AICORE_EXCEPTION");
  EXPECT_EQ(find_runtime_code("acl_error_rt_context_null")->number, 107002);
  EXPECT_FALSE(find_runtime_code(507014 * 2));
  EXPECT_FALSE(find_runtime_code("ACL_ERROR_RT_CONTEXT"));
  EXPECT_FALSE(find_runtime_code("EK1103"));
}

// A module and a number: 0xA0, 7 (VPC), 0x80, 3; as programs print it, signed or not.
TEST(RuntimeCodes, OfPicturesAreMadeOfTwo) {
  for (const int64_t number : {int64_t{0xA0078003}, int64_t{static_cast<int32_t>(0xA0078003)}}) {
    const auto found = find_runtime_code(number);
    ASSERT_TRUE(found) << number;
    EXPECT_EQ(found->name, "HI_ERR_VPC_ILLEGAL_PARAM");
    EXPECT_EQ(found->id, "0xA0078003");
  }
  EXPECT_EQ(find_runtime_code("HI_ERR_PNGD_BUF_EMPTY")->id, "0xA040800E");
  EXPECT_FALSE(find_runtime_code(0xA0078099)) << "no such number";
  EXPECT_FALSE(find_runtime_code(0xA0638003)) << "no such module";
  EXPECT_EQ(find_runtime_code(-1)->name, "GRAPH_FAILED");
}

TEST(RuntimeCodes, NumbersAreReadInBothNotations) {
  EXPECT_EQ(code_number("507015"), 507015);
  EXPECT_EQ(code_number("0x7BC87"), 507015);
  EXPECT_EQ(code_number("-1"), -1);
  for (const char* word : {"", "0x", "EK1103", "507015x", "5 7", "99999999999999999999"})
    EXPECT_EQ(code_number(word), std::nullopt) << word;
}

TEST(RuntimeCodes, ExplainNamesCauseUsualCausesCureAndPage) {
  EXPECT_EQ(explain(*find_runtime_code(100045)),
            "100045 ACL_ERROR_DUMP_NOT_RUN: Dumping was not begun.\n"
            "  usually: aclmdlSetDump without aclmdlInitDump.\n"
            "  cure: Call aclmdlInitDump first.\n"
            "  read: docs/programs.md\n");
  const std::string elsewhere = explain(*find_runtime_code(507035));
  EXPECT_NE(elsewhere.find("  here: opkit's runtime never returns it"), std::string::npos);
}

TEST(RuntimeCodes, TheFirstDigitSaysWhatKindItIs) {
  EXPECT_NE(class_of(107999).find("the program's own calls"), std::string::npos);
  EXPECT_NE(class_of(507999).find("failed on the device"), std::string::npos);
  EXPECT_EQ(class_of(7), "");
}

}  // namespace
}  // namespace opkit
