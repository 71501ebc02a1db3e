#include "opkit/measure/said/said_call.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/shell_word.h"

namespace opkit::measure {
namespace {

// Every word that is no dim made one: 4,-8 becomes 4,8.
std::string repaired_dims(const std::string& dims) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin <= dims.size();) {
    const size_t end = std::min(dims.find(',', begin), dims.size());
    std::string word = dims.substr(begin, end - begin);
    if (!TensorFacts::parse(fmt::format("uint8 [{}]", word)).ok()) {
      std::erase_if(word, [](char c) { return c < '0' || c > '9'; });
      if (word.empty()) word = "16";
    }
    if (!word.empty()) words.push_back(std::move(word));
    begin = end + 1;
  }
  return fmt::format("{}", fmt::join(words, ","));
}

// Returns the dtype that was said of an input, by option or by its file.
std::optional<DType> said_dtype(const SaidCall& options, const std::string& name, bool first) {
  const auto tensors = options.tensors.find(name);
  if (tensors != options.tensors.end()) return tensors->second.front().dtype();
  const auto said = options.dtypes.find(name);
  if (said != options.dtypes.end()) return said->second;
  return first ? options.any_dtype : std::nullopt;
}

bool fits(const OpContract& contract, const SaidCall& options, size_t column) {
  bool first = true;
  for (const Port& port : contract.inputs) {
    const auto dtype = said_dtype(options, port.name, first);
    if (dtype && *dtype != port.dtypes[column]) return false;
    const auto format = options.formats.find(port.name);
    if (format != options.formats.end() && format->second != port.formats[column]) return false;
    first = false;
  }
  return true;
}

Result<TensorFacts> facts_from(const Port& port, size_t column, const SaidCall& options,
                               const std::string& dims) {
  const auto said = options.dtypes.find(port.name);
  const DType dtype = said == options.dtypes.end() ? port.dtypes[column] : said->second;
  OPKIT_TRY(TensorFacts facts, facts_of_dims("--shape", port.name, name_of(dtype), dims));
  facts.desc.name = port.name;
  facts.desc.format = port.formats[column];
  return facts;
}

TensorFacts facts_of_tensor(const Port& port, size_t column, const Tensor& tensor) {
  TensorFacts facts;
  facts.desc = tensor.desc();
  facts.desc.name = port.name;
  facts.desc.format = port.formats[column];
  if (!port.value_depend || is_float(tensor.dtype())) return facts;
  facts.values.emplace();
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    facts.values->push_back(static_cast<int64_t>(tensor.at(i)));
  }
  return facts;
}

}  // namespace

Result<TensorFacts> facts_of_dims(const char* flag, const std::string& name, std::string_view dtype,
                                  const std::string& dims) {
  auto facts = TensorFacts::parse(fmt::format("{} [{}]", dtype, dims));
  if (facts.ok()) return facts;
  return Error(
      "OPK-CLI-021",
      fmt::format("{} {}={}: a dim is a number, a range such as 1..64, or ?", flag, name, dims),
      fmt::format("{} {}", flag, shell_word(name + "=" + repaired_dims(dims))));
}

SaidOutputs said_outputs(const OpContract& contract, const SaidCall& options) {
  SaidOutputs said;
  for (const Port& port : contract.outputs) {
    const auto given = options.out_shapes.find(port.name);
    said.push_back(given == options.out_shapes.end() ? std::vector<Shape>{} : given->second);
  }
  return said;
}

Result<size_t> pick_column(const OpContract& contract, const SaidCall& options) {
  std::vector<std::string> known;
  for (size_t column = 0; column < contract.column_count(); ++column) {
    if (fits(contract, options, column)) return column;
    known.push_back(contract.column_name(column));
  }
  return Error(
      "OPK-CLI-011",
      fmt::format("{} does not take these dtypes and formats together; it takes: {}", contract.op,
                  fmt::join(known, "; ")),
      fmt::format("--dtype {}={}", contract.inputs[0].name, name_of(contract.inputs[0].dtypes[0])));
}

Result<std::vector<PortFacts>> facts_of(const OpContract& contract, const SaidCall& options) {
  OPKIT_TRY(const size_t column, pick_column(contract, options));
  std::vector<PortFacts> all;
  for (const Port& port : contract.inputs) {
    PortFacts& facts = all.emplace_back();
    if (const auto read = options.tensors.find(port.name); read != options.tensors.end()) {
      for (const Tensor& tensor : read->second) {
        facts.push_back(facts_of_tensor(port, column, tensor));
      }
    } else if (const auto said = options.shapes.find(port.name); said != options.shapes.end()) {
      for (const std::string& dims : said->second) {
        OPKIT_TRY(TensorFacts one, facts_from(port, column, options, dims));
        facts.push_back(std::move(one));
      }
    } else if (port.presence == Presence::kRequired) {
      return Error("OPK-CLI-003",
                   fmt::format("input {} of {} has no shape", port.name, contract.op),
                   fmt::format("--shape {}=...", port.name));
    }
  }
  return all;
}

}  // namespace opkit::measure
