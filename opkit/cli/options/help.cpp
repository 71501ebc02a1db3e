#include "opkit/cli/options/help.h"

#include <fmt/format.h>

#include <algorithm>

namespace opkit::cli {
namespace {

constexpr const char* kIntroduction =
    "opkit - develop Ascend operators on an ordinary machine: scaffold, build, install, test, run";

constexpr const char* kExitCodes =
    "  0  done, and what was checked is right\n"
    "  1  what was checked, built, run or asked for is not right\n"
    "  2  the command line is not right\n"
    "  3  the machine is not: a tool, a directory or a file is missing\n"
    "  4  a defect of opkit\n";

constexpr const char* kFirstSteps =
    "  opkit new MyFused --template elementwise   a project in ./my_fused\n"
    "  opkit build my_fused                       compile it to a package\n"
    "  opkit install my_fused                     put the package into ./opp\n"
    "  opkit test MyFused                         test it against its contract\n";

// Two columns; the second starts at the same place in every row and is wrapped.
std::string rows(const std::vector<std::pair<std::string, std::string>>& pairs,
                 const Palette& palette) {
  constexpr size_t kWidth = 100;
  constexpr size_t kWidest = 26;
  size_t widest = 0;
  for (const auto& [left, right] : pairs) {
    if (left.size() <= kWidest) widest = std::max(widest, left.size());
  }
  std::string text;
  for (const auto& [left, right] : pairs) {
    std::string line = fmt::format("  {}", palette.paint(Style::kCyan, left));
    size_t column = left.size() + 2;
    if (left.size() > widest) {
      line += "\n";
      column = 0;
    }
    line += std::string(widest + 4 - column, ' ');
    column = widest + 4;
    size_t start = 0;
    while (start < right.size()) {
      const size_t end = std::min(right.find(' ', start), right.size());
      if (column + end - start > kWidth && column > widest + 4) {
        line.append("\n").append(widest + 4, ' ');
        column = widest + 4;
      }
      line += right.substr(start, end - start);
      column += end - start;
      if (end < right.size()) line += ' ', ++column;
      start = end + 1;
    }
    text += line + "\n";
  }
  return text;
}

std::string heading(const char* text, const Palette& palette) {
  return fmt::format("\n{}\n", palette.paint(Style::kBold, text));
}

std::string flag_text(const Flag& flag) {
  std::string text = flag.help;
  if (!flag.choices.empty() && text.find(flag.choices.front()) == std::string::npos) {
    text += fmt::format(": {}", fmt::join(flag.choices, ", "));
  }
  if (!flag.preset.empty()) text += fmt::format(" [{}]", flag.preset);
  if (flag.repeated) text += " (may be repeated)";
  return text;
}

std::string flag_rows(const std::vector<Flag>& flags, const Palette& palette) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const Flag& flag : flags) {
    if (flag.hidden) continue;
    pairs.emplace_back(flag.takes_value() ? flag.name + " " + flag.value : flag.name,
                       flag_text(flag));
  }
  return rows(pairs, palette);
}

std::string positional_rows(const Command& command, const Palette& palette) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const Positional& positional : command.positionals) {
    pairs.emplace_back("<" + positional.name + ">", positional.help);
  }
  return rows(pairs, palette);
}

std::string example_rows(const Command& command, const Palette& palette) {
  std::string text;
  for (const Example& example : command.examples) {
    text += "  " + palette.paint(Style::kGreen, example.line) + "\n";
    text += "      " + example.meaning + "\n";
  }
  return text;
}

}  // namespace

std::string usage_of(const Command& command) {
  std::string text = "opkit " + command.name;
  for (const Positional& positional : command.positionals) {
    const std::string word = "<" + positional.name + ">" + (positional.repeated ? "..." : "");
    text += positional.required ? " " + word : " [" + word + "]";
  }
  return text + " [options]";
}

std::string help_of_program(const Commands& commands, const Palette& palette) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& word : commands.first_words()) {
    const Command* command = commands.find(word);
    pairs.emplace_back(word, command ? command->summary : commands.group_summary(word));
  }
  std::string text = std::string(kIntroduction) + "\n\nUsage: opkit <command> [options]\n";
  text += heading("Commands", palette) + rows(pairs, palette);
  text += heading("First steps", palette) + kFirstSteps;
  text += heading("Exit codes", palette) + kExitCodes;
  return text + "\n`opkit <command> --help` explains a command and shows examples.\n";
}

std::string help_of_group(const Commands& commands, const std::string& group,
                          const Palette& palette) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& member : commands.members(group)) {
    pairs.emplace_back(member, commands.find(group + " " + member)->summary);
  }
  std::string text = fmt::format("Usage: opkit {} <command> [options]\n", group);
  text += heading("Commands", palette) + rows(pairs, palette);
  return text + fmt::format("\n`opkit {} <command> --help` explains a command.\n", group);
}

std::string help_of_command(const Command& command, const Palette& palette) {
  std::string text =
      fmt::format("opkit {} - {}\n\nUsage: {}\n", command.name, command.summary, usage_of(command));
  if (!command.details.empty()) text += "\n" + command.details + "\n";
  if (!command.positionals.empty()) {
    text += heading("Arguments", palette) + positional_rows(command, palette);
  }
  if (!command.flags.empty()) {
    text += heading("Options", palette) + flag_rows(command.flags, palette);
  }
  text += heading("Common options", palette) + flag_rows(common_flags(), palette);
  return text + heading("Examples", palette) + example_rows(command, palette);
}

}  // namespace opkit::cli
