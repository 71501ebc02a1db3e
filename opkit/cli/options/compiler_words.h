// What build files say to the compiler of a source: words as those of g++ and of the vendor's.
#ifndef OPKIT_CLI_OPTIONS_COMPILER_WORDS_H_
#define OPKIT_CLI_OPTIONS_COMPILER_WORDS_H_

#include <string>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::cli {

struct CompilerWords {
  std::vector<std::string> macros, includes;
  std::string level;               // -O; empty: not said
  std::vector<std::string> plain;  // g++ takes them as they are
  std::string soc;                 // --opkit-soc=; empty: not said
  std::string rule;                // -MF
  bool launchers = false;          // --opkit-launchers
};

// OPK-CC-013: a word that means nothing here, or an architecture that programs are not built for.
Result<CompilerWords> read_compiler_words(const std::vector<std::string>& words);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_OPTIONS_COMPILER_WORDS_H_
