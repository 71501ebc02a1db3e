// opkit new, with and without models: the tools for ops alone read none.
#ifndef OPKIT_CLI_COMMANDS_COMMAND_NEW_H_
#define OPKIT_CLI_COMMANDS_COMMAND_NEW_H_

#include <map>
#include <string>

#include "opkit/build/project/template_copy.h"
#include "opkit/cli/options/command.h"

namespace opkit::cli {

Command new_command_of_templates();

// Returns the files of an op that computes named nodes of a model, by their paths in its project;
// none without --from-model.
using FilesFromModel = Result<std::map<std::string, std::string>> (*)(
    const Arguments& arguments, const project::TemplateNames& names, Console& console);
Command new_command_of_models(FilesFromModel from_model);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_COMMANDS_COMMAND_NEW_H_
