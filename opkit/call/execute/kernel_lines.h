// Source lines of a kernel's code, wherever it runs.
#ifndef OPKIT_CALL_EXECUTE_KERNEL_LINES_H_
#define OPKIT_CALL_EXECUTE_KERNEL_LINES_H_

#include <functional>
#include <optional>

#include "opkit/base/debug/source_line.h"
#include "opkit/core/modes/checked.h"

namespace opkit {

// Finds the source line of a return address of the kernel's code. Keeps what it needs alive.
using FindLine = std::function<std::optional<debug::SourceLine>(const void*)>;

// Name the lines that `find` finds, or give an empty string: "op_kernel/add.cpp:48", and the file's
// whole path with its line.
core::PlaceNames short_places(FindLine find);
core::PlaceNames whole_places(FindLine find);

}  // namespace opkit

#endif  // OPKIT_CALL_EXECUTE_KERNEL_LINES_H_
