#include "opkit/build/source_text/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "opkit/abi/types.h"
#include "opkit/base/file.h"
#include "opkit/build/source_text/by_name.h"
#include "opkit/build/source_text/source.h"

namespace opkit::source_text {
namespace fs = std::filesystem;
namespace {

struct LaunchKind {
  int task_type;
  bool stated;  // is true where the source states it
  std::vector<size_t> units;
  std::string file;
  int line;
  std::string parameters;  // their names
};

// Tells whether <math.h> declares a function of that name.
bool is_c_function(const std::string& name) {
  static const std::set<std::string> kNames = {
      "acos",  "acosh", "asin",  "asinh",  "atan",   "atan2", "atanh",     "cbrt",  "ceil",
      "cos",   "cosh",  "erf",   "erfc",   "exp",    "exp2",  "expm1",     "fabs",  "fdim",
      "floor", "fma",   "fmax",  "fmin",   "fmod",   "frexp", "gamma",     "hypot", "j0",
      "j1",    "jn",    "ldexp", "lgamma", "log",    "log10", "log1p",     "log2",  "logb",
      "modf",  "nan",   "pow",   "pow10",  "rint",   "round", "remainder", "scalb", "sin",
      "sinh",  "sqrt",  "tan",   "tanh",   "tgamma", "trunc", "y0",        "y1",    "yn"};
  return kNames.count(name) != 0;
}

class Planner {
 public:
  explicit Planner(const ProgramRequest& request) : request_(request) {}

  Result<ProgramPlan> run() {
    for (const fs::path& path : request_.sources) OPKIT_CHECK(add_unit(path));
    if (kinds_.empty() && !request_.object &&
        (launches_ || !kernels_elsewhere_ || request_.kernels_only)) {
      return Error("OPK-CC-007", "no source defines a kernel (a __global__ function)",
                   "name the kernel's own source as well");
    }
    plan_.kernels = !kinds_.empty();
    for (const auto& [name, kind] : kinds_) {
      if (kind.task_type != OPK_TASK_AIV_ONLY) plan_.cube_pass = true;
      if (kind.task_type == kTaskTypeByReach)
        plan_.undecided.push_back({name, kind.units, type_text(name, kind)});
    }
    if (request_.kernels_only) {
      OPKIT_CHECK(add_entries());
      plan_.table = binary_table();
      return std::move(plan_);
    }
    plan_.table = table();
    OPKIT_CHECK(add_launchers());
    return std::move(plan_);
  }

 private:
  Status add_unit(const fs::path& path) {
    OPKIT_TRY(const std::string text, read_file(path));
    OPKIT_TRY(Source source, read_source(text, path.string()));
    std::vector<Source> parts = {source};
    std::vector<fs::path> files = {path};
    OPKIT_CHECK(add_headers(path, source, files, parts));
    leave_out_dead_kernels(path, files, parts);
    source.kernels = parts[0].kernels;
    bool cube = false;
    for (const Source& part : parts) cube = cube || part.names_cube;
    for (const Source& part : parts) OPKIT_CHECK(add_kernels(part, cube, path));
    plan_.units.push_back({path, unit_text(path, source)});
    for (const Source& part : parts) by_name_ = by_name_ || part.launches_by_name;
    for (const Source& part : parts) {
      kernels_elsewhere_ = kernels_elsewhere_ || part.kernels_elsewhere;
      launches_ = launches_ || part.first_launch != 0 || part.launches_by_name;
    }
    if (request_.kernels_only && source.first_launch != 0) {
      return not_in_binary("the source launches a kernel", "leave launches to the program",
                           {path.string(), source.first_launch, 0});
    }
    defined_.push_back(source.kernels);
    return {};
  }

  // Keeps the kernels that conditional compilation chooses among those it chooses from. One that
  // each pass defines for itself counts once. Kernels of macros are not chosen among.
  void leave_out_dead_kernels(const fs::path& unit, const std::vector<fs::path>& files,
                              std::vector<Source>& parts) const {
    const auto chooses = [](const Source& part) {
      return part.conditional && !part.kernels.empty();
    };
    if (!request_.live_lines || std::none_of(parts.begin(), parts.end(), chooses)) return;
    const LiveLines live = request_.live_lines(unit);
    if (live.empty()) return;
    for (size_t i = 0; i < parts.size(); ++i) {
      const auto lines = live.find(fs::weakly_canonical(files[i]));
      std::map<std::string, unsigned> kept;  // says in which passes each kernel stays
      auto& kernels = parts[i].kernels;
      const auto is_dead = [&](const KernelDefinition& kernel) {
        if (kernel.of_macro) return false;
        if (lines == live.end()) return true;
        const auto line = lines->second.find(kernel.line);
        if (line == lines->second.end()) return true;
        unsigned& passes = kept[kernel.name];
        const bool again = passes != 0 && (passes & line->second) == 0;
        passes |= line->second;
        return again;
      };
      kernels.erase(std::remove_if(kernels.begin(), kernels.end(), is_dead), kernels.end());
    }
  }

  // ACLRT_LAUNCH_KERNEL(kernel)(blocks, stream, arguments): a header declares the launcher, the
  // unit of the kernel defines it.
  Status add_launchers() {
    for (size_t i = 0; i < defined_.size() && (by_name_ || request_.launchers); ++i) {
      for (const KernelDefinition& kernel : defined_[i]) {
        if (request_.launchers && kernel.is_template) continue;
        OPKIT_TRY(const Launcher launcher, launcher_of(kernel, plan_.units[i].source.string()));
        plan_.headers.push_back({"aclrtlaunch_" + kernel.name + ".h", launcher.header});
        plan_.units[i].text =
            "#include \"opkit_launch/launch.h\"\n" + plan_.units[i].text + launcher.definition;
      }
    }
    return {};
  }

  static Error not_in_binary(std::string what, std::string action, Location place) {
    return Error("OPK-CC-011", std::move(what) + "; an object of kernels cannot hold that",
                 std::move(action))
        .at(std::move(place));
  }

  // Every kernel of a source goes into the object's table under its name.
  Status add_entries() {
    for (size_t i = 0; i < defined_.size(); ++i) {
      ProgramUnit& unit = plan_.units[i];
      std::string entries;
      for (const KernelDefinition& kernel : defined_[i]) {
        const Location place{unit.source.string(), kernel.line, 0};
        if (kernel.is_template) {
          return not_in_binary("kernel " + kernel.name + " is a template",
                               "write a kernel per type that calls a common function", place);
        }
        if (!in_binary_.insert(kernel.name).second) {
          return not_in_binary("kernel " + kernel.name + " is there twice", "rename one of them",
                               place);
        }
        entries +=
            fmt::format("const bool opkit_entry_{} = ::opkit_launch::in_binary<&{}>(\"{}\");\n",
                        in_binary_.size(), kernel.name, kernel.name);
      }
      unit.text = "#include \"opkit_launch/binary.h\"\n" + unit.text + "\nnamespace {\n" + entries +
                  "}  // namespace\n";
    }
    return {};
  }

  // The user's own headers, as far as they are found; what is not is the compiler's business.
  Status add_headers(const fs::path& from, const Source& source, std::vector<fs::path>& files,
                     std::vector<Source>& parts) {
    for (const std::string& name : source.includes) {
      const fs::path header = find_header(from.parent_path(), name);
      if (header.empty() || std::count(files.begin(), files.end(), header) != 0) continue;
      files.push_back(header);
      OPKIT_TRY(const std::string text, read_file(header));
      OPKIT_TRY(const Source part, read_source(text, header.string()));
      if (part.first_launch != 0) {
        return Error("OPK-CC-005", "a header launches a kernel; launches are rewritten in sources",
                     "move the function that launches to a source file")
            .at({header.string(), part.first_launch, 0});
      }
      parts.push_back(part);
      OPKIT_CHECK(add_headers(header, part, files, parts));
    }
    return {};
  }

  fs::path find_header(const fs::path& beside, const std::string& name) const {
    std::vector<fs::path> folders = {beside};
    folders.insert(folders.end(), request_.include_dirs.begin(), request_.include_dirs.end());
    for (const fs::path& folder : folders) {
      std::error_code failure;
      const fs::path candidate = fs::weakly_canonical(folder / name, failure);
      if (!failure && fs::is_regular_file(candidate, failure)) return candidate;
    }
    return {};
  }

  // Without a statement the use of the cube unit makes a kernel mixed, as for the vendor's
  // compiler. That a source or header names such a call does not yet say that this kernel makes it.
  Status add_kernels(const Source& source, bool cube, const fs::path& file) {
    for (const KernelDefinition& kernel : source.kernels) {
      const bool stated = kernel.task_type.has_value();
      const int type = kernel.task_type.value_or(cube ? kTaskTypeByReach : OPK_TASK_AIV_ONLY);
      const auto [found, added] = kinds_.emplace(
          kernel.name,
          LaunchKind{type, stated, {}, file.string(), kernel.line, parameter_names(kernel)});
      LaunchKind& kind = found->second;
      kind.units.push_back(plan_.units.size());
      if (kind.task_type == type) continue;
      if (!stated && !kind.stated) {
        kind.task_type = kTaskTypeByReach;
        continue;
      }
      return Error("OPK-CC-006",
                   fmt::format("kernel {} runs on other cores than the one of the same name at "
                               "{}:{}",
                               kernel.name, found->second.file, found->second.line),
                   "rename one of them")
          .at({file.string(), kernel.line, 0});
    }
    return {};
  }

  static std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    return out + "\"";
  }

  // Scalar code calls sqrt() and names INFINITY and FLT_MAX: the device's compiler knows them by
  // itself. A kernel may have the name of such a function; its source then includes what it needs.
  static std::string unit_text(const fs::path& path, const Source& source) {
    std::string text = "#include <cfloat>\n";
    bool hides = false;
    for (const KernelDefinition& kernel : source.kernels)
      hides = hides || is_c_function(kernel.name);
    if (!hides) text += "#include <math.h>\n";
    if (source.first_launch != 0) text += "#include \"opkit_launch/launch.h\"\n";
    return text + "#line 1 " + quoted(path.string()) + "\n" + source.rewritten;
  }

  static std::string type_text(const std::string& name, const LaunchKind& kind) {
    return kind.task_type == kTaskTypeByReach ? "OPKIT_TYPE_OF_" + name
                                              : std::to_string(kind.task_type);
  }

  std::string table() const {
    std::string text = "#include \"opkit_launch/program.h\"\n\nnamespace {\n\n";
    text += "const opkit_kernel_kind_v1 kKernels[] = {\n";
    for (const auto& [name, kind] : kinds_) {
      text += fmt::format("    {{\"{}\", {}}},\n", name, type_text(name, kind));
    }
    text += "    {nullptr, 0},\n};\n" + names_table();
    text += fmt::format(
        "const opkit_program_v1 kProgram = {{sizeof(opkit_program_v1), \"{}\", kKernels, {}, "
        "kParameters}};\n\n"
        "__attribute__((constructor)) void describe() {{ opkit_program_describe(&kProgram); }}\n\n"
        "}}  // namespace\n",
        request_.soc, kinds_.size());
    return text;
  }

  // Lists them in the order of the kernels.
  std::string names_table() const {
    std::string text = "const char* const kParameters[] = {\n";
    for (const auto& [name, kind] : kinds_) text += fmt::format("    \"{}\",\n", kind.parameters);
    return text + "    nullptr,\n};\n";
  }

  std::string binary_table() const {
    std::string text =
        "#include <cstring>\n\n#include \"opkit_launch/program.h\"\n\nnamespace {\n\n"
        "opkit_binary_kernel_v1 kernels[] = {\n";
    for (const std::string& name : in_binary_) {
      text += fmt::format("    {{\"{}\", {}, 0, nullptr, nullptr, nullptr}},\n", name,
                          type_text(name, kinds_.at(name)));
    }
    text += "};\n";
    text += "const char* const kParameters[] = {\n";
    for (const std::string& name : in_binary_)
      text += fmt::format("    \"{}\",\n", kinds_.at(name).parameters);
    text += fmt::format(
        "    nullptr,\n}};\n\n}}  // namespace\n\n"
        "extern \"C\" {{\n"
        "extern const opkit_binary_v1 opkit_binary __attribute__((visibility(\"default\")));\n"
        "}}\n"
        "const opkit_binary_v1 opkit_binary = {{sizeof(opkit_binary_v1), {}, \"{}\", "
        "kernels, kParameters}};\n\n",
        in_binary_.size(), request_.soc);
    text +=
        "void opkit_binary_add(const char* name, int32_t core, opk_kernel_fn entry,\n"
        "                      const opkit_parameter_v1* parameters, uint32_t parameter_count) {\n"
        "  for (opkit_binary_kernel_v1& one : kernels) {\n"
        "    if (std::strcmp(one.name, name) != 0) continue;\n"
        "    one.parameters = parameters;\n"
        "    one.parameter_count = parameter_count;\n"
        "    (core == OPK_CORE_AIC ? one.aic : one.aiv) = entry;\n"
        "  }\n"
        "}\n";
    return text;
  }

  const ProgramRequest& request_;
  ProgramPlan plan_;
  std::set<std::string> in_binary_;  // names
  bool kernels_elsewhere_ = false, launches_ = false;
  std::map<std::string, LaunchKind> kinds_;
  std::vector<std::vector<KernelDefinition>> defined_;  // holds the kernels of each unit's source
  bool by_name_ = false;                                // a source launches kernels by name
};

}  // namespace

Result<ProgramPlan> plan_program(const ProgramRequest& request) { return Planner(request).run(); }

}  // namespace opkit::source_text
