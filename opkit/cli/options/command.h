// Command: one subcommand of the command line as data. The parser, the help pages, the shell
// completion and did-you-mean all read this one description.
#ifndef OPKIT_CLI_OPTIONS_COMMAND_H_
#define OPKIT_CLI_OPTIONS_COMMAND_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::cli {

class Arguments;
class Console;

// What a shell offers for a value.
enum class Complete { kNothing, kFile, kDirectory, kOp, kSoc, kTemplate, kCommand };

// An option. It takes a value when `value` is not empty, else it is a switch.
struct Flag {
  std::string name;   // "--opp"
  std::string value;  // "PATH": the placeholder in help
  std::string help;
  Complete complete = Complete::kNothing;
  bool repeated = false;
  std::vector<std::string> choices = {};  // legal values; empty: any
  bool integer = false;                   // a decimal number in [least, most]
  bool seconds = false;  // a decimal number in [0.01, most], with or without fraction
  int64_t least = 0, most = INT64_MAX;
  std::string preset = {};  // the value when it is not given
  bool hidden = false;      // known, but neither in help nor in what a shell offers

  bool takes_value() const { return !value.empty(); }
};

struct Positional {
  std::string name;  // "op"
  std::string help;
  Complete complete = Complete::kNothing;
  bool required = true;
  bool repeated = false;
  std::vector<std::string> choices = {};
};

struct Example {
  std::string line;     // "opkit new MyFused --template elementwise"
  std::string meaning;  // what it does
};

// An Error and the exit code that the process ends with.
using Outcome = Result<int>;

struct Command {
  std::string name;     // "new"; "contract check" in a group
  std::string summary;  // one line, no full stop
  std::string details;  // paragraphs, or empty
  std::vector<Positional> positionals;
  std::vector<Flag> flags;  // without the common ones
  std::vector<Example> examples;
  std::function<Outcome(const Arguments&, Console&)> run;
  bool hidden = false;
};

// Options that every command takes: --json, --color, --quiet, --help.
const std::vector<Flag>& common_flags();
// Returns a command's own and the common ones.
std::vector<Flag> flags_of(const Command& command);

// A group's or program's commands. Names of a group: "contract" for "contract check".
class Commands {
 public:
  explicit Commands(std::vector<Command> commands) : commands_(std::move(commands)) {}

  const std::vector<Command>& all() const { return commands_; }
  const Command* find(const std::string& name) const;
  // Returns the first words of all visible commands, in order, without repetition.
  std::vector<std::string> first_words() const;
  // "check", "explain" for group "contract"; empty when there is no such group.
  std::vector<std::string> members(const std::string& group) const;
  std::string group_summary(const std::string& group) const;

 private:
  std::vector<Command> commands_;
};

}  // namespace opkit::cli

#endif  // OPKIT_CLI_OPTIONS_COMMAND_H_
