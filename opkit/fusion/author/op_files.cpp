#include "opkit/fusion/author/op_files.h"

#include <fmt/format.h>

#include "opkit/fusion/author/formula.h"

namespace opkit::author {
namespace {

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string tiling_text(const OpNames& names, size_t slots) {
  const std::string guard = upper(names.snake) + "_TILING_H_";
  return fmt::format(
      R"(// What the host's tiling function tells the kernel. Plain data, shared by both sides.
#ifndef {0}
#define {0}

#include "elementwise_tiling.h"

// Bytes of UB that the formula takes for each element of a tile, beside its tensors.
constexpr uint32_t k{1}Scratch = {2};

struct {1}TilingData {{
  ElementwiseTiling view;
}};

#endif  // {0}
)",
      guard, names.op, slots * sizeof(float));
}

// Not of this file: cmake/check_layers.awk would look for them here.
constexpr const char* kInclude = "#include";

std::string host_text(const OpNames& names) {
  return fmt::format(
      R"(// Tiling of {0}: elementwise_plan.h cuts the tensors.
{2} "register/op_impl_registry.h"  // first: the SDK holds it precompiled

{2} "../op_kernel/{1}_tiling.h"
{2} "elementwise_plan.h"

static ge::graphStatus Tiling{0}(gert::TilingContext* context) {{
  auto* tiling = context->GetTilingData<{0}TilingData>();
  return elementwise::Plan(context, tiling->view, {{k{0}Scratch, true}});
}}

IMPL_OP_OPTILING({0}).Tiling(Tiling{0});
)",
      names.op, names.snake, kInclude);
}

constexpr size_t kColumns = 100;

// Returns a line that ends in a list, broken where it would grow too long: "void f(" + "a, b" + ")
// {".
std::string listed(const std::string& head, const std::vector<std::string>& items,
                   const std::string& tail) {
  const size_t indent = head.rfind('(') + 1;
  std::string text = head;
  size_t column = head.size();
  for (size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? "," : tail);
    if (i > 0 && column + 1 + item.size() > kColumns) {
      text += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (i > 0) {
      text += " ";
      ++column;
    }
    text += item;
    column += item.size();
  }
  return text;
}

std::string formula_text(const Formula& formula) {
  std::string text;
  if (formula.slots > 1)
    text += "    const uint32_t stride = (count + 7) / 8 * 8;  // tensors begin at 32 bytes\n";
  for (size_t slot = 0; slot < formula.slots; ++slot) {
    text += slot == 0 ? "    const LocalTensor<float> t0 = scratch.ReinterpretCast<float>();\n"
                      : fmt::format("    const LocalTensor<float> t{0} = t0[{1}];\n", slot,
                                    slot == 1 ? "stride" : fmt::format("{} * stride", slot));
  }
  for (const std::string& call : formula.calls) text += "    " + call + "\n";
  return text;
}

std::string call_operator(const ElementwiseRegion& region, const Formula& formula) {
  std::vector<std::string> parameters = {"const LocalTensor<float>& y"};
  for (const RegionInput& input : region.inputs)
    parameters.push_back(fmt::format("const LocalTensor<float>& {}", input.name));
  if (formula.slots > 0) parameters.push_back("const LocalTensor<uint8_t>& scratch");
  parameters.push_back("uint32_t count");
  return listed("  __aicore__ inline void operator()(", parameters, ") const {\n") +
         formula_text(formula) + "  }\n";
}

std::string entry_text(const ElementwiseRegion& region, const OpNames& names) {
  std::vector<std::string> addresses;
  std::string ports, values;
  for (const RegionInput& input : region.inputs) {
    addresses.push_back("GM_ADDR " + input.name);
    ports += fmt::format(",\n         In<DTYPE_{}, float>", upper(input.name));
    values += ", " + input.name;
  }
  addresses.insert(addresses.end(), {"GM_ADDR y", "GM_ADDR workspace", "GM_ADDR tiling"});
  return listed(fmt::format("extern \"C\" __global__ __aicore__ void {}(", names.snake), addresses,
                ") {\n") +
         fmt::format(R"(  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT({0}TilingData);
  GET_TILING_DATA(data, tiling);
  using namespace elementwise;
  Kernel<{0}Formula, Out<DTYPE_Y, RoundMode::CAST_RINT, float>{1}>
      op(data.view);
  op.Run({{}}, y{2});
}}
)",
                     names.op, ports, values);
}

std::string kernel_text(const ElementwiseRegion& region, const OpNames& names) {
  const Formula formula = formula_of(region);
  return fmt::format(
      R"(// {0}: {1}, element by element, in float.
#include "{2}_tiling.h"
#include "elementwise.h"

using namespace AscendC;

// From {3}.
struct {0}Formula {{
{4}{5}}};

{6})",
      names.op, operators_of(region), names.snake, names.source,
      formula.slots > 0
          ? fmt::format("  static constexpr uint32_t kScratch = k{}Scratch;\n\n", names.op)
          : "",
      call_operator(region, formula), entry_text(region, names));
}

// Names of a model are anybody's text: one line, of characters that end no comment.
std::string comment_safe(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e || c == '\\')
      c = '?';
  }
  return text.substr(0, 200);
}

}  // namespace

std::string operators_of(const ElementwiseRegion& region) {
  std::string text;
  for (const RegionStep& step : region.steps) text += (text.empty() ? "" : ", ") + step.op_type;
  return text;
}

std::map<std::string, std::string> op_files(const ElementwiseRegion& region, const OpNames& given) {
  const OpNames names{given.op, given.snake, comment_safe(given.source), given.types};
  const std::string kernel = "op_kernel/" + names.snake;
  return {{"op_contract.yaml", contract_text(region, names)},
          {kernel + ".cpp", kernel_text(region, names)},
          {kernel + "_tiling.h", tiling_text(names, formula_of(region).slots)},
          {"op_host/" + names.snake + ".cpp", host_text(names)}};
}

}  // namespace opkit::author
