#include "opkit/verify/labels.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/soc/soc_spec.h"
#include "opkit/verify/problem/attr_values.h"
#include "opkit/verify/problem/domain.h"
#include "opkit/verify/problem/plan.h"
#include "opkit/verify/problem_inputs.h"

namespace opkit::verify {
namespace {

bool is_prime(int64_t n) {
  if (n < 2) return false;
  for (int64_t d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return true;
}

void label_tensor(const Tensor& tensor, std::vector<std::string>& labels) {
  const int64_t elements = tensor.elements();
  const size_t bytes = tensor.size_bytes();
  if (elements == 0) labels.push_back("zero elements");
  if (elements == 1) labels.push_back("one element");
  if (elements > 1) labels.push_back(bytes % 32 == 0 ? "multiple of 32 bytes" : "tail of a block");
  if (is_prime(elements)) labels.push_back("prime size");
  if (tensor.shape().rank() == 0) labels.push_back("scalar");
  const auto& dims = tensor.shape().dims();
  if (dims.size() > 1 && std::count(dims.begin(), dims.end(), 1) > 0) labels.push_back("dim of 1");
}

void label_attrs(const OpContract& contract, const Problem& problem,
                 std::vector<std::string>& labels) {
  for (const Attr& attr : contract.attrs) {
    const auto value = problem.attrs.find(attr.name);
    if (value == problem.attrs.end()) continue;
    std::string label = "other";
    for (const AttrChoice& choice : attr_choices(attr)) {
      if (choice.value == value->second) label = choice.label;
    }
    labels.push_back(fmt::format("attr {}: {}", attr.name, label));
  }
}

bool is_on_chip(const OpContract& contract, const std::string& soc, size_t column) {
  Problem problem;
  problem.soc = soc;
  problem.column = column;
  return not_on_chip(contract, problem).empty();
}

std::string column_label(const OpContract& contract, size_t column) {
  const std::string name = contract.column_name(column);
  return "column " + (name.empty() ? std::string("only") : name);
}

}  // namespace

std::string output_of_column(const OpContract& contract, const std::string& output, size_t column) {
  const std::string name = contract.column_name(column);
  return name.empty() ? output : fmt::format("{} of column {}", output, name);
}

std::vector<std::string> labels_of(const OpContract& contract, const Problem& problem,
                                   const Ports& inputs, const Execution& execution) {
  std::vector<std::string> labels;
  labels.push_back(column_label(contract, problem.column));
  labels.push_back("soc " + problem.soc);
  labels.push_back(fmt::format("data {}", name_of(problem.data)));
  labels.push_back(fmt::format("tiling key {}", execution.tiling_key));
  labels.push_back(execution.block_dim == 1 ? "one block" : "several blocks");
  const auto soc = find_soc(problem.soc);
  if (soc.ok() && execution.block_dim > soc->spec->cores.ai_core)
    labels.push_back("more blocks than AI cores");
  for (const auto& port : inputs) {
    for (const Tensor& tensor : port) label_tensor(tensor, labels);
  }
  for (const Port& port : contract.inputs) {
    if (port.presence != Presence::kOptional) continue;
    const bool absent = problem.symbols.absent.count(port.name) > 0;
    labels.push_back(fmt::format("{} {}", port.name, absent ? "absent" : "present"));
  }
  for (const std::string& collapsed : problem.symbols.collapsed)
    labels.push_back("broadcast of " + collapsed);
  for (const auto& [name, list] : problem.symbols.lists)
    labels.push_back(fmt::format("rank of {}: {}", name, list.size()));
  label_attrs(contract, problem, labels);
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

std::vector<std::string> required_labels(const OpContract& contract,
                                         const std::vector<std::string>& socs,
                                         std::optional<size_t> only) {
  std::vector<std::string> labels{"tail of a block"};
  for (size_t column = 0; column < contract.column_count(); ++column) {
    if (only && column != *only) continue;
    const bool possible = std::any_of(socs.begin(), socs.end(), [&](const std::string& soc) {
      return is_on_chip(contract, soc, column);
    });
    if (possible) labels.push_back(column_label(contract, column));
  }
  for (const std::string& soc : socs) {
    if (!only || is_on_chip(contract, soc, *only)) labels.push_back("soc " + soc);
  }
  if (contract.kernel && !only) {
    for (const int64_t key : contract.kernel->tiling_keys)
      labels.push_back(fmt::format("tiling key {}", key));
  }
  for (const Port& port : contract.inputs) {
    if (port.presence != Presence::kOptional) continue;
    labels.push_back(port.name + " absent");
    labels.push_back(port.name + " present");
  }
  const Domain domain(contract, element_budget(Tier::kNightly));
  for (const Attr& attr : contract.attrs) {
    for (const AttrChoice& choice : attr_choices(attr)) {
      if (domain.possible({{attr.name, choice.value}}))
        labels.push_back(fmt::format("attr {}: {}", attr.name, choice.label));
    }
  }
  return labels;
}

}  // namespace opkit::verify
