#include "opkit/cli/options/command.h"

#include <fmt/format.h>

#include <algorithm>

namespace opkit::cli {

const std::vector<Flag>& common_flags() {
  static const std::vector<Flag> flags = {
      {.name = "--json", .value = "", .help = "print one JSON document instead of text"},
      {.name = "--quiet", .value = "", .help = "no progress"},
      {.name = "--color",
       .value = "WHEN",
       .help = "colours: auto (on a terminal, unless NO_COLOR is set), always, never",
       .choices = {"auto", "always", "never"},
       .preset = "auto"},
      {.name = "--help", .value = "", .help = "this page"},
  };
  return flags;
}

std::vector<Flag> flags_of(const Command& command) {
  std::vector<Flag> flags = command.flags;
  flags.insert(flags.end(), common_flags().begin(), common_flags().end());
  return flags;
}

const Command* Commands::find(const std::string& name) const {
  for (const Command& command : commands_) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

std::vector<std::string> Commands::first_words() const {
  std::vector<std::string> words;
  for (const Command& command : commands_) {
    const std::string word = command.name.substr(0, command.name.find(' '));
    const bool known = std::find(words.begin(), words.end(), word) != words.end();
    if (!command.hidden && !known) words.push_back(word);
  }
  return words;
}

std::vector<std::string> Commands::members(const std::string& group) const {
  std::vector<std::string> words;
  for (const Command& command : commands_) {
    if (command.name.starts_with(group + " "))
      words.push_back(command.name.substr(group.size() + 1));
  }
  return words;
}

std::string Commands::group_summary(const std::string& group) const {
  return fmt::format("{}", fmt::join(members(group), ", "));
}

}  // namespace opkit::cli
