// Names that are derived from an op type, and names that the workflow knows.
#ifndef OPKIT_CONTRACT_NAMES_H_
#define OPKIT_CONTRACT_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

namespace opkit {

bool is_digit(char c);
// Returns the file and function name of an op type: Conv2DCustom -> conv2_d_custom, GRUCell ->
// gru_cell.
std::string snake_name(std::string_view op_type);
// A letter A-Z, then letters and digits.
bool is_op_type(std::string_view name);
// A letter or underscore, then letters, digits and underscores.
bool is_identifier(std::string_view name);
// "1.2.0": three numbers without leading zeros.
bool is_version(std::string_view text);
// Names that an attribute cannot have, because the workflow's generated code uses them.
bool is_reserved_attr_name(std::string_view name);
// Short (Ascend910B) and full (Ascend910B1) SoC names that a contract may list.
const std::vector<std::string>& known_soc_names();
// What test_values may list: the classes of test data.
const std::vector<std::string>& data_class_names();

}  // namespace opkit

#endif  // OPKIT_CONTRACT_NAMES_H_
