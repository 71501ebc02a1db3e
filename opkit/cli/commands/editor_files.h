// What makes an editor know an op's project: the contract's schema, and how gdb runs the op.
#ifndef OPKIT_CLI_COMMANDS_EDITOR_FILES_H_
#define OPKIT_CLI_COMMANDS_EDITOR_FILES_H_

#include <map>
#include <string>

namespace opkit::cli {

// Files under .vscode, by path in the project. Any editor with a YAML language server finds the
// schema by the first line of the contract, see kSchemaLine.
std::map<std::string, std::string> editor_files(const std::string& op);

inline constexpr const char* kSchemaLine =
    "# yaml-language-server: $schema=.vscode/op_contract.schema.json\n";

}  // namespace opkit::cli

#endif  // OPKIT_CLI_COMMANDS_EDITOR_FILES_H_
