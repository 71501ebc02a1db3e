// The options of the vendor's msopgen, which have long names behind one dash.
#ifndef OPKIT_CLI_OPTIONS_MSOPGEN_WORDS_H_
#define OPKIT_CLI_OPTIONS_MSOPGEN_WORDS_H_

#include <string>
#include <vector>

namespace opkit::cli {

// "-lan cpp" and "--language cpp" become "--lan cpp", as command_msopgen.cpp has them.
void spell_msopgen(std::vector<std::string>& words);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_OPTIONS_MSOPGEN_WORDS_H_
