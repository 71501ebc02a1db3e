// Names of a model's steps as tables show them.
#ifndef OPKIT_CLI_TEXT_STEP_NAME_H_
#define OPKIT_CLI_TEXT_STEP_NAME_H_

#include <string>

namespace opkit::cli {

// Shortens the name of a step that stands for several nodes ("Conv_1+Add_2+Relu_3") to its first
// and last node with their number, "Conv_1 … Relu_3 (3 nodes)", where it is longer than a table's
// column (40 characters), and a node's own long name to its two ends. JSON keeps whole names.
std::string short_step_name(const std::string& name);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TEXT_STEP_NAME_H_
