#include "opkit/cli/options/parser.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "opkit/base/shell_word.h"
#include "opkit/base/suggest.h"

namespace opkit::cli {
namespace {

bool is_option(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

Error unknown_command(const std::string& word, const std::string& group,
                      const std::vector<std::string>& known) {
  const std::string prefix = group.empty() ? "opkit" : "opkit " + group;
  const auto near = nearest(word, known);
  return Error("OPK-CLI-001", fmt::format("'{}' is no command of {}", word, prefix),
               near ? fmt::format("{} {}", prefix, *near) : fmt::format("{} --help", prefix));
}

std::string usage_hint(const Command& command) {
  return fmt::format("opkit {} --help", command.name);
}

// "x=10" of a command that takes --shape.
bool is_shape(const Command& command, const std::string& word) {
  const size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) return false;
  const bool dims = word.find_first_not_of("0123456789,[]?", equals + 1) == std::string::npos;
  return dims && std::ranges::any_of(command.flags,
                                     [](const Flag& flag) { return flag.name == "--shape"; });
}

Error unknown_option(const Command& command, const std::string& word) {
  std::vector<std::string> known;
  for (const Flag& flag : flags_of(command)) {
    if (!flag.hidden) known.push_back(flag.name);
  }
  const std::string name = word.substr(0, word.find('='));
  const auto near = nearest(name, known);
  return Error("OPK-CLI-002", fmt::format("opkit {} has no option {}", command.name, name),
               near ? fmt::format("{} (did you mean it?)", *near) : usage_hint(command));
}

Status check_choice(const std::string& what, const std::vector<std::string>& choices,
                    const std::string& value) {
  if (choices.empty() || std::find(choices.begin(), choices.end(), value) != choices.end()) {
    return {};
  }
  const auto near = nearest(value, choices);
  return Error("OPK-CLI-004",
               fmt::format("{} is '{}', not one of {}", what, value, fmt::join(choices, ", ")),
               fmt::format("{} {}", what, near ? *near : choices.front()));
}

Status check_integer(const Flag& flag, const std::string& value) {
  int64_t number = 0;
  const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), number);
  const bool whole = failure == std::errc() && end == value.data() + value.size();
  if (whole && number >= flag.least && number <= flag.most) return {};
  const bool too_large = !value.empty() && value.find_first_not_of("0123456789") == value.npos;
  const std::string range = flag.most == INT64_MAX && !too_large
                                ? fmt::format("at least {}", flag.least)
                                : fmt::format("from {} to {}", flag.least, flag.most);
  return Error("OPK-CLI-004",
               fmt::format("{} is '{}', not a whole number {}", flag.name, value, range),
               fmt::format("{} {}", flag.name,
                           flag.preset.empty() ? std::to_string(flag.least) : flag.preset));
}

Status check_seconds(const Flag& flag, const std::string& value) {
  double number = 0;
  const auto [end, failure] =
      std::from_chars(value.data(), value.data() + value.size(), number, std::chars_format::fixed);
  const bool whole = failure == std::errc() && end == value.data() + value.size();
  if (whole && number >= 0.01 && number <= static_cast<double>(flag.most)) return {};
  return Error("OPK-CLI-004",
               fmt::format("{} is '{}', not a number of seconds from 0.01 to {}", flag.name, value,
                           flag.most),
               fmt::format("{} 10", flag.name));
}

Error empty_value(const Flag& flag) {
  return Error("OPK-CLI-004", fmt::format("{} is empty", flag.name),
               fmt::format("{} {}", flag.name, flag.value));
}

Status check_value(const Flag& flag, const std::string& value) {
  if (value.empty()) return empty_value(flag);
  OPKIT_CHECK(check_choice(flag.name, flag.choices, value));
  if (flag.seconds) return check_seconds(flag, value);
  return flag.integer ? check_integer(flag, value) : Status{};
}

// "--html report.html" of an example, else "--html FILE".
std::string use_of(const Command& command, const Flag& flag) {
  for (const Example& example : command.examples) {
    const std::vector<std::string> words = shell_words(example.line);
    const auto at = std::find(words.begin(), words.end(), flag.name);
    if (at != words.end() && at + 1 != words.end())
      return fmt::format("{} {}", flag.name, shell_word(*(at + 1)));
  }
  const std::string usual = flag.choices.empty() ? flag.value : flag.choices.front();
  return fmt::format("{} {}", flag.name, flag.preset.empty() ? usual : flag.preset);
}

// Declares one option; CLI11 keeps the words, the checks above judge them.
void declare(CLI::App& app, const Flag& flag) {
  if (!flag.takes_value()) {
    app.add_flag(flag.name);
    return;
  }
  CLI::Option* option = app.add_option(flag.name);
  option->type_size(1)->expected(1)->allow_extra_args(false);
  option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

Status take_positionals(const Command& command, const std::vector<std::string>& words,
                        std::map<std::string, std::vector<std::string>>& values) {
  size_t next = 0;
  for (const Positional& positional : command.positionals) {
    if (next == words.size()) {
      if (!positional.required) continue;
      return Error("OPK-CLI-003", fmt::format("opkit {} needs <{}>", command.name, positional.name),
                   command.examples.empty() ? usage_hint(command) : command.examples[0].line);
    }
    do {
      if (words[next].empty() && !command.hidden) {
        return Error("OPK-CLI-004", fmt::format("<{}> is empty", positional.name),
                     command.examples[0].line);
      }
      OPKIT_CHECK(check_choice("<" + positional.name + ">", positional.choices, words[next]));
      values[positional.name].push_back(words[next++]);
    } while (positional.repeated && next < words.size());
  }
  if (next == words.size()) return {};
  return Error("OPK-CLI-005",
               fmt::format("opkit {} does not expect '{}'", command.name, words[next]),
               is_shape(command, words[next]) ? "--shape " + words[next] : usage_hint(command));
}

Status take_flags(const Command& command, const CLI::App& app,
                  std::map<std::string, std::vector<std::string>>& values) {
  for (const Flag& flag : flags_of(command)) {
    const CLI::Option* option = app.get_option(flag.name);
    if (option->count() == 0) continue;
    const std::vector<std::string>& given = option->results();
    for (const std::string& value : given) {
      if (flag.takes_value()) OPKIT_CHECK(check_value(flag, value));
    }
    if (flag.takes_value() && !flag.repeated && given.size() > 1) {
      return Error("OPK-CLI-004", fmt::format("{} is given {} times", flag.name, given.size()),
                   fmt::format("{} {}", flag.name, shell_word(given.back())));
    }
    values[flag.name] = given;
  }
  return {};
}

// Returns the option that the word names, up to its '='; null: it names none.
const Flag* flag_named(const std::vector<Flag>& flags, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  const auto found =
      std::find_if(flags.begin(), flags.end(), [&](const Flag& flag) { return flag.name == name; });
  return found == flags.end() ? nullptr : &*found;
}

// An option without a value would take the next one for its value: CLI11 asks only how many words
// there are, and takes "--option=" for "--option".
Status check_values_are_there(const Command& command, const std::vector<std::string>& words) {
  const std::vector<Flag> flags = flags_of(command);
  for (size_t w = 0; w < words.size(); ++w) {
    const Flag* flag = flag_named(flags, words[w]);
    if (flag == nullptr || !flag->takes_value()) continue;
    if (words[w] == flag->name + "=") return empty_value(*flag);
    if (words[w] != flag->name) continue;
    if (w + 1 == words.size())
      return Error("OPK-CLI-003", fmt::format("{} needs a value: {}", flag->name, flag->value),
                   use_of(command, *flag));
    if (flag_named(flags, words[++w]) != nullptr)
      return Error(
          "OPK-CLI-003",
          fmt::format("{} needs a value: '{}' behind it is an option", flag->name, words[w]),
          use_of(command, *flag));
  }
  return {};
}

// Finds the option in CLI11's message, where it stands in front of a colon.
Error switch_with_value(const Command& command, const CLI::ArgumentMismatch& failure) {
  const std::string text = failure.what();
  for (const Flag& flag : flags_of(command)) {
    if (text.substr(0, text.find(':')) == flag.name && !flag.takes_value())
      return Error("OPK-CLI-003", fmt::format("{} takes no value", flag.name), flag.name);
  }
  return Error("OPK-CLI-003", text, usage_hint(command));
}

// CLI11 throws; nobody outside this file sees it.
Status run_cli11(const Command& command, CLI::App& app, std::vector<std::string> words) {
  std::reverse(words.begin(), words.end());
  try {
    app.parse(std::move(words));
  } catch (const CLI::ArgumentMismatch& failure) {
    return switch_with_value(command, failure);
  } catch (const CLI::Error& failure) {
    return Error("OPK-CLI-004", failure.what(), usage_hint(command));
  }
  return {};
}

// Returns the words after the options, in order. A word that starts with '-' before "--" is a
// mistake.
Result<std::vector<std::string>> free_words(const Command& command, const CLI::App& app,
                                            const std::vector<std::string>& after_dashes) {
  std::vector<std::string> words;
  for (const std::string& word : app.remaining()) {
    if (is_option(word)) return unknown_option(command, word);
    words.push_back(word);
  }
  words.insert(words.end(), after_dashes.begin(), after_dashes.end());
  return words;
}

}  // namespace

Result<Chosen> choose(const Commands& commands, const std::vector<std::string>& words) {
  Chosen chosen;
  const auto dashes = std::find(words.begin(), words.end(), "--");
  for (auto word = words.begin(); word != dashes; ++word) {
    if (*word == "--help" || *word == "-h") chosen.help = true;
  }
  if (words.empty() || is_option(words[0])) {
    chosen.rest = words;
    return chosen;
  }
  const std::vector<std::string> members = commands.members(words[0]);
  const bool member =
      words.size() > 1 && std::find(members.begin(), members.end(), words[1]) != members.end();
  const Command* bare = commands.find(words[0]);  // "tune", beside "tune history"
  if (members.empty() || (bare != nullptr && !member)) {
    chosen.command = bare;
    if (!chosen.command) return unknown_command(words[0], "", commands.first_words());
    chosen.rest.assign(words.begin() + 1, words.end());
    return chosen;
  }
  chosen.group = words[0];
  if (words.size() == 1 || is_option(words[1])) return chosen;
  chosen.command = commands.find(words[0] + " " + words[1]);
  if (!chosen.command) return unknown_command(words[1], words[0], members);
  chosen.rest.assign(words.begin() + 2, words.end());
  return chosen;
}

Result<Arguments> Parser::parse(const Command& command, const std::vector<std::string>& words) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  app.prefix_command(false);
  for (const Flag& flag : flags_of(command)) declare(app, flag);
  const auto dashes = std::find(words.begin(), words.end(), "--");
  const std::vector<std::string> before(words.begin(), dashes);
  OPKIT_CHECK(check_values_are_there(command, before));
  OPKIT_CHECK(run_cli11(command, app, before));
  const std::vector<std::string> literal(dashes == words.end() ? dashes : dashes + 1, words.end());
  OPKIT_TRY(auto free, free_words(command, app, literal));

  Arguments arguments;
  OPKIT_CHECK(take_positionals(command, free, arguments.values_));
  OPKIT_CHECK(take_flags(command, app, arguments.values_));
  for (const Flag& flag : flags_of(command)) {
    if (!flag.preset.empty()) arguments.presets_[flag.name] = flag.preset;
  }
  return arguments;
}

}  // namespace opkit::cli
