#include "opkit/cli/commands/editor_files.h"

#include "opkit/base/json.h"
#include "opkit/contract/schema.h"

namespace opkit::cli {
namespace {

Json settings() {
  return {{"yaml.schemas", {{".vscode/op_contract.schema.json", "op_contract.yaml"}}},
          {"files.associations", {{"*.asc", "cpp"}}}};
}

// docs/debugging.md says what the options are for.
Json launch_of(const std::string& op) {
  const Json pending{{"text", "set breakpoint pending on"}};
  const Json run{
      {"name", "opkit run " + op},
      {"type", "cppdbg"},
      {"request", "launch"},
      {"program", "/usr/bin/env"},
      {"args", {"opkit", "run", op, "--in-process", "--threads", "1", "--shape", "${input:shape}"}},
      {"cwd", "${workspaceFolder}"},
      {"MIMode", "gdb"},
      {"setupCommands", Json::array({pending})}};
  const Json shape{{"id", "shape"},
                   {"type", "promptString"},
                   {"description", "the shape of an input, as x=100"}};
  return {{"version", "0.2.0"},
          {"configurations", Json::array({run})},
          {"inputs", Json::array({shape})}};
}

}  // namespace

std::map<std::string, std::string> editor_files(const std::string& op) {
  return {{".vscode/op_contract.schema.json", contract_schema_text()},
          {".vscode/settings.json", settings().dump(2) + "\n"},
          {".vscode/launch.json", launch_of(op).dump(2) + "\n"}};
}

}  // namespace opkit::cli
