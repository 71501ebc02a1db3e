#include "opkit/model/export/write_project.h"

#include <fmt/format.h>

#include "opkit/base/file.h"
#include "opkit/model/export/codes.h"
#include "opkit/model/export/source.h"
#include "opkit/model/export/texts.h"

namespace opkit::model_export {
namespace {

namespace fs = std::filesystem;

// NumPy's name of an element type.
std::string numpy_type(DType dtype) {
  switch (dtype) {
    case DType::kFloat16: return "<f2";
    case DType::kBFloat16: return "<V2";
    case DType::kInt64: return "<i8";
    case DType::kInt32: return "<i4";
    case DType::kInt8: return "|i1";
    case DType::kUInt8: return "|u1";
    case DType::kBool: return "|b1";
    default: return "<f4";
  }
}

// Returns a text as a literal of C++.
std::string literal(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", c);
    else if (static_cast<unsigned char>(c) < 0x20 || c == '?')
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out + "\"";
}

std::string ends_code(const std::string& function, const ExportedProgram& program,
                      const std::vector<ProgramEnd>& ends) {
  std::string rows;
  for (const ProgramEnd& end : ends) {
    const graph::ValueInfo& value = program.values.at(end.value);
    rows += fmt::format("\n      {{{}, {{\"{}\", {{{}}}}}}},", literal(end.name),
                        numpy_type(value.dtype), fmt::join(value.shape->dims(), ", "));
  }
  return fmt::format(
      "const std::vector<End>& {}() {{\n  static const std::vector<End> kEnds = {{{}\n  }};\n"
      "  return kEnds;\n}}\n\n",
      function, rows);
}

// FNV-1a: tells one file of weights from another.
uint64_t digest_of(const std::string& bytes) {
  uint64_t digest = 14695981039346656037u;
  for (const char c : bytes) digest = (digest ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return digest;
}

std::string loops_code(const ProgramSource& source) {
  std::string calls;
  for (size_t call = 0; call < source.calls; ++call) calls += fmt::format("  call_{}(m);\n", call);
  return fmt::format("void run_loops([[maybe_unused]] const Memory& m) {{\n{}}}\n\n", calls);
}

std::string model_source(const ExportedProgram& program, const ProgramSource& source) {
  std::string text = fmt::format("// {} as C++.\n", literal(program.name));
  text += kModelBegin;
  text += source.functions + loops_code(source);
  text += "#ifdef MODEL_ONEDNN\nusing namespace onednn;\n\n" + source.plan + "#endif\n";
  text += "}  // namespace\n\n" + ends_code("model_inputs", program, program.inputs) +
          ends_code("model_outputs", program, program.outputs);
  text += fmt::format(
      "Model::Model(const std::string& file, [[maybe_unused]] bool loops)\n"
      "    : weights_(weights_of(file, {}u, {}u)), block_({}) {{\n"
      "#ifdef MODEL_ONEDNN\n  if (loops) return;\n  plan_ = std::make_shared<Plan>();\n"
      "  make_plan(Memory{{weights_.data(), block_.data()}}, *plan_);\n#endif\n}}\n\n",
      source.weights.size(), digest_of(source.weights), source.block_bytes);
  text += fmt::format(
      "std::vector<std::vector<char>> Model::run(\n    const std::vector<std::vector<char>>& "
      "inputs) {{\n  const Memory m{{weights_.data(), block_.data()}};\n"
      "  std::vector<std::vector<char>> outputs;\n{}#ifdef MODEL_ONEDNN\n"
      "  if (plan_ != nullptr)\n    plan_->run();\n  else\n#endif\n"
      "    run_loops(m);\n{}  return outputs;\n}}\n",
      source.take, source.give);
  return text;
}

}  // namespace

Result<Project> project_of(const ExportedProgram& program) {
  OPKIT_TRY(const ProgramSource source, source_of_program(program));
  Project project;
  project.calls = source.calls;
  project.weight_bytes = source.weights.size();
  project.block_bytes = source.block_bytes;
  project.files = {{"CMakeLists.txt", kProjectFile},
                   {"main.cpp", kMainSource},
                   {"npy.h", kNpyHeader},
                   {"npy.cpp", kNpySource},
                   {"elements.h", kElementLoops},
                   {"products.h", kProductLoops},
                   {"rows.h", kRowLoops},
                   {"halves.h", kHalves},
                   {"onednn.h", kOneDnnHeader},
                   {"onednn_layouts.cpp", kOneDnnLayouts},
                   {"onednn_steps.cpp", kOneDnnSteps},
                   {"model.h", kModelHeader},
                   {"model.cpp", model_source(program, source)},
                   {"weights.bin", source.weights}};
  return project;
}

Status check_folder(const fs::path& folder) {
  std::error_code code;
  if (!fs::exists(folder, code) || (fs::is_directory(folder, code) && fs::is_empty(folder, code)))
    return {};
  return Error(kFolderTaken, fmt::format("{} is there already", folder.string()),
               "give --output a folder that is not there");
}

Status write_project(const Project& project, const fs::path& folder) {
  OPKIT_CHECK(check_folder(folder));
  fs::path whole = folder;
  if (!whole.has_filename()) whole = whole.parent_path();
  const fs::path part = whole.string() + ".unfinished";
  std::error_code code;
  fs::remove_all(part, code);
  fs::create_directories(part, code);
  Status status;
  for (const auto& [name, bytes] : project.files) {
    if (status.ok()) status = write_file(part / name, bytes);
  }
  if (status.ok()) {
    fs::remove(whole, code);  // an empty one
    fs::rename(part, whole, code);
    if (!code) return {};
    status =
        Error(kFolderTaken, fmt::format("{} cannot be made: {}", whole.string(), code.message()),
              "give --output a folder that can be written");
  }
  fs::remove_all(part, code);
  return status;
}

}  // namespace opkit::model_export
