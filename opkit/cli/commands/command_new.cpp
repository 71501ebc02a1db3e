#include "opkit/cli/commands/command_new.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/shell_word.h"
#include "opkit/base/suggest.h"
#include "opkit/build/project/sdk.h"
#include "opkit/cli/commands/editor_files.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"

namespace opkit::cli {
namespace fs = std::filesystem;
namespace {

Outcome list_templates(const project::Sdk& sdk, Console& console) {
  const std::vector<std::string> names = project::template_names(sdk.templates);
  size_t width = 0;
  for (const std::string& name : names) width = std::max(width, name.size());
  Json summaries = Json::object();
  std::string text;
  for (const std::string& name : names) {
    const std::string summary = project::template_summary(sdk.templates / name);
    summaries[name] = summary;
    text += fmt::format("{:<{}}  {}\n", name, width, summary);
  }
  console.show({{"templates", names}, {"summaries", summaries}, {"folder", sdk.templates.string()}},
               text);
  return kOk;
}

Status check_template(const project::Sdk& sdk, const std::string& name) {
  const std::vector<std::string> known = project::template_names(sdk.templates);
  if (std::find(known.begin(), known.end(), name) != known.end()) return {};
  const auto near = nearest(name, known);
  return Error(
      "OPK-NEW-002",
      fmt::format("there is no template '{}'; there are: {}", name, fmt::join(known, ", ")),
      fmt::format("--template {}", near            ? *near
                                   : known.empty() ? "NAME"
                                                   : known.front()));
}

std::string told(const fs::path& target, const std::vector<std::string>& files,
                 const std::string& op, const Palette& palette) {
  const std::string folder = shell_word(shown(target));
  std::string text = fmt::format("{} {}\n", palette.paint(Style::kGreen, "made"), shown(target));
  for (const std::string& file : files) text += "  " + file + "\n";
  text +=
      fmt::format("next: opkit build {}; opkit install {}; opkit test {}\n", folder, folder, op);
  return text;
}

Status check_model_flags(const Arguments& arguments) {
  if (arguments.has("--from-model") && arguments.get("--template") != "elementwise")
    return Error("OPK-CLI-016", "nodes of a model become an op of the template elementwise",
                 "leave out --template");
  if (arguments.has("--from-model") == arguments.has("--nodes")) return {};
  return Error("OPK-CLI-003", "--from-model and --nodes go together",
               "opkit new MyChain --from-model m.onnx --nodes a,b; opkit analyze m.onnx lists "
               "chains");
}

Outcome run_new(FilesFromModel from_model, const Arguments& arguments, Console& console) {
  OPKIT_TRY(const project::Sdk sdk, project::find_sdk());
  if (arguments.has("--list")) return list_templates(sdk, console);
  if (!arguments.has("OpName")) {
    return Error("OPK-CLI-003", "opkit new needs <OpName>",
                 "opkit new MyFused --template elementwise");
  }
  OPKIT_TRY(const project::TemplateNames names,
            project::names_for(arguments.get("OpName"), arguments.get("--vendor")));
  const std::string kind = arguments.get("--template");
  OPKIT_CHECK(check_template(sdk, kind));
  const fs::path target = fs::path(arguments.get("--dir")) / names.snake;
  std::map<std::string, std::string> written;
  if (from_model) {
    OPKIT_CHECK(check_model_flags(arguments));
    OPKIT_TRY(written, from_model(arguments, names, console));
  }
  if (const auto contract = written.find("op_contract.yaml"); contract != written.end())
    contract->second = kSchemaLine + contract->second;
  written.merge(editor_files(names.op));
  OPKIT_TRY(const auto files, project::copy_template(sdk.templates / kind, sdk.shared,
                                                     target.lexically_normal(), names, written));
  console.show({{"op", names.op},
                {"vendor", names.vendor},
                {"template", kind},
                {"directory", fs::absolute(target).lexically_normal().string()},
                {"files", files}},
               told(target, files, names.op, console.out()));
  return kOk;
}

}  // namespace

Command new_command_of_templates() {
  return {
      .name = "new",
      .summary = "make an op project from a template",
      .details =
          "The project builds and passes its contract's tests before a line of it is changed. Its\n"
          "folder has the op's name in snake_case and appears complete or not at all.",
      .positionals = {{.name = "OpName", .help = "the op's type in CamelCase", .required = false}},
      .flags = {{.name = "--template",
                 .value = "NAME",
                 .help = "what to start from; --list shows them",
                 .complete = Complete::kTemplate,
                 .preset = "elementwise"},
                {.name = "--dir",
                 .value = "PATH",
                 .help = "the folder that gets the project",
                 .complete = Complete::kDirectory,
                 .preset = "."},
                {.name = "--vendor",
                 .value = "NAME",
                 .help = "whose op it is: the folder under opp/vendors",
                 .preset = "customize"},
                {.name = "--list",
                 .value = "",
                 .help = "the templates, and what the op of each computes"}},
      .examples = {{"opkit new MyFused --template elementwise", "a project in ./my_fused"},
                   {"opkit new MyFused --dir ops --vendor acme",
                    "in ops/my_fused, of vendor acme"}},
      .run = [](const Arguments& arguments,
                Console& console) { return run_new(nullptr, arguments, console); },
  };
}

Command new_command_of_models(FilesFromModel from_model) {
  Command command = new_command_of_templates();
  const std::vector<Flag> flags = {
      {.name = "--from-model",
       .value = "MODEL",
       .help = "an ONNX model: kernel, tiling and contract compute the --nodes of it",
       .complete = Complete::kFile},
      {.name = "--nodes",
       .value = "A,B,...",
       .help = "element-wise nodes that end in one value; opkit analyze lists such"},
      {.name = "--input_shape",
       .value = "NAME:DIMS;...",
       .help = "dims of inputs that the model leaves open"}};
  command.flags.insert(command.flags.end() - 1, flags.begin(), flags.end());  // --list stays last
  command.examples.push_back({"opkit new SwishScale --from-model m.onnx --nodes sigmoid_3,mul_3",
                              "an op that computes these nodes, ready to be built and tested"});
  command.run = [from_model](const Arguments& arguments, Console& console) {
    return run_new(from_model, arguments, console);
  };
  return command;
}

}  // namespace opkit::cli
