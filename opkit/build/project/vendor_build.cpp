#include "opkit/build/project/vendor_build.h"

#include <fmt/format.h>

#include "opkit/base/file.h"
#include "opkit/base/process/child.h"
#include "opkit/build/project/definition_place.h"
#include "opkit/build/project/vendor_project.h"
#include "opkit/contract/import_msopgen.h"
#include "opkit/contract/names.h"
#include "opkit/contract/op_contract.h"

namespace opkit::project {
namespace fs = std::filesystem;
namespace {

class VendorBuild {
 public:
  VendorBuild(const BuildPlan& plan, std::string vendor, BuildEvents& events)
      : plan_(plan),
        project_(read_vendor_project(plan.project)),
        build_(fs::absolute(plan.build).lexically_normal()),
        vendor_(vendor.empty() ? project_.vendor : std::move(vendor)),
        events_(events) {}

  Result<std::vector<fs::path>> run() {
    OPKIT_TRY(const auto imported, read_definitions());
    std::vector<VendorOp> ops;
    for (const ImportedContract& each : imported) {
      OPKIT_TRY(VendorOp op, op_of(each, imported.size() == 1));
      ops.push_back(std::move(op));
    }
    events_.step("configuring");
    OPKIT_CHECK(write_cmake_project(project_, plan_.source, vendor_, ops));
    OPKIT_CHECK(configure(plan_, log_));
    events_.step("compiling");
    OPKIT_CHECK(compile(plan_, "", events_, log_));
    std::vector<fs::path> packages;
    for (const VendorOp& op : ops) packages.push_back(op.package);
    return packages;
  }

 private:
  fs::path prototype() const { return build_ / "prototype.json"; }

  // Compiles the host sources and asks them. The kernels' part of the project comes later, because
  // it is made of the answer.
  Result<std::vector<ImportedContract>> read_definitions() {
    events_.step("reading the OpDefs");
    OPKIT_CHECK(configure_definitions());
    OPKIT_CHECK(compile(plan_, "definitions_answers", events_, log_));
    OPKIT_TRY(const ChildResult said, run_program({(build_ / "definitions_answers").string(),
                                                   "prototypes", prototype().string()}));
    if (!said.ok()) {
      return Error("OPK-BUILD-008",
                   fmt::format("the OpDefs of {} cannot be read: {}", plan_.project.string(),
                               said.output.empty() ? fmt::format("exit code {}", said.shell_code())
                                                   : said.output),
                   "look for an exception or a crash in the constructors of the OpDefs");
    }
    OPKIT_TRY(const std::string text, read_file(prototype()));
    if (text.find("\"op\"") == std::string::npos) {
      return Error(
          "OPK-BUILD-008",
          fmt::format("the sources in {} register no OpDef", (plan_.project / "op_host").string()),
          "add one with OP_ADD, or write op_contract.yaml and a CMakeLists.txt that calls "
          "opkit_add_op");
    }
    auto imported = import_msopgen(text, prototype().string());
    if (imported.ok()) return imported;
    return about_sources(std::move(imported).error(), text, prototype().string(), project_.host);
  }

  Result<VendorOp> op_of(const ImportedContract& imported, bool only) {
    VendorOp op;
    op.name = snake_name(imported.op);
    op.kernel = kernel_of(project_, imported.op, only);
    if (op.kernel.empty() || !imported.has_tiling) {
      return Error("OPK-BUILD-009",
                   imported.has_tiling
                       ? fmt::format("{} has no kernel source {}.cpp",
                                     (plan_.project / "op_kernel").string(), op.name)
                       : "the sources have no tiling function",
                   imported.has_tiling
                       ? "name the kernel's file like the op, in snake_case"
                       : "register one: AICore().SetTiling(f) or IMPL_OP_OPTILING(Op).Tiling(f)")
          .at(definition_place(project_.host, imported.op, {}))
          .of(imported.op);
    }
    OPKIT_TRY(op.contract, contract_of(imported, op.name, only));
    OPKIT_TRY(op.stage, stage_neighbours(project_, op.kernel, build_ / "stage"));
    op.package = only ? build_ / "package" : build_ / "package" / op.name;
    return op;
  }

  // Configures definitions: what an earlier build wrote is kept while it still fits; the OpDefs
  // judge what does not. One of other sources would not tell of an op that has come or gone.
  Status configure_definitions() {
    const auto earlier = read_file(plan_.source / "CMakeLists.txt");
    const bool same_sources =
        earlier.ok() && earlier->find(definitions_target(project_)) != std::string::npos;
    if (same_sources && configure(plan_, log_).ok()) return {};
    OPKIT_CHECK(write_cmake_project(project_, plan_.source, vendor_, {}));
    return configure(plan_, log_);
  }

  // Returns the project's own contract of an op, if it has one, else the one that is made.
  Result<fs::path> contract_of(const ImportedContract& imported, const std::string& name,
                               bool only) {
    const std::string file = only ? "op_contract.yaml" : name + "_contract.yaml";
    const fs::path own = fs::absolute(plan_.project / file).lexically_normal();
    std::error_code failure;
    if (fs::exists(own, failure)) return checked(own, imported.op);
    const fs::path made = build_ / "contracts" / name / "op_contract.yaml";
    fs::create_directories(made.parent_path(), failure);
    const auto old = read_file(made);
    if (!old.ok() || *old != imported.yaml) OPKIT_CHECK(write_file(made, imported.yaml));
    for (const std::string& note : imported.notes) tell(imported.op, note);
    tell(imported.op,
         fmt::format("the contract that was made is {}; copied to {} and completed, it "
                     "is used from there",
                     shown(made), shown(own)));
    return made;
  }

  static Result<fs::path> checked(const fs::path& own, const std::string& op) {
    OPKIT_TRY(const OpContract contract, OpContract::load(own));
    if (contract.op == op) return own;
    return Error("OPK-BUILD-010",
                 fmt::format("{} is the contract of {}, but the sources define {}", shown(own),
                             contract.op, op),
                 "write the OpDef's name under op, or remove the file")
        .of(op);
  }

  void tell(const std::string& op, const std::string& note) {
    Error remark("OPK-CLI-014", note);
    remark.severity = Severity::kInfo;
    events_.note(std::move(remark).of(op));
  }

  const BuildPlan& plan_;
  const VendorProject project_;
  const fs::path build_;
  const std::string vendor_;
  BuildEvents& events_;
  std::string log_;
};

}  // namespace

Result<std::vector<fs::path>> build_vendor_project(const BuildPlan& plan, const std::string& vendor,
                                                   BuildEvents& events) {
  return VendorBuild(plan, vendor, events).run();
}

}  // namespace opkit::project
