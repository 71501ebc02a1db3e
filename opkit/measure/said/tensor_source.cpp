#include "opkit/measure/said/tensor_source.h"

#include <fmt/format.h>

#include "opkit/verify/data/generate.h"

namespace opkit::measure {
namespace {

// In memory, or addresses alone until it is filled.
Result<Tensor> make_tensor(const TensorFacts& facts, bool in_memory) {
  OPKIT_CHECK(check_known(facts));
  const Shape& shape = facts.desc.shape;
  OPKIT_TRY(const int64_t elements, shape.checked_elements());
  constexpr int64_t kMost = int64_t{1} << 33;  // bytes of one tensor, against slips of the keyboard
  if (bytes_of(facts.desc.dtype, static_cast<uint64_t>(elements)) > static_cast<uint64_t>(kMost)) {
    return Error("OPK-CLI-012", fmt::format("{} is larger than 8 GiB", facts.to_string()),
                 "choose smaller dims");
  }
  Tensor tensor;
  if (in_memory) tensor = Tensor(facts.desc.dtype, shape, facts.desc.name);
  if (!in_memory) {
    OPKIT_TRY(tensor, Tensor::reserved(facts.desc.dtype, shape, facts.desc.name));
  }
  tensor.desc().format = facts.desc.format;
  return tensor;
}

Status check_fillable(const Port& port, const TensorFacts& facts,
                      const std::optional<std::pair<double, double>>& range) {
  OPKIT_CHECK(check_known(facts));
  const auto reason = verify::cannot_fill(facts.desc.dtype, facts.desc.shape,
                                          {.range = range, .elements = port.elements});
  if (!reason) return {};
  return Error("OPK-CLI-012", fmt::format("{}: {}", facts.to_string(), *reason),
               "choose a shorter last dim");
}

// Returns the contract's range of an input's values, when it follows from the shapes.
Result<std::vector<std::optional<std::pair<double, double>>>> ranges_of(
    const OpContract& contract, const std::vector<PortFacts>& facts, const AttrValues& attrs) {
  std::vector<std::optional<std::pair<double, double>>> ranges(contract.inputs.size());
  bool any = false;
  for (const Port& port : contract.inputs) any = any || port.values.has_value();
  if (!any) return ranges;
  OPKIT_TRY(const Binding binding, bind_facts(contract, facts, attrs));
  for (size_t i = 0; i < ranges.size(); ++i) {
    OPKIT_TRY(ranges[i], value_range(contract.inputs[i], binding.scope));
  }
  return ranges;
}

}  // namespace

Status check_known(const TensorFacts& facts) {
  const Shape& shape = facts.desc.shape;
  if (shape.has_rank() && shape.is_static()) return {};
  return Error("OPK-CLI-012", fmt::format("{} has a dim that is not known", facts.to_string()),
               fmt::format("give every dim a number: --shape {}=...", facts.desc.name));
}

Result<PortTensors> values_of(const Port& port, const PortFacts& facts, const SaidCall& options) {
  if (auto read = options.tensors.find(port.name); read != options.tensors.end()) {
    PortTensors tensors = read->second;
    for (size_t t = 0; t < tensors.size(); ++t) tensors[t].desc() = facts[t].desc;
    return tensors;
  }
  PortTensors tensors;
  for (const TensorFacts& one : facts) {
    OPKIT_TRY(Tensor tensor, make_tensor(one, true));
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

Result<CallTensors> tensors_of(const OpContract& contract, SaidCall options, const Filler& filler) {
  OPKIT_TRY(const std::vector<PortFacts> facts, facts_of(contract, options));
  OPKIT_TRY(auto ranges, ranges_of(contract, facts, options.attrs));
  CallTensors made;
  made.fill = [filler, &contract, ranges](size_t port, size_t tensor, Tensor& blank) {
    filler({blank, port, tensor, ranges[port], contract.inputs[port].elements});
  };
  made.inputs.resize(facts.size());
  for (size_t i = 0; i < facts.size(); ++i) {
    const Port& port = contract.inputs[i];
    if (auto read = options.tensors.find(port.name); read != options.tensors.end()) {
      made.inputs[i] = std::move(read->second);
      for (size_t t = 0; t < made.inputs[i].size(); ++t)
        made.inputs[i][t].desc() = facts[i][t].desc;
      continue;
    }
    for (size_t t = 0; t < facts[i].size(); ++t) {
      OPKIT_CHECK(check_fillable(port, facts[i][t], ranges[i]));
      OPKIT_TRY(Tensor tensor, make_tensor(facts[i][t], port.value_depend));
      if (port.value_depend) made.fill(i, t, tensor);
      made.inputs[i].push_back(std::move(tensor));
    }
  }
  return made;
}

Filler uniform(uint64_t seed) {
  return [seed](const Blank& blank) {
    verify::fill(blank.tensor, {.data = verify::DataClass::kUniform,
                                .seed = seed,
                                .port = blank.port,
                                .instance = blank.instance,
                                .range = blank.range,
                                .elements = blank.elements});
  };
}

}  // namespace opkit::measure
