#include "opkit/verify/report/padding_notes.h"

#include <fmt/format.h>

#include <map>

#include "opkit/verify/labels.h"

namespace opkit::verify {
namespace {

struct Seen {
  int64_t padded = 0, untouched = 0, written = 0;  // problems
};

std::string sentence(const std::string& key, const Seen& seen) {
  std::string text = fmt::format("{}: padding that is not zero in", key);
  if (seen.untouched > 0)
    text += fmt::format(" {} of {} problems (not written)", seen.untouched, seen.padded);
  if (seen.written > 0)
    text += fmt::format("{} {} of {} problems (values)", seen.untouched > 0 ? "," : "",
                        seen.written, seen.padded);
  return text + "; it is not judged";
}

}  // namespace

std::vector<std::string> padding_notes(const OpContract& contract,
                                       const std::vector<ProblemResult>& results) {
  std::map<std::string, Seen> all;  // is keyed by output and column
  for (const ProblemResult& result : results) {
    for (const auto& [output, padding] : result.padding) {
      Seen& seen = all[output_of_column(contract, output, result.problem.column)];
      ++seen.padded;
      if (padding.untouched > 0) ++seen.untouched;
      if (padding.not_zero > padding.untouched) ++seen.written;
    }
  }
  std::vector<std::string> notes;
  for (const auto& [key, seen] : all) {
    if (seen.untouched + seen.written > 0) notes.push_back(sentence(key, seen));
  }
  return notes;
}

}  // namespace opkit::verify
