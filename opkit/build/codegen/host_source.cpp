#include "opkit/build/codegen/host_source.h"

#include <algorithm>
#include <set>

#include "opkit/base/file.h"
#include "opkit/build/source_text/tokens.h"

namespace opkit::codegen {
namespace fs = std::filesystem;
namespace {

using source_text::Token;
using Kind = Token::Kind;

class HostReader {
 public:
  HostReader(const std::string& op_type, const std::vector<fs::path>& folders)
      : prefix_(op_type + "_"), folders_(folders) {}

  void read(const fs::path& file) {
    if (!seen_.insert(file.lexically_normal()).second) return;
    const auto text = read_file(file);
    if (!text.ok()) return;
    const std::vector<Token> tokens = source_text::tokens_of(*text);
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].kind == Kind::kInclude) follow(file.parent_path(), tokens[i].in(*text));
      if (tokens[i].kind == Kind::kWord && tokens[i].in(*text) == "REGISTER_TILING_DATA_CLASS")
        note(*text, tokens, i);
    }
  }

  HostSource take() {
    result_.files.assign(seen_.begin(), seen_.end());
    return std::move(result_);
  }

 private:
  void follow(const fs::path& beside, std::string_view name) {
    std::vector<fs::path> places = {beside};
    places.insert(places.end(), folders_.begin(), folders_.end());
    for (const fs::path& place : places) {
      std::error_code failure;
      if (fs::is_regular_file(place / name, failure)) return read(place / name);
    }
  }

  // REGISTER_TILING_DATA_CLASS ( Op_12 , Struct )
  void note(const std::string& text, const std::vector<Token>& tokens, size_t at) {
    result_.registers_tiling = true;
    if (at + 4 >= tokens.size()) return;
    const std::string type(tokens[at + 2].in(text));
    if (type.compare(0, prefix_.size(), prefix_) != 0) return;
    const std::string key = type.substr(prefix_.size());
    if (key.empty() || key.find_first_not_of("0123456789") != std::string::npos) return;
    const std::pair<std::string, std::string> found(key, tokens[at + 4].in(text));
    if (std::count(result_.key_structs.begin(), result_.key_structs.end(), found) == 0)
      result_.key_structs.push_back(found);
  }

  HostSource result_;
  const std::string prefix_;
  const std::vector<fs::path>& folders_;
  std::set<fs::path> seen_;
};

}  // namespace

HostSource read_host(const std::string& op_type, const std::vector<fs::path>& files,
                     const std::vector<fs::path>& folders) {
  HostReader reader(op_type, folders);
  for (const fs::path& file : files) reader.read(file);
  return reader.take();
}

}  // namespace opkit::codegen
