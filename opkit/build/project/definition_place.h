// Where the sources of a project define an op: errors about what its OpDef says point there.
#ifndef OPKIT_BUILD_PROJECT_DEFINITION_PLACE_H_
#define OPKIT_BUILD_PROJECT_DEFINITION_PLACE_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::project {

// Locates the op's class, or the call in it that declares one of `members`, an input, output or
// attribute: the first of them that is found. No file: no source has the class.
Location definition_place(const std::vector<std::filesystem::path>& sources, const std::string& op,
                          const std::vector<std::string>& members);

// Returns an error about a prototype file that the sources were asked for, pointed at the sources:
// both its place and what it says of the file. `text` is the file's.
Error about_sources(Error error, std::string_view text, const std::string& file,
                    const std::vector<std::filesystem::path>& sources);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_DEFINITION_PLACE_H_
