#include "opkit/contract/column_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/suggest.h"

namespace opkit {
namespace {

// The number stands first, then the name of a contract with variables and dtypes of this column
// alone.
std::vector<std::string> words_of(const OpContract& contract, size_t column) {
  std::vector<std::string> words{std::to_string(column)};
  if (std::string name = contract.column_name(column); !name.empty())
    words.push_back(std::move(name));
  for (const auto& [symbol, dtypes] : contract.types) {
    if (std::count(dtypes.begin(), dtypes.end(), dtypes[column]) == 1)
      words.emplace_back(name_of(dtypes[column]));
  }
  return words;
}

std::string listed(const OpContract& contract, size_t column) {
  const std::string name = contract.column_name(column);
  return name.empty() ? std::to_string(column) : fmt::format("{} ({})", column, name);
}

}  // namespace

Result<size_t> column_called(const OpContract& contract, const std::string& name, std::string code,
                             const std::string& example) {
  std::string known;
  std::vector<std::string> names;
  for (size_t column = 0; column < contract.column_count(); ++column) {
    const std::vector<std::string> words = words_of(contract, column);
    if (std::find(words.begin(), words.end(), name) != words.end()) return column;
    known += (column ? ", " : "") + listed(contract, column);
    names.insert(names.end(), words.begin() + 1, words.end());
  }
  const auto near = nearest(name, names);
  return contract.error(std::move(code),
                        fmt::format("there is no column '{}'; there are {}", name, known),
                        near ? fmt::format("did you mean '{}'?", *near) : example);
}

}  // namespace opkit
