#include "opkit/cli/options/msopgen_words.h"

#include <map>

namespace opkit::cli {

void spell_msopgen(std::vector<std::string>& words) {
  static const std::map<std::string, std::string> spellings = {
      {"-lan", "--lan"},        {"--language", "--lan"}, {"-out", "--out"}, {"--output", "--out"},
      {"-op", "--op"},          {"--operator", "--op"},  {"--input", "-i"}, {"--framework", "-f"},
      {"--compute_unit", "-c"}, {"--mode", "-m"}};
  for (std::string& word : words) {
    const size_t equals = word.find('=');
    const auto found = spellings.find(word.substr(0, equals));
    if (found == spellings.end()) continue;
    word = found->second + (equals == std::string::npos ? "" : word.substr(equals));
  }
}

}  // namespace opkit::cli
