// From words to a command and its arguments. CLI11 stays in parser.cpp.
#ifndef OPKIT_CLI_OPTIONS_PARSER_H_
#define OPKIT_CLI_OPTIONS_PARSER_H_

#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/options/command.h"

namespace opkit::cli {

// Which command the first words name, and the words that are left.
struct Chosen {
  const Command* command = nullptr;  // nullptr: only a group or nothing was named
  std::string group;                 // "contract" when a group without a member was named
  std::vector<std::string> rest;
  bool help = false;  // --help or -h is among the words before "--"
};

// OPK-CLI-001 for a word that is no command, with the nearest one.
Result<Chosen> choose(const Commands& commands, const std::vector<std::string>& words);

class Parser {
 public:
  // OPK-CLI-002 unknown option, -003 missing argument or value, -004 bad value, -005 too many
  // arguments.
  static Result<Arguments> parse(const Command& command, const std::vector<std::string>& words);
};

}  // namespace opkit::cli

#endif  // OPKIT_CLI_OPTIONS_PARSER_H_
