#include "opkit/base/document.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

namespace opkit {
namespace {

Error refused(const std::string& text) {
  auto document = Document::parse(text, "f.yaml");
  EXPECT_FALSE(document.ok()) << text;
  return document.ok() ? Error() : document.error();
}

Value parsed(const std::string& text) {
  auto document = Document::parse(text, "f.yaml");
  EXPECT_TRUE(document.ok()) << document.error().to_string();
  return document.ok() ? document->root() : Value();
}

TEST(Document, RemembersWhereEveryValueStands) {
  const Value root = parsed("op: Add\ninputs:\n  x: {dtype: T}\nlist: [1, two]\n");
  ASSERT_TRUE(root.is_map());
  ASSERT_EQ(root.entries.size(), 3u);
  EXPECT_EQ(root.entries[1].where.to_string(), "f.yaml:2:1");
  EXPECT_EQ(root.find("op")->where.to_string(), "f.yaml:1:5");
  EXPECT_EQ(root.find("inputs")->find("x")->find("dtype")->where.to_string(), "f.yaml:3:14");
  EXPECT_EQ(root.find("list")->items[1].where.to_string(), "f.yaml:4:11");
  EXPECT_EQ(root.find("nothing"), nullptr);
}

TEST(Document, ReadsJson) {
  const Value root = parsed(R"({"a": {"b": [1, 2.5, "x\ty", true, null]}})");
  const Value& list = *root.find("a")->find("b");
  ASSERT_EQ(list.items.size(), 5u);
  EXPECT_EQ(*list.items[0].as_int("i"), 1);
  EXPECT_EQ(*list.items[1].as_number("f"), 2.5);
  EXPECT_EQ(*list.items[2].as_string("s"), "x\ty");
  EXPECT_TRUE(*list.items[3].as_bool("b"));
  EXPECT_TRUE(list.items[4].is_null());
}

TEST(Document, AnEmptyFileIsNull) { EXPECT_TRUE(parsed("").is_null()); }

TEST(Document, SkipsAByteOrderMark) {
  const Value root = parsed(
      "\xEF\xBB\xBF"
      "a: 1\n");
  EXPECT_EQ(root.entries[0].where.to_string(), "f.yaml:1:1");
}

TEST(Document, RefusesSyntaxErrors) {
  const Error error = refused("a: [1, 2\nb: 3\n");
  EXPECT_EQ(error.code, "OPK-DOC-001");
  EXPECT_EQ(error.where.line, 2);
  EXPECT_FALSE(error.action.empty());
}

TEST(Document, KnowsATabInFrontOfALine) {
  const Error error = refused("a:\n\tb: {c: 1}\n");
  EXPECT_EQ(error.code, "OPK-DOC-001");
  EXPECT_EQ(error.where.line, 2);
  EXPECT_NE(error.message.find("tab"), std::string::npos);
  EXPECT_EQ(error.action, "indent with blanks");
}

TEST(Document, RefusesDuplicateKeys) {
  const Error error = refused("a: 1\nb: 2\na: 3\n");
  EXPECT_EQ(error.to_string(),
            "f.yaml:3:1: error OPK-DOC-002: key 'a' is already given in line 1\n"
            "  try: remove one of the two");
}

TEST(Document, RefusesAliasesAndSuggestsQuotes) {
  const Error plain = refused("shape: *B\n");
  EXPECT_EQ(plain.code, "OPK-DOC-003");
  EXPECT_EQ(plain.where.to_string(), "f.yaml:1:8");
  EXPECT_EQ(plain.action, "if text is meant, write it in quotes: \"*B\"");
  EXPECT_EQ(refused("shape: *B, M, K\n").code, "OPK-DOC-003");
  EXPECT_EQ(refused("a: &x 1\nb: 2\n").code, "OPK-DOC-003");
  EXPECT_EQ(refused("a: &x [1]\nb: [*x, *x]\n").code, "OPK-DOC-003");
  EXPECT_EQ(refused("a: &x {}\n").code, "OPK-DOC-003");
}

TEST(Document, RefusesTags) {
  for (const char* text : {"a: !!int 1\n", "a: !x [1]\n", "a: !x {b: 1}\n", "a: ! 1\n"}) {
    EXPECT_EQ(refused(text).code, "OPK-DOC-004") << text;
  }
}

TEST(Document, RefusesSeveralDocuments) {
  const Error error = refused("a: 1\n---\nb: 2\n");
  EXPECT_EQ(error.code, "OPK-DOC-005");
  EXPECT_EQ(error.where.line, 2);
}

TEST(Document, RefusesDeepNesting) {
  EXPECT_TRUE(parsed(std::string(64, '[') + std::string(64, ']')).is_list());
  EXPECT_EQ(refused(std::string(65, '[') + std::string(65, ']')).code, "OPK-DOC-006");
  EXPECT_FALSE(Document::parse(std::string(1 << 20, '['), "f").ok());
}

TEST(Document, RefusesTooManyValues) {
  std::string text = "[";
  for (int i = 0; i < 200'001; ++i) text += "1,";
  EXPECT_EQ(refused(text + "]").code, "OPK-DOC-007");
}

TEST(Document, RefusesBigFiles) {
  EXPECT_EQ(refused(std::string((4 << 20) + 1, ' ')).code, "OPK-DOC-008");
}

TEST(Document, RefusesWhatIsNoText) {
  EXPECT_EQ(refused(std::string("a: \0", 4)).code, "OPK-DOC-009");
  EXPECT_EQ(refused("a: 1\nb: \xC0\x80").where.to_string(), "f.yaml:2:4");
  EXPECT_EQ(refused("\xFF\xFE"
                    "a")
                .code,
            "OPK-DOC-009");
  EXPECT_EQ(refused("a: \xE2\x82").code, "OPK-DOC-009");
}

TEST(Document, RefusesKeysThatAreNoNames) {
  EXPECT_EQ(refused("{[1]: 2}").code, "OPK-DOC-010");
  EXPECT_EQ(refused("~: 2\n").code, "OPK-DOC-010");
  EXPECT_EQ(refused("<<: {a: 1}\n").code, "OPK-DOC-011");
}

TEST(Document, LoadsFromAFile) {
  const auto path = std::filesystem::temp_directory_path() / "opkit_document_test.yaml";
  std::ofstream(path) << "a: 1\na: 2\n";
  const auto document = Document::load(path);
  ASSERT_FALSE(document.ok());
  EXPECT_EQ(document.error().where.to_string(), path.string() + ":2:1");
  std::filesystem::remove(path);
  EXPECT_FALSE(Document::load(path).ok());
}

TEST(Value, ReadsStrings) {
  const Value root = parsed("[a b, \"1.10\", 'no', 1.0.0, 2x, float16, inf, nan, \"\"]");
  for (const Value& item : root.items) EXPECT_TRUE(item.as_string("it").ok()) << item.text;
}

TEST(Value, RefusesStringsThatReadersDisagreeOn) {
  const Value root = parsed(
      "[1.10, yes, No, on, OFF, y, N, true, 10, 0x1f, 1e3, .5, .inf, .nan, 010, 1_000, 1:30]");
  for (const Value& item : root.items) {
    const auto text = item.as_string("version");
    ASSERT_FALSE(text.ok()) << item.text;
    EXPECT_EQ(text.error().code, "OPK-DOC-013");
    EXPECT_EQ(text.error().action, "write it in quotes: \"" + item.text + "\"");
  }
  EXPECT_EQ(parsed("[[1]]").items[0].as_string("op").error().code, "OPK-DOC-012");
}

TEST(Value, ReadsIntegers) {
  const Value root = parsed("[0, -7, 0x10, 2**31, +3, -9223372036854775808, -2**4]");
  const std::vector<int64_t> expected = {0, -7, 16, int64_t{1} << 31, 3, INT64_MIN, -16};
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(*root.items[i].as_int("n"), expected[i]);
}

TEST(Value, RefusesWhatIsNoInteger) {
  const Value root = parsed(
      "[1.0, 010, 1_0, \"1\", x, 9223372036854775808, 2**63, 2**, 0x, --1, 1e3, yes, 2**-1]");
  for (const Value& item : root.items) {
    const auto number = item.as_int("n");
    ASSERT_FALSE(number.ok()) << item.text;
    EXPECT_EQ(number.error().code, "OPK-DOC-014") << item.text;
  }
  EXPECT_EQ(root.as_int("n").error().code, "OPK-DOC-012");
}

TEST(Value, ReadsNumbers) {
  const Value root = parsed("[0.5, -1e-3, 3, inf, -.inf, nan, +.5, 1.]");
  const double infinity = INFINITY;
  const std::vector<double> expected = {0.5, -1e-3, 3, infinity, -infinity, 0, 0.5, 1};
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_TRUE(root.items[i].as_number("x").ok()) << root.items[i].text;
    if (i != 5) {
      EXPECT_EQ(*root.items[i].as_number("x"), expected[i]);
    }
  }
  EXPECT_TRUE(std::isnan(*root.items[5].as_number("x")));
}

TEST(Value, RefusesWhatIsNoNumber) {
  const Value root = parsed("[1.0f, \"1.0\", abc, 1e999, 1.2.3, infinity, -nan]");
  for (const Value& item : root.items) {
    const auto number = item.as_number("x");
    ASSERT_FALSE(number.ok()) << item.text;
    EXPECT_EQ(number.error().code, "OPK-DOC-015");
  }
}

TEST(Value, ReadsOnlyTrueAndFalse) {
  EXPECT_FALSE(*parsed("[false]").items[0].as_bool("b"));
  for (const char* text : {"[yes]", "[True]", "[1]", "[\"true\"]", "[on]"}) {
    EXPECT_EQ(parsed(text).items[0].as_bool("b").error().code, "OPK-DOC-016") << text;
  }
}

TEST(Value, ChecksKeys) {
  const Value root = parsed("inputs: 1\nouptuts: 2\n");
  const Status status = root.check_keys("the contract", {"inputs", "outputs"});
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().to_string(),
            "f.yaml:2:1: error OPK-DOC-017: the contract has no field 'ouptuts'\n"
            "  try: did you mean 'outputs'?");
  EXPECT_EQ(parsed("[1]").check_keys("it", {"a"}).error().code, "OPK-DOC-012");
  // What stands behind a comma that should have been quoted.
  EXPECT_EQ(parsed("{shape: M, N}").check_keys("x", {"shape"}).error().action,
            "quote a text that holds a comma: shape: \"M, N\"");
}

}  // namespace
}  // namespace opkit
