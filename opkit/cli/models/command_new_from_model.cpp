#include <fmt/format.h>

#include <sstream>

#include "opkit/atc/compile/prepare.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/commands/command_new.h"
#include "opkit/cli/models/imported_model.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/fusion/author/op_files.h"

namespace opkit::cli {
namespace fs = std::filesystem;
namespace {

std::vector<std::string> comma_list(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) {
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

Result<std::map<std::string, std::string>> files_from_model(const Arguments& arguments,
                                                            const project::TemplateNames& names,
                                                            Console& console) {
  std::map<std::string, std::string> files;
  if (!arguments.has("--from-model")) return files;
  const std::string file = arguments.get("--from-model");
  OPKIT_TRY(graph::Graph graph, imported_model(file, arguments));
  OPKIT_TRY(const compile::Prepared prepared, compile::prepare(graph));
  for (const Error& warning : prepared.warnings) console.note(warning);
  const std::vector<std::string> wanted = comma_list(arguments.get("--nodes"));
  OPKIT_TRY(const std::vector<size_t> nodes, author::find_nodes(graph, wanted));
  OPKIT_TRY(const author::ElementwiseRegion region, author::region_of(graph, nodes));
  const std::string source =
      fmt::format("nodes {} of {}", fmt::join(wanted, ", "), fs::path(file).filename().string());
  return author::op_files(region, {names.op, names.snake, source});
}

}  // namespace

Command new_command() { return new_command_of_models(files_from_model); }

}  // namespace opkit::cli
