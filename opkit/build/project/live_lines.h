// Which lines of a source the preprocessor leaves.
#ifndef OPKIT_BUILD_PROJECT_LIVE_LINES_H_
#define OPKIT_BUILD_PROJECT_LIVE_LINES_H_

#include <filesystem>
#include <string>
#include <vector>

#include "opkit/build/project/sdk.h"
#include "opkit/build/source_text/program.h"

namespace opkit::project {

struct Preprocessing {
  Sdk sdk;
  std::vector<std::string> macros, includes;  // -D and -I
};

// In the vector pass and the cube pass. Empty when the preprocessor fails: the compiler will say
// why.
source_text::LiveLines live_lines(const std::filesystem::path& source, const Preprocessing& with);

// Reads what `g++ -E -fdirectives-only` wrote and adds `pass` to its lines.
void add_live_lines(const std::string& preprocessed, unsigned pass, source_text::LiveLines& lines);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_LIVE_LINES_H_
