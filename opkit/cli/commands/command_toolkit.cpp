#include <fmt/format.h>

#include "opkit/build/project/toolkit.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"

namespace opkit::cli {
namespace {

Outcome run_toolkit(const Arguments& arguments, Console& console) {
  const std::filesystem::path folder = arguments.get("folder");
  OPKIT_TRY(const project::Sdk sdk, project::find_sdk());
  const project::OpHeaders found = project::op_headers(open_registry(arguments, console));
  for (const Error& error : found.left_out) console.say(error.to_string() + "\n");
  OPKIT_CHECK(project::write_toolkit(sdk, found, folder));
  console.show({{"toolkit", folder.string()}, {"op_headers", found.calls.size()}},
               fmt::format("made {} with the aclnn headers of {} ops\nnext: source {}/set_env.sh\n",
                           folder.string(), found.calls.size(), folder.string()));
  return kOk;
}

}  // namespace

Command toolkit_command() {
  return {
      .name = "toolkit",
      .summary = "make a folder that build files of the vendor's toolkit find things in",
      .details =
          "Host programs build against it with their own compiler and build files: include/acl,\n"
          "include/aclnnop and include/op_proto.h of installed ops, lib64/libascendcl.so and its "
          "neighbours, bin/atc,\n"
          "python/site-packages (acl, opkit), set_env.sh. Its parts are links into this SDK.",
      .positionals = {{.name = "folder",
                       .help = "the new toolkit",
                       .complete = Complete::kDirectory}},
      .flags = {opp_flag()},
      .examples = {{"opkit toolkit ~/ascend && source ~/ascend/set_env.sh",
                    "then cmake and make as for the chip"}},
      .run = run_toolkit};
}

}  // namespace opkit::cli
