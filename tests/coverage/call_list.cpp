#include "tests/coverage/call_list.h"

#include <algorithm>
#include <regex>
#include <sstream>

#include "opkit/base/document.h"

namespace opkit::coverage {
namespace {

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> found;
  for (std::string word; in >> word;) found.push_back(word);
  return found;
}

Error bad(const Value& where, const std::string& what) {
  return Error("OPK-COVERAGE-003", what,
               "an entry has use, types, forms, elsewhere, lacks and test")
      .at(where.where);
}

std::vector<Use> uses_of(const Value* forms) {
  std::vector<Use> uses;
  if (forms == nullptr) return uses;
  for (const Value::Entry& form : forms->entries) uses.push_back({form.key, form.value.text});
  return uses;
}

Result<Call> call_of(const std::string& chapter, const Value::Entry& entry) {
  Call call;
  call.chapter = chapter;
  call.name = entry.key;
  if (entry.value.is_scalar()) {
    call.use.text = entry.value.text;
    return call;
  }
  if (Status keys = entry.value.check_keys(entry.key,
                                           {"use", "types", "forms", "elsewhere", "lacks", "test"});
      !keys.ok())
    return keys.error();
  const auto text = [&](const char* key) {
    const Value* value = entry.value.find(key);
    return value ? value->text : std::string();
  };
  call.use.text = text("use");
  call.documented = words(text("types"));
  call.test = text("test");
  if (call.use.text.empty()) return bad(entry.value, entry.key + " has no use");
  call.forms = uses_of(entry.value.find("forms"));
  call.elsewhere = uses_of(entry.value.find("elsewhere"));
  if (const Value* lacks = entry.value.find("lacks")) {
    for (const Value& lack : lacks->items) call.lacks.push_back(lack.text);
  }
  for (const std::string& type : call.documented) {
    if (std::count(element_types().begin(), element_types().end(), type) == 0)
      return bad(entry.value, entry.key + ": " + type + " is no element type");
  }
  return call;
}

}  // namespace

bool Use::is_typed() const {
  static const std::regex typed(R"(\b(T|t|g|s)\b)");
  return !is_macro() && std::regex_search(text, typed);
}

Result<std::vector<Call>> read_calls(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Call> calls;
  for (const std::filesystem::path& file : files) {
    auto document = Document::load(file);
    if (!document.ok()) return document.error();
    for (const Value::Entry& chapter : document->root().entries) {
      for (const Value::Entry& entry : chapter.value.entries) {
        auto call = call_of(chapter.key, entry);
        if (!call.ok()) return call.error();
        calls.push_back(std::move(*call));
      }
    }
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
