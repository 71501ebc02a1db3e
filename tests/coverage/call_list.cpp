#include "tests/coverage/call_list.h"

#include <regex>

#include "opkit/base/document.h"

namespace opkit::coverage {

bool Call::is_typed() const {
  static const std::regex typed(R"(\b(T|t|g|s)\b)");
  return !is_macro() && std::regex_search(use, typed);
}

Result<std::vector<Call>> read_calls(const std::filesystem::path& path) {
  auto document = Document::load(path);
  if (!document.ok()) return document.error();
  std::vector<Call> calls;
  for (const Value::Entry& chapter : document->root().entries) {
    for (const Value::Entry& call : chapter.value.entries)
      calls.push_back({chapter.key, call.key, call.value.text});
  }
  return calls;
}

const std::vector<std::string>& element_types() {
  static const std::vector<std::string> types = {"half",    "float",    "bfloat16_t", "int4b_t",
                                                 "int8_t",  "uint8_t",  "int16_t",    "uint16_t",
                                                 "int32_t", "uint32_t", "int64_t",    "uint64_t"};
  return types;
}

}  // namespace opkit::coverage
