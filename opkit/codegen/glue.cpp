#include "opkit/codegen/glue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "opkit/abi/types.h"
#include "opkit/base/file.h"
#include "opkit/contract/names.h"

namespace opkit::codegen {
namespace {

// The number of OPKIT_CORE_PASS and the word in file and symbol names.
struct Pass {
  int number;
  const char* word;
};
constexpr Pass kCube = {OPK_CORE_AIC, "aic"}, kVector = {OPK_CORE_AIV, "aiv"};

std::vector<Pass> passes_of(int task_type) {
  switch (task_type) {
    case OPK_TASK_AIV_ONLY: return {kVector};
    case OPK_TASK_AIC_ONLY: return {kCube};
    default: return {kCube, kVector};
  }
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string dtype_macros(const OpContract& contract, size_t column) {
  std::string text;
  const auto add = [&](const Port& port) {
    const std::string name = upper(port.name);
    const DType dtype = port.dtypes[column];
    const Format format = port.formats[column];
    text +=
        fmt::format("#define DTYPE_{} {}\n#define ORIG_DTYPE_{} {}\n#define FORMAT_{} FORMAT_{}\n",
                    name, kernel_name_of(dtype), name, graph_name_of(dtype), name, name_of(format));
  };
  for (const Port& port : contract.inputs) add(port);
  for (const Port& port : contract.outputs) add(port);
  return text;
}

std::string symbol_of(size_t column, const Pass& pass) {
  return fmt::format("opkit_entry_c{}_{}", column, pass.word);
}

size_t argument_count(const OpContract& contract) {
  return contract.inputs.size() + contract.outputs.size() + 2;
}

std::string call(const OpContract& contract, const std::string& entry) {
  std::string text = "  " + entry + "(";
  for (size_t i = 0; i < argument_count(contract); ++i) {
    text += fmt::format("{}static_cast<uint8_t*>(args[{}])", i ? ", " : "", i);
  }
  return text + ");\n";
}

// The kernel's own name may be that of a C function (sin, index), so that it is renamed for the
// build.
std::string kernel_unit(const GlueRequest& request, const std::string& entry, size_t column,
                        const Pass& pass, bool structs) {
  const std::string symbol = symbol_of(column, pass);
  std::string text = fmt::format("#define OPKIT_CORE_PASS {}\n", pass.number);
  text += pass.number == OPK_CORE_AIC ? "#define __DAV_C220_CUBE__ 1\n"
                                      : "#define __DAV_C220_VEC__ 1\n";
  text += "#define __CCE_KT_TEST__ 1\n#define OPKIT_DTYPE_MACROS 1\n";
  text += dtype_macros(*request.contract, column);
  text += "#include \"kernel_operator.h\"\n";
  if (structs) text += "#include \"tiling_structs.h\"\n";
  text += fmt::format("#define {0} {0}_c{1}_{2}\n#include \"{3}\"\n", entry, column, pass.word,
                      std::filesystem::absolute(request.kernel).string());
  text += fmt::format("extern \"C\" void {}(opk_core* core, void* const* args) {{\n", symbol);
  text += "  ::AscendC::detail::current = core;\n" + call(*request.contract, entry) + "}\n";
  return text;
}

// A raw string literal may not hold its own delimiter; contracts are short texts, so that an
// escaped literal in lines is readable enough and always right.
std::string as_literal(const std::string& text) {
  std::string out = "\n    \"";
  for (const char c : text) {
    switch (c) {
      case '\n': out += "\\n\"\n    \""; break;
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '?': out += "\\?"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e) {
          out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
        } else {
          out += c;
        }
    }
  }
  return out + "\"";
}

std::string plugin_unit(const GlueRequest& request, const std::string& entry, int task_type) {
  const OpContract& contract = *request.contract;
  const std::vector<Pass> passes = passes_of(task_type);
  std::string text = "#include \"opkit_host/plugin_table.h\"\n\n";
  text += "static const char kContract[] =" + as_literal(contract.text) + ";\n\n";
  std::string rows;
  for (size_t column = 0; column < contract.column_count(); ++column) {
    std::string functions[2] = {"nullptr", "nullptr"};
    for (const Pass& pass : passes) {
      const std::string symbol = symbol_of(column, pass);
      text += fmt::format("extern \"C\" void {}(opk_core* core, void* const* args);\n", symbol);
      functions[pass.number] = symbol;
    }
    text += fmt::format(
        "static const opk_kernel_v1 kKernel{0} = {{sizeof(opk_kernel_v1), {0}, OPK_ANY_TILING_KEY, "
        "\"{1}\", {2}, {3}, "
        "{4}, {5}, nullptr}};\n",
        column, entry, task_type, argument_count(contract), functions[OPK_CORE_AIC],
        functions[OPK_CORE_AIV]);
    rows += fmt::format("{}&kKernel{}", column ? ", " : "", column);
  }
  text += fmt::format("static const opk_kernel_v1* const kKernels[] = {{{}}};\n", rows);
  text += fmt::format(
      "static const opkit_host::OpEntry kOps[] = {{{{\"{}\", kContract, sizeof kContract - 1, "
      "kKernels, {}}}}};\n",
      contract.op, contract.column_count());
  text += fmt::format("OPKIT_PLUGIN(\"{}\", \"{}\", kOps)\n", snake_name(contract.op),
                      contract.version);
  return text;
}

Result<std::vector<std::string>> read_all(const GlueRequest& request) {
  std::vector<std::string> texts;
  for (const auto& list : {request.host_headers, request.host}) {
    for (const auto& path : list) {
      OPKIT_TRY(std::string text, read_file(path));
      texts.push_back(std::move(text));
    }
  }
  return texts;
}

}  // namespace

Result<std::vector<GlueFile>> make_glue(const GlueRequest& request) {
  const OpContract& contract = *request.contract;
  OPKIT_TRY(const std::string source, read_file(request.kernel));
  OPKIT_TRY(const int task_type, task_type_of(contract, source));
  OPKIT_TRY(const std::vector<std::string> host, read_all(request));
  OPKIT_TRY(const std::string structs, tiling_structs(contract.op, host));
  const std::string entry = contract.kernel && !contract.kernel->entry.empty()
                                ? contract.kernel->entry
                                : snake_name(contract.op);
  std::vector<GlueFile> files;
  for (size_t column = 0; column < contract.column_count(); ++column) {
    for (const Pass& pass : passes_of(task_type)) {
      files.push_back({fmt::format("kernel_c{}_{}.cpp", column, pass.word),
                       kernel_unit(request, entry, column, pass, !structs.empty())});
    }
  }
  if (!structs.empty()) files.push_back({"tiling_structs.h", structs});
  files.push_back({"plugin.cpp", plugin_unit(request, entry, task_type)});
  return files;
}

}  // namespace opkit::codegen
