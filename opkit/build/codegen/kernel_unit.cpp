#include "opkit/build/codegen/kernel_unit.h"

#include <fmt/format.h>

#include <cctype>

#include "opkit/build/codegen/task_type.h"

namespace opkit::codegen {
namespace {

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

template <typename Visit>
void each_port(const OpContract& contract, Visit visit) {
  for (const Port& port : contract.inputs) visit(port);
  for (const Port& port : contract.outputs) visit(port);
}

// Optional inputs have their macros, too: whether one is given is known at run time.
std::string dtype_macros(const OpContract& contract, size_t column) {
  std::string text;
  each_port(contract, [&](const Port& port) {
    // Kernels know an in-place output by its input's name and "_ref".
    std::vector<std::string> names = {upper(port.name)};
    if (!port.inplace.empty()) names.push_back(upper(port.inplace) + "_REF");
    if (names.size() == 2 && names[0] == names[1]) names.pop_back();
    for (const std::string& name : names) {
      text += fmt::format(
          "#define DTYPE_{0} {1}\n#define ORIG_DTYPE_{0} {2}\n#define FORMAT_{0} FORMAT_{3}\n",
          name, kernel_name_of(port.dtypes[column]), graph_name_of(port.dtypes[column]),
          name_of(port.formats[column]));
    }
  });
  return text;
}

// A core that does both belongs to another architecture than the one this API speaks by default.
std::string pass_macros(const KernelPlan& plan, const Pass& pass) {
  std::string text = fmt::format("#define OPKIT_CORE_PASS {}\n", static_cast<int>(pass.kind));
  if (pass.kind == OPK_CORE_AIC) text += "#define __DAV_C220_CUBE__ 1\n";
  if (pass.kind == OPK_CORE_AIV) text += "#define __DAV_C220_VEC__ 1\n";
  if (pass.kind == OPK_CORE_MIX) {
    text += fmt::format("#define __NPU_ARCH__ {}\n#define __CCE_AICORE__ {}\n", plan.fused_arch,
                        plan.fused_arch / 10);
  }
  return text + "#define OPKIT_DTYPE_MACROS 1\n#define OPKIT_DEVICE_SCALARS 1\n";
}

// GET_TILING_DATA reads the struct of the unit's key.
std::string struct_choice(const KernelPlan& plan) {
  std::string text;
  for (const auto& [condition, name] : plan.structs) {
    text += fmt::format(
        "#if {}\n#undef GET_TILING_DATA\n#define GET_TILING_DATA(name, tiling) "
        "GET_TILING_DATA_WITH_STRUCT({}, name, tiling)\n#endif\n",
        condition, name);
  }
  return text;
}

// The header says so when a struct of a single key needs a unit of its own and this is none.
std::string structs_include(const KernelPlan& plan) {
  const bool matters = plan.source.default_struct && !plan.source.parameters;
  return (matters ? fmt::format("#define OPKIT_KEY_STRUCTS {:d}\n", plan.host_structs)
                  : std::string()) +
         "#include \"tiling_structs.h\"\n";
}

std::string call(const KernelPlan& plan, const std::string& arguments) {
  std::string text = "::AscendC::detail::enter(core);\n  " + plan.entry + arguments + "(";
  for (size_t i = 0; i < argument_count(*plan.contract); ++i) {
    text += fmt::format("{}static_cast<uint8_t*>(args[{}])", i ? ", " : "", i);
  }
  return text + ");\n";
}

// Writes a type of kernels as C++ text.
std::string type_text(int task_type) {
  return task_type == kTaskTypeByReach ? "::opkit_kernel::kTypeByReach" : std::to_string(task_type);
}

std::string export_unit(const UnitPlace& place, const std::string& rows, const std::string& count) {
  const std::string symbol = symbol_of(place);
  return fmt::format(
      "extern \"C\" {{\nextern const ::opkit_kernel::Unit {0};\n"
      "const ::opkit_kernel::Unit {0} = {{{1}, {2}, &::AscendC::detail::reach_unit}};\n}}\n",
      symbol, rows, count);
}

// ---- kernels without template parameters

int task_type_of_key(const KernelPlan& plan, const std::string& key) {
  const auto number = literal_key(key);
  for (const auto& [stated, type] : plan.source.key_types) {
    if (stated == key || (number && literal_key(stated) == number)) return type;
  }
  return plan.task_type;
}

// (key, task type) of the unit's rows. Single keys come before the row for any key.
std::vector<std::pair<std::string, int>> rows_of(const KernelPlan& plan, const UnitPlace& place) {
  std::vector<std::pair<std::string, int>> rows;
  if (place.key) {
    const std::string& key = plan.keys[*place.key];
    return {{key, task_type_of_key(plan, key)}};
  }
  for (const std::string& key : plan.keys) rows.emplace_back(key, task_type_of_key(plan, key));
  if (!rows.empty()) return rows;
  // A kernel that names no key is built for key 0, which a tiling function that sets none has.
  if (plan.source.keys_known) return {{"::opkit_kernel::kKeyByReach", task_type_of_key(plan, "0")}};
  rows = plan.source.key_types;
  rows.emplace_back("OPK_ANY_TILING_KEY", plan.task_type);
  return rows;
}

std::string plain_table(const KernelPlan& plan, const UnitPlace& place) {
  const auto rows = rows_of(plan, place);
  std::string text = "static void opkit_run(opk_core* core, void* const* args) {\n  " +
                     call(plan, "") + "}\nstatic constexpr ::opkit_kernel::Row opkit_rows[] = {\n";
  for (const auto& [key, type] : rows) {
    text += fmt::format(
        "    ::opkit_kernel::row(static_cast<opk_core_kind>({}), static_cast<uint64_t>({}), {}, "
        "&opkit_run),\n",
        static_cast<int>(place.pass.kind), key, type_text(type));
  }
  return text + "};\n" + export_unit(place, "opkit_rows", std::to_string(rows.size()));
}

// ---- template kernels

std::string numbers(const KernelPlan& plan, size_t column, bool formats) {
  std::string text;
  each_port(*plan.contract, [&](const Port& port) {
    text += fmt::format(
        "{}{}", text.empty() ? "" : ", ",
        formats ? static_cast<int>(port.formats[column]) : static_cast<int>(port.dtypes[column]));
  });
  return text;
}

std::string template_arguments(const KernelPlan& plan) {
  std::string text;
  const auto& parameters = *plan.source.parameters;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const std::string value = fmt::format("rows.rows[I].values[{}]", i);
    text += i ? ", " : "";
    if (parameters[i].is_type) {
      text += fmt::format("::opkit_kernel::type_of<{}>", value);
    } else if (parameters[i].type == "auto") {
      text += value;
    } else {
      text += fmt::format("static_cast<{}>({})", parameters[i].type, value);
    }
  }
  return "<" + text + ">";
}

std::string template_checks(const KernelPlan& plan) {
  const auto& parameters = *plan.source.parameters;
  std::string text = fmt::format(
      "static_assert(::opkit_kernel::parameters_in(opkit_declared) == {0}, \"OPK-GEN-007: "
      "ASCENDC_TPL_ARGS_DECL and the template of {1} ({0} parameters) differ in length\");\n",
      parameters.size(), plan.entry);
  for (size_t i = 0; i < parameters.size(); ++i) {
    text += fmt::format(
        "static_assert(::opkit_kernel::is_type(opkit_declared, {0}) == {1}, \"OPK-GEN-007: "
        "parameter {2} of the template of {3} is a {4}; in ASCENDC_TPL_ARGS_DECL it is not "
        "(ASCENDC_TPL_DATATYPE_DECL declares types)\");\n",
        i, parameters[i].is_type, i + 1, plan.entry, parameters[i].is_type ? "type" : "value");
  }
  text += fmt::format(
      "static_assert(opkit_count <= ::opkit_host::kMaxTemplateRows, \"OPK-GEN-007: ASCENDC_TPL_SEL "
      "lists more than 4096 combinations\");\n");
  return text;
}

std::string template_table(const KernelPlan& plan, const UnitPlace& place) {
  const std::string scope = "::" + plan.source.template_scope;
  std::string text = fmt::format(
      "static constexpr int64_t opkit_dtypes[] = {{{0}}}, opkit_formats[] = {{{1}}};\n"
      "static constexpr ::opkit_host::TemplateColumn opkit_column = {{opkit_dtypes, opkit_formats, "
      "{2}, {3}}};\n"
      "static constexpr auto opkit_declared = ::opkit_host::span_of({4}opkit_template_arguments);\n"
      "static constexpr auto opkit_selected = "
      "::opkit_host::span_of({4}opkit_template_selections);\n"
      "static constexpr size_t opkit_count =\n"
      "    ::opkit_host::count_rows(opkit_declared, opkit_selected, opkit_column);\n",
      numbers(plan, place.column, false), numbers(plan, place.column, true),
      plan.contract->inputs.size(), plan.contract->outputs.size(), scope);
  text += template_checks(plan);
  text += fmt::format(
      "struct OpkitEntries {{\n"
      "  static constexpr ::opkit_host::TemplateRows<opkit_count, {0}> rows{{\n"
      "      opkit_declared, opkit_selected, opkit_column}};\n"
      "  template <size_t I>\n"
      "  static void run(opk_core* core, void* const* args) {{\n  {1}  }}\n"
      "}};\n"
      "static_assert(::opkit_kernel::all_encoded(OpkitEntries::rows), \"OPK-GEN-007: a value of "
      "ASCENDC_TPL_SEL is not declared by ASCENDC_TPL_ARGS_DECL or does not fit its bits\");\n"
      "static constexpr auto opkit_table = ::opkit_kernel::table_of<OpkitEntries, {2}, "
      "static_cast<opk_core_kind>({3})>(\n"
      "    std::make_index_sequence<opkit_count>());\n",
      plan.source.parameters->size(), call(plan, template_arguments(plan)),
      type_text(plan.task_type), static_cast<int>(place.pass.kind));
  return text + export_unit(place, "opkit_table.rows", "opkit_count");
}

}  // namespace

std::string UnitPlace::stem() const {
  return fmt::format("c{}{}_{}", column, key ? fmt::format("_k{}", *key) : "", pass.word);
}

std::vector<UnitPlace> places_of(const KernelPlan& plan) {
  std::vector<UnitPlace> places;
  for (size_t column = 0; column < plan.contract->column_count(); ++column) {
    if (plan.only_column && column != *plan.only_column) continue;
    for (const Pass& pass : plan.passes) {
      if (!plan.unit_per_key) places.push_back({column, {}, pass});
      for (size_t key = 0; plan.unit_per_key && key < plan.keys.size(); ++key)
        places.push_back({column, key, pass});
    }
  }
  return places;
}

std::string symbol_of(const UnitPlace& place) { return "opkit_entry_" + place.stem(); }

size_t argument_count(const OpContract& contract) {
  return contract.inputs.size() + contract.outputs.size() + 2;
}

// The kernel's own name may be that of a C function (sin, index), so that it is renamed for the
// build.
std::string unit_text(const KernelPlan& plan, const UnitPlace& place) {
  std::string text = pass_macros(plan, place.pass);
  if (place.key) text += fmt::format("#define TILING_KEY_VAR ({})\n", plan.keys[*place.key]);
  text += dtype_macros(*plan.contract, place.column);
  const bool is_template = plan.source.parameters.has_value();
  text += "#include \"opkit_kernel/prelude.h\"\n";
  if (is_template) text += "#include \"opkit_kernel/template_unit.h\"\n";
  if (plan.has_structs) text += structs_include(plan);
  text += struct_choice(plan);
  if (plan.launches) text += "#include \"opkit_kernel/no_launch.h\"\n";
  text += fmt::format(
      "#define {0} {0}_{1}\n#include \"{2}\"\n", plan.entry, place.stem(),
      plan.launches ? "kernel_source.h" : std::filesystem::absolute(plan.file).string());
  return text + (is_template ? template_table(plan, place) : plain_table(plan, place));
}

}  // namespace opkit::codegen
