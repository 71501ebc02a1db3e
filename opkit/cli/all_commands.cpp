#include "opkit/cli/all_commands.h"

namespace opkit::cli {

const Commands& all_commands() {
  static const Commands commands({
      new_command(),
      build_command(),
      pack_command(),
      cc_command(),
      install_command(),
      uninstall_command(),
      list_command(),
      inspect_command(),
      verify_command(),
      why_command(),
      test_command(),
      replay_command(),
      run_command(),
      profile_command(),
      infer_command(),
      tile_command(),
      contract_check_command(),
      contract_explain_command(),
      contract_diff_command(),
      contract_schema_command(),
      contract_import_command(),
      soc_list_command(),
      soc_show_command(),
      doctor_command(),
      completion_command(),
      help_command(),
      version_command(),
      complete_command(),
  });
  return commands;
}

}  // namespace opkit::cli
