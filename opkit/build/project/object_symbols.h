// Which names of an object file other objects of a program may share.
#ifndef OPKIT_BUILD_PROJECT_OBJECT_SYMBOLS_H_
#define OPKIT_BUILD_PROJECT_OBJECT_SYMBOLS_H_

#include <string>
#include <vector>

namespace opkit::project {

// Returns what a source defines for itself: functions and constants of inline and template
// definitions, of which a linker would keep one for all sources. Variables stay shared: an inline
// variable, or a static one in an inline function, is one for the program. `listing` is what
// `objdump -t` prints.
std::vector<std::string> own_definitions(const std::string& listing);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_OBJECT_SYMBOLS_H_
