#include "opkit/build/project/vendor_project.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <set>
#include <utility>

#include "opkit/base/file.h"
#include "opkit/base/json.h"
#include "opkit/build/project/contract_files.h"
#include "opkit/build/project/source_files.h"
#include "opkit/build/source_text/tokens.h"
#include "opkit/contract/names.h"

namespace opkit::project {
namespace fs = std::filesystem;
namespace {

bool has_extension(const fs::path& file, const char* extension) {
  return file.extension() == extension;
}

std::string vendor_of(const fs::path& root) {
  const std::string usual = "customize";
  const auto text = read_file(root / "CMakePresets.json");
  if (!text.ok()) return usual;
  const Json presets = Json::parse(*text).value_or(Json());
  const Json& list = presets["configurePresets"];
  for (const Json& preset : list.items()) {
    const Json& name = preset["cacheVariables"]["vendor_name"];
    const std::string* said = name.is_object() ? name["value"].text() : name.text();
    if (said != nullptr) return *said;
  }
  return usual;
}

std::string quoted(const fs::path& path) { return fmt::format("\"{}\"", path.generic_string()); }

template <typename List>
std::string quoted_list(const List& paths) {
  std::string text;
  for (const fs::path& path : paths) text += "\n    " + quoted(path);
  return text;
}

// ---- neighbours

class ProjectWriter {
 public:
  ProjectWriter(const VendorProject& project, fs::path folder)
      : root_(fs::absolute(project.root).lexically_normal()), folder_(std::move(folder)) {}

  Result<fs::path> run(const fs::path& kernel) {
    open_.push_back(kernel);
    while (!open_.empty()) {
      const fs::path file = open_.front();
      open_.pop_front();
      if (seen_.insert(file).second) OPKIT_CHECK(follow(file));
    }
    if (staged_.empty()) return fs::path();
    const fs::path own = folder_ / root_.filename();
    std::error_code failure;
    fs::create_directories(own, failure);
    return own;
  }

 private:
  Status follow(const fs::path& file) {
    const auto text = read_file(file);
    if (!text.ok()) return {};
    for (const source_text::Token& token : source_text::tokens_of(*text)) {
      if (token.kind != source_text::Token::Kind::kInclude) continue;
      const fs::path include(token.in(*text));
      const fs::path plain = (file.parent_path() / include).lexically_normal();
      std::error_code failure;
      if (fs::is_regular_file(plain, failure)) {
        open_.push_back(plain);
      } else if (const auto found = neighbour(include)) {
        OPKIT_CHECK(stage(found->first, found->second));
        open_.push_back(found->second / fs::path(include).lexically_relative("../" + found->first));
      }
    }
    return {};
  }

  // "../name/rest": the folder that stands for "name" in the vendor's build.
  std::optional<std::pair<std::string, fs::path>> neighbour(const fs::path& include) const {
    auto part = include.begin();
    if (part == include.end() || *part++ != "..") return {};
    if (part == include.end() || *part == "..") return {};
    const std::string name = part->string();
    const fs::path rest = include.lexically_relative("../" + name);
    std::error_code failure;
    constexpr int kLevels = 4;
    fs::path base = root_;
    for (int level = 0; level < kLevels && base.has_parent_path(); ++level) {
      base = base.parent_path();
      std::vector<fs::path> places = {base / name / "op_kernel", base / name};
      for (fs::directory_iterator it(base, failure), end; !failure && it != end;
           it.increment(failure)) {
        places.push_back(it->path() / name / "op_kernel");
        places.push_back(it->path() / name);
      }
      failure.clear();
      for (const fs::path& place : places) {
        if (fs::is_regular_file(place / rest, failure)) return std::make_pair(name, place);
      }
    }
    return {};
  }

  Status stage(const std::string& name, const fs::path& from) {
    if (!staged_.insert(name).second) return {};
    for (const fs::path& file : files_below(from, {".h", ".hpp", ".cpp", ".inc"})) {
      const fs::path link = folder_ / name / file.lexically_relative(from);
      std::error_code failure;
      fs::create_directories(link.parent_path(), failure);
      fs::remove(link, failure);
      fs::create_symlink(file, link, failure);
      if (!failure) continue;
      return Error("OPK-ENV-004",
                   fmt::format("cannot make {}: {}", link.string(), failure.message()),
                   "choose a folder that you may write with --build-dir");
    }
    return {};
  }

  fs::path root_, folder_;
  std::deque<fs::path> open_;
  std::set<fs::path> seen_;
  std::set<std::string> staged_;
};

}  // namespace

bool is_vendor_project(const fs::path& root) {
  const std::vector<fs::path> host = files_below(root / "op_host", {".cpp"});
  if (host.empty() || files_below(root / "op_kernel", {".cpp"}).empty()) return false;
  const auto holds = [](const fs::path& file, const char* word) {
    const auto text = read_file(file);
    return text.ok() && text->find(word) != std::string::npos;
  };
  const fs::path cmake = root / "CMakeLists.txt";
  std::error_code ignored;
  if (fs::exists(cmake, ignored))
    return !holds(cmake, "find_package(opkit") && !holds(cmake, "opkit_add_op");
  return contracts_of(root).empty() ||
         std::ranges::any_of(host, [&](const fs::path& file) { return holds(file, "OP_ADD("); });
}

VendorProject read_vendor_project(const fs::path& root) {
  VendorProject project;
  project.root = root;
  project.host = files_below(root / "op_host", {".cpp", ".h", ".hpp"});
  project.kernels = files_below(root / "op_kernel", {".cpp"});
  project.vendor = vendor_of(root);
  return project;
}

fs::path kernel_of(const VendorProject& project, const std::string& op_type, bool only_op) {
  const std::string name = snake_name(op_type) + ".cpp";
  for (const fs::path& kernel : project.kernels) {
    if (kernel.filename() == name) return kernel;
  }
  return only_op && project.kernels.size() == 1 ? project.kernels.front() : fs::path();
}

Result<fs::path> stage_neighbours(const VendorProject& project, const fs::path& kernel,
                                  const fs::path& folder) {
  return ProjectWriter(project, folder).run(kernel);
}

std::string definitions_target(const VendorProject& project) {
  const fs::path root = fs::absolute(project.root);
  std::vector<fs::path> sources;
  for (const fs::path& file : project.host) {
    if (has_extension(file, ".cpp")) sources.push_back(file);
  }
  return fmt::format(
      "opkit_read_definitions(definitions\n  HOST{}\n  INCLUDES{})\n", quoted_list(sources),
      quoted_list(std::vector<fs::path>{root / "op_kernel", root / "op_host", root}));
}

Status write_cmake_project(const VendorProject& project, const fs::path& folder,
                           const std::string& vendor, const std::vector<VendorOp>& ops) {
  std::string text =
      "# Made by opkit build.\ncmake_minimum_required(VERSION 3.20)\nproject(vendor_ops LANGUAGES "
      "CXX)\nfind_package(opkit REQUIRED)\n";
  text += definitions_target(project);
  for (const VendorOp& op : ops) {
    std::vector<fs::path> seen = {fs::absolute(project.root) / "op_kernel"};
    if (!op.stage.empty()) seen.push_back(op.stage);
    OPKIT_CHECK(write_if_new(
        folder / op.name / "CMakeLists.txt",
        fmt::format("opkit_add_op(VENDOR {}\n  CONTRACT {}\n  KERNEL {}\n  PACKAGE {}\n  "
                    "INCLUDES{}\n  HOST_OBJECTS definitions\n  HOST{})\n",
                    vendor, quoted(op.contract), quoted(op.kernel), quoted(op.package),
                    quoted_list(seen), quoted_list(project.host))));
    text += fmt::format("add_subdirectory({})\n", op.name);
  }
  return write_if_new(folder / "CMakeLists.txt", text);
}

}  // namespace opkit::project
