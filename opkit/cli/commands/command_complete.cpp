// What the completion scripts ask: the last word is the one to complete. Replies one per line,
// "word<TAB>meaning"; ":files" and ":folders" ask the shell for paths.
#include <algorithm>

#include "opkit/build/project/sdk.h"
#include "opkit/build/project/template_copy.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/soc/soc_spec.h"
#include "registry/registry.h"

namespace opkit::cli {
namespace {

struct Reply {
  std::string word, meaning;
};
using Replies = std::vector<Reply>;

Replies plain(const std::vector<std::string>& words) {
  Replies replies;
  for (const std::string& word : words) replies.push_back({word, word});
  return replies;
}

Replies command_words() {
  Replies replies;
  for (const std::string& word : all_commands().first_words()) {
    const Command* command = all_commands().find(word);
    replies.push_back({word, command ? command->summary : all_commands().group_summary(word)});
  }
  return replies;
}

Replies of_kind(Complete kind) {
  switch (kind) {
    case Complete::kNothing: return {};
    case Complete::kFile: return {{":files", ""}};
    case Complete::kDirectory: return {{":folders", ""}};
    case Complete::kSoc: return plain(soc_names());
    case Complete::kCommand: return command_words();
    case Complete::kTemplate: {
      const auto sdk = project::find_sdk();
      return sdk ? plain(project::template_names(sdk->templates)) : Replies{};
    }
    case Complete::kOp: {
      Replies replies = plain(registry::Registry::open().op_types());
      replies.push_back({":files", ""});
      return replies;
    }
  }
  return {};
}

const Flag* flag_named(const std::vector<Flag>& flags, const std::string& name) {
  for (const Flag& flag : flags) {
    if (flag.name == name) return &flag;
  }
  return nullptr;
}

Replies flag_words(const std::vector<Flag>& flags) {
  Replies replies;
  for (const Flag& flag : flags) {
    if (!flag.hidden) replies.push_back({flag.name, flag.help});
  }
  return replies;
}

// Returns the positional that the next free word fills; the last one again when it may be repeated.
Replies positional_words(const Command& command, const std::vector<Flag>& flags,
                         const std::vector<std::string>& before) {
  size_t filled = 0;
  for (size_t i = 0; i < before.size(); ++i) {
    const Flag* flag = flag_named(flags, before[i]);
    if (flag && flag->takes_value())
      ++i;
    else if (!before[i].starts_with("-"))
      ++filled;
  }
  if (command.positionals.empty()) return {};
  const bool more = filled < command.positionals.size();
  if (!more && !command.positionals.back().repeated) return {};
  const Positional& next = more ? command.positionals[filled] : command.positionals.back();
  return next.choices.empty() ? of_kind(next.complete) : plain(next.choices);
}

Replies in_command(const Command& command, std::vector<std::string> before,
                   const std::string& word) {
  const std::vector<Flag> flags = flags_of(command);
  // bash splits "--opp=x" into three words.
  if (!before.empty() && before.back() == "=") before.pop_back();
  if (!before.empty()) {
    const Flag* flag = flag_named(flags, before.back());
    if (flag && flag->takes_value()) {
      return flag->choices.empty() ? of_kind(flag->complete) : plain(flag->choices);
    }
  }
  if (word.starts_with("-")) return flag_words(flags);
  return positional_words(command, flags, before);
}

Replies replies_for(const std::vector<std::string>& words) {
  if (words.size() <= 1) return command_words();
  const std::string& word = words.back();
  std::vector<std::string> before(words.begin() + 1, words.end() - 1);
  const Commands& commands = all_commands();
  const std::vector<std::string> members = commands.members(words[0]);
  const Command* bare = commands.find(words[0]);  // "tune", beside "tune history"
  const bool member =
      !before.empty() && std::find(members.begin(), members.end(), before.front()) != members.end();
  if (members.empty() || (bare != nullptr && !before.empty() && !member))
    return bare ? in_command(*bare, before, word) : Replies{};
  if (before.empty()) {
    Replies replies = bare ? in_command(*bare, before, word) : Replies{};
    for (const std::string& each : members) {
      replies.push_back({each, commands.find(words[0] + " " + each)->summary});
    }
    return replies;
  }
  const Command* command = commands.find(words[0] + " " + before.front());
  if (!command) return {};
  return in_command(*command, {before.begin() + 1, before.end()}, word);
}

Outcome run_complete(const Arguments& arguments, Console& console) {
  const std::vector<std::string> words = arguments.all("words");
  const std::string prefix = words.empty() || words.back() == "=" ? "" : words.back();
  for (const Reply& reply : replies_for(words)) {
    if (reply.word.starts_with(":"))
      console.raw(reply.word + "\n");
    else if (reply.word.starts_with(prefix))
      console.raw(reply.word + "\t" + reply.meaning + "\n");
  }
  return kOk;
}

}  // namespace

Command complete_command() {
  return {.name = "__complete",
          .summary = "replies for the completion scripts",
          .details = "",
          .positionals = {{.name = "words", .help = "", .required = false, .repeated = true}},
          .flags = {},
          .examples = {{"opkit __complete -- so", "soc"}},
          .run = run_complete,
          .hidden = true};
}

}  // namespace opkit::cli
