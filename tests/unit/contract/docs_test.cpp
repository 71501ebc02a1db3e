// The examples of docs/contract.md are contracts, and the page names every field there is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "opkit/contract/names.h"
#include "opkit/contract/op_contract.h"
#include "opkit/contract/schema.h"
#include "opkit_test_paths.h"

namespace opkit {
namespace {

using ::testing::HasSubstr;

std::string page() {
  std::ifstream file(OPKIT_SOURCE_DIR "/docs/contract.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> examples(const std::string& text) {
  const std::string open = "```yaml contract\n", close = "```\n";
  std::vector<std::string> blocks;
  for (size_t at = text.find(open); at != text.npos; at = text.find(open, at)) {
    at += open.size();
    const size_t end = text.find(close, at);
    blocks.push_back(text.substr(at, end - at));
  }
  return blocks;
}

TEST(ContractPage, ItsExamplesParse) {
  const auto blocks = examples(page());
  ASSERT_GE(blocks.size(), 4u);
  for (const std::string& block : blocks) {
    const auto contract = OpContract::parse(block, "docs/contract.md");
    EXPECT_TRUE(contract.ok()) << contract.error().to_string() << "\n" << block;
  }
}

TEST(ContractPage, NamesEveryField) {
  const std::string text = page();
  const auto schema = nlohmann::ordered_json::parse(contract_schema_text());
  const auto expect_fields = [&](const nlohmann::ordered_json& object) {
    for (const auto& [field, value] : object["properties"].items())
      EXPECT_TRUE(text.find("`" + field + "`") != text.npos ||
                  text.find("`" + field + ":") != text.npos)
          << field;
  };
  expect_fields(schema);
  for (const char* name : {"input", "output", "attr", "node"})
    expect_fields(schema["definitions"][name]);
  for (const char* name : {"numeric", "kernel"}) expect_fields(schema["properties"][name]);
  for (const std::string& name : data_class_names()) EXPECT_THAT(text, HasSubstr("`" + name + "`"));
}

}  // namespace
}  // namespace opkit
