// What a vendor-style source says about kernels: which it defines, on which cores they run, and
// where it launches them.
#ifndef OPKIT_BUILD_SOURCE_TEXT_SOURCE_H_
#define OPKIT_BUILD_SOURCE_TEXT_SOURCE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::source_text {

// KERNEL_TYPE_* for chips whose core does both kinds of work (page "Setting the Kernel Type"): on
// the others it says nothing about a kernel.
bool is_type_of_joined_cores(std::string_view word);

struct KernelDefinition {
  std::string name;
  std::string parameters;        // stand between the brackets as written; macros are expanded
  std::optional<int> task_type;  // opk_task_type when the source states it
  int line = 0;
  bool is_template = false;
  bool of_macro = false;  // line is inside the macro's definition
};

struct Source {
  std::vector<KernelDefinition> kernels;
  std::vector<std::string> includes;  // quoted ones, as written
  bool launches_by_name = false;      // includes aclrtlaunch_<kernel>.h
  bool names_cube = false;            // a call of the cube unit stands somewhere
  bool conditional = false;           // has an #if, #ifdef or #ifndef
  bool kernels_elsewhere = false;     // calls the runtime, which may run kernels of others
  int first_launch = 0;               // line of the first <<<>>>, 0 = none
  std::string rewritten;  // the text with every launch as a plain call; lines stay where they are
};

// file is for messages. OPK-CC-003: a launch that cannot be understood; -004: an unknown or
// contradicting kernel type.
Result<Source> read_source(const std::string& text, const std::string& file);

}  // namespace opkit::source_text

#endif  // OPKIT_BUILD_SOURCE_TEXT_SOURCE_H_
