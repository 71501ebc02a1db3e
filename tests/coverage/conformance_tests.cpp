#include "tests/coverage/conformance_tests.h"

#include <cctype>
#include <regex>

#include "opkit/base/file.h"

namespace opkit::coverage {
namespace {

std::string without_comments(const std::string& text) {
  std::string code;
  for (size_t from = 0; from < text.size();) {
    const size_t to = std::min(text.find('\n', from), text.size());
    const std::string line = text.substr(from, to - from);
    code += line.substr(0, line.find("//")) + "\n";
    from = to + 1;
  }
  return code;
}

std::set<std::string> words_of(const std::string& code) {
  std::set<std::string> words;
  std::string word;
  for (char c : code + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      word += c;
    } else if (!word.empty()) {
      words.insert(std::exchange(word, {}));
    }
  }
  return words;
}

}  // namespace

std::map<std::string, std::set<std::string>> conformance_tests(
    const std::filesystem::path& folder) {
  static const std::regex test(R"(\bTEST\((\w+),\s*(\w+)\))");
  std::map<std::string, std::set<std::string>> tests;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto text = read_file(entry.path());
    if (entry.path().extension() != ".cpp" || !text.ok()) continue;
    const std::string code = without_comments(*text);
    const std::set<std::string> words = words_of(code);
    for (std::sregex_iterator at(code.begin(), code.end(), test), end; at != end; ++at)
      tests[(*at)[1].str() + "." + (*at)[2].str()] = words;
  }
  return tests;
}

}  // namespace opkit::coverage
