// The commands, one function and one file each.
#ifndef OPKIT_CLI_ALL_COMMANDS_H_
#define OPKIT_CLI_ALL_COMMANDS_H_

#include "opkit/cli/command.h"

namespace opkit::cli {

// In the order of the help page.
const Commands& all_commands();

Command install_command();
Command pack_command();
Command uninstall_command();
Command list_command();
Command inspect_command();
Command why_command();
Command verify_command();
Command soc_list_command();
Command soc_show_command();
Command new_command();
Command build_command();
Command cc_command();
Command infer_command();
Command tile_command();
Command run_command();
Command profile_command();
Command test_command();
Command replay_command();
Command contract_check_command();
Command contract_explain_command();
Command contract_schema_command();
Command contract_diff_command();
Command contract_import_command();
Command doctor_command();
Command completion_command();
Command version_command();
Command help_command();
Command complete_command();  // hidden: what the completion scripts ask

}  // namespace opkit::cli

#endif  // OPKIT_CLI_ALL_COMMANDS_H_
