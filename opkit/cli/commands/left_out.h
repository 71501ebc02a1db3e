// Commands that a build of opkit is without, so that it can say so.
#ifndef OPKIT_CLI_COMMANDS_LEFT_OUT_H_
#define OPKIT_CLI_COMMANDS_LEFT_OUT_H_

#include <string>
#include <vector>

namespace opkit::cli {

// Returns their first words: "atc", "model". Defined beside all_commands().
std::vector<std::string> left_out_words();

}  // namespace opkit::cli

#endif  // OPKIT_CLI_COMMANDS_LEFT_OUT_H_
