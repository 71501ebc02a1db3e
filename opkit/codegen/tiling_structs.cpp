// Kernels of the older project style name tiling structs that exist only as BEGIN_TILING_DATA_DEF
// on the host's side. The kernel's build gets plain structs of the same order and natural
// alignment.
#include <algorithm>
#include <regex>

#include "opkit/codegen/glue.h"

namespace opkit::codegen {
namespace {

// One field statement of a definition as a member declaration; empty for lines that declare
// nothing.
std::string member_of(const std::string& kind, const std::vector<std::string>& words) {
  if (kind == "_ARR" && words.size() == 3)
    return "  " + words[0] + " " + words[2] + "[" + words[1] + "];\n";
  if (words.size() == 2) return "  " + words[0] + " " + words[1] + ";\n";
  return {};
}

std::vector<std::string> split(const std::string& arguments) {
  static const std::regex kWord(R"([^,\s][^,]*)");
  std::vector<std::string> words;
  for (std::sregex_iterator it(arguments.begin(), arguments.end(), kWord), end; it != end; ++it) {
    std::string word = it->str();
    while (!word.empty() && (word.back() == ' ' || word.back() == '\n' || word.back() == '\t'))
      word.pop_back();
    words.push_back(std::move(word));
  }
  return words;
}

Result<std::string> body_of(const std::string& name, const std::string& body) {
  static const std::regex kField(R"(TILING_DATA_FIELD_DEF(_ARR|_STRUCT)?\s*\(([^)]*)\))");
  std::string members;
  for (std::sregex_iterator it(body.begin(), body.end(), kField), end; it != end; ++it) {
    const std::string member = member_of((*it)[1].str(), split((*it)[2].str()));
    if (member.empty()) {
      return Error("OPK-GEN-002",
                   "cannot read the field '" + it->str() + "' of tiling data " + name,
                   "write TILING_DATA_FIELD_DEF(type, name) or TILING_DATA_FIELD_DEF_ARR(type, "
                   "count, name)");
    }
    members += member;
  }
  return "struct " + name + " {\n" + members + "};\n";
}

// BEGIN_TILING_DATA_DEF appears in the macro's own definition, too; a name without quotes is what
// we look for.
const std::regex& definition() {
  static const std::regex kDefinition(
      R"(BEGIN_TILING_DATA_DEF\s*\(\s*(\w+)\s*\)([\s\S]*?)END_TILING_DATA_DEF)");
  return kDefinition;
}

// Type and struct of every REGISTER_TILING_DATA_CLASS.
std::vector<std::pair<std::string, std::string>> registrations(
    const std::vector<std::string>& sources) {
  static const std::regex kRegistered(
      R"(REGISTER_TILING_DATA_CLASS\s*\(\s*(\w+)\s*,\s*(\w+)\s*\))");
  std::vector<std::pair<std::string, std::string>> found;
  for (const std::string& source : sources) {
    for (std::sregex_iterator it(source.begin(), source.end(), kRegistered), end; it != end; ++it)
      found.emplace_back((*it)[1].str(), (*it)[2].str());
  }
  return found;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> key_structs(
    const std::string& op_type, const std::vector<std::string>& host_sources) {
  std::vector<std::pair<std::string, std::string>> found;
  const std::string prefix = op_type + "_";
  for (const auto& [type, name] : registrations(host_sources)) {
    const std::string key = type.substr(std::min(type.size(), prefix.size()));
    const bool number = !key.empty() && key.find_first_not_of("0123456789") == std::string::npos;
    if (type.compare(0, prefix.size(), prefix) == 0 && number) found.emplace_back(key, name);
  }
  return found;
}

Result<std::string> tiling_structs(const std::string& op_type,
                                   const std::vector<std::string>& host_sources) {
  std::string structs, alias, library;
  for (const std::string& source : host_sources) {
    // Fields may be structs of the library, as TCubeTiling.
    if (source.find("TILING_DATA_FIELD_DEF_STRUCT") != std::string::npos)
      library = "#include \"kernel_tiling/kernel_tiling.h\"\n";
    for (std::sregex_iterator it(source.begin(), source.end(), definition()), end; it != end;
         ++it) {
      OPKIT_TRY(std::string text, body_of((*it)[1].str(), (*it)[2].str()));
      structs += text;
    }
  }
  for (const auto& [type, name] : registrations(host_sources)) {
    if (type == op_type) alias = "using OpkitDefaultTiling = " + name + ";\n";
  }
  if (structs.empty()) return std::string();
  return "#pragma once\n#include <cstdint>\n" + library + structs + alias;
}

}  // namespace opkit::codegen
