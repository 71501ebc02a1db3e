#include "opkit/cli/options/initial_outputs.h"

#include <fmt/format.h>

#include <charconv>

#include "opkit/base/npy.h"
#include "opkit/base/suggest.h"

namespace opkit::cli {
namespace {

constexpr const char* kFlag = "--out-initial";

std::optional<double> number_of(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return number;
}

Result<size_t> output_named(const OpContract& contract, const Assignment& given) {
  std::vector<std::string> known;
  for (size_t o = 0; o < contract.outputs.size(); ++o) {
    if (contract.outputs[o].name == given.name) return o;
    known.push_back(contract.outputs[o].name);
  }
  const auto near = nearest(given.name, known);
  return Error("OPK-CLI-007",
               fmt::format("{} {}: {} has no output of this name; it has: {}", kFlag, given.name,
                           contract.op, fmt::join(known, ", ")),
               known.empty() ? fmt::format("leave {} out", kFlag)
                             : assigned(kFlag, near ? *near : known[0], given.value));
}

// Makes a tensor of the output's dtype.
Result<Tensor> initial_tensor(const StorageLayout& layout, const Assignment& given) {
  if (given.value.ends_with(".npy")) {
    NpyOptions npy;
    npy.as = layout.dtype();
    return load_npy(given.value, npy);
  }
  const auto number = number_of(given.value);
  if (!number) {
    return Error(
        "OPK-CLI-008",
        fmt::format("{} {}={} is neither a .npy file nor a number", kFlag, given.name, given.value),
        fmt::format("{} {}=0", kFlag, given.name));
  }
  Tensor tensor(layout.dtype(), layout.origin(), given.name);
  for (int64_t i = 0; i < tensor.elements(); ++i) tensor.set(i, *number);
  return tensor;
}

}  // namespace

Flag initial_output_flag() {
  return {.name = kFlag,
          .value = "NAME=FILE",
          .help =
              "what an output holds when the kernel starts: a .npy file, or a number for every "
              "element; without it 0xff bytes",
          .complete = Complete::kFile,
          .repeated = true};
}

Status start_outputs(Executor& executor, const Arguments& arguments, Invocation& call) {
  const OpContract& contract = *call.contract;
  CallFacts facts = facts_of(contract, call.inputs);
  facts.attrs = call.attrs;
  facts.output_shapes = call.output_shapes;
  OPKIT_TRY(call.plan, executor.plan(contract, call.soc, facts));
  call.initial_outputs.resize(contract.outputs.size());
  std::vector<std::string> names;
  for (const Port& port : contract.outputs) names.push_back(port.name);
  for (const std::string& text : arguments.all(kFlag)) {
    OPKIT_TRY(const Assignment given, parse_assignment(kFlag, text, names));
    OPKIT_TRY(const size_t output, output_named(contract, given));
    const PortLayouts& layouts = call.plan->output_layouts[output];
    if (layouts.size() != 1) {
      return Error("OPK-CLI-013",
                   fmt::format("output {} is {} tensors, not one", given.name, layouts.size()),
                   fmt::format("leave {} {} out", kFlag, given.name));
    }
    OPKIT_TRY(Tensor tensor, initial_tensor(layouts[0], given));
    call.initial_outputs[output] = {std::move(tensor)};
  }
  return {};
}

}  // namespace opkit::cli
