#include "opkit/testing/device.h"

#include <fmt/format.h>

#include "opkit/base/document.h"
#include "opkit/call/execute/in_process.h"
#include "opkit/isolation/open_op.h"
#include "opkit/verify/test_run.h"
#include "registry/registry.h"

namespace opkit::testing {
namespace {

Error unusable(const OpContract& contract, std::string message) {
  return Error("OPK-TESTING-001", contract.op + ": " + std::move(message),
               "correct the call in the test");
}

Result<Tensor> tensor_of(const OpContract& contract, const Port& port, const Values& values) {
  const auto dtype = dtype_from_name(values.dtype);
  if (!dtype) return unusable(contract, fmt::format("'{}' is no dtype", values.dtype));
  const Shape shape(values.dims);
  const auto elements = shape.checked_elements();
  if (!elements.ok()) return elements.error();
  if (static_cast<size_t>(*elements) != values.elements.size())
    return unusable(contract,
                    fmt::format("input {} {} needs {} elements, the call has {}", port.name,
                                shape.to_string(), *elements, values.elements.size()));
  Tensor tensor(*dtype, shape, port.name);
  if (!values.format.empty()) {
    const auto format = format_from_name(values.format);
    if (!format) return unusable(contract, fmt::format("'{}' is no format", values.format));
    tensor.desc().format = *format;
  }
  for (int64_t i = 0; i < *elements; ++i) tensor.set(i, values.elements[static_cast<size_t>(i)]);
  return tensor;
}

Values values_of(const Tensor& tensor) {
  Values values{std::string(name_of(tensor.dtype())), tensor.shape().dims(), {}, {}};
  for (int64_t i = 0; i < tensor.elements(); ++i) values.elements.push_back(tensor.at(i));
  return values;
}

// Returns what a call gives for a port: one tensor, a list, or nothing.
Result<std::vector<Values>> given(const OpContract& contract, const Call& call, const Port& port) {
  const auto one = call.inputs.find(port.name);
  const auto list = call.lists.find(port.name);
  if (one != call.inputs.end() && list != call.lists.end())
    return unusable(contract, fmt::format("input {} is given alone and as a list", port.name));
  if (list != call.lists.end()) {
    if (port.presence == Presence::kDynamic) return list->second;
    return unusable(contract, fmt::format("input {} is one tensor, not a list", port.name));
  }
  if (one != call.inputs.end()) return std::vector<Values>{one->second};
  if (port.presence != Presence::kRequired) return std::vector<Values>();
  return unusable(contract, "the call has no input " + port.name);
}

Status check_names(const OpContract& contract, const Call& call) {
  for (const auto& [name, values] : call.inputs) {
    if (!contract.input(name)) return unusable(contract, "it has no input " + name);
  }
  for (const auto& [name, values] : call.lists) {
    if (!contract.input(name)) return unusable(contract, "it has no input " + name);
  }
  return {};
}

bool fits(const Tensor& tensor, const std::string& format, const Port& port, size_t column) {
  return tensor.dtype() == port.dtypes[column] &&
         (format.empty() || tensor.desc().format == port.formats[column]);
}

// Formats that the call leaves open come from the first column that fits. Without one they stay as
// they are, and inference refuses the call.
void choose_formats(const OpContract& contract, const std::vector<std::vector<Values>>& values,
                    Ports& inputs) {
  for (size_t column = 0; column < contract.column_count(); ++column) {
    bool all = true;
    for (size_t p = 0; p < inputs.size(); ++p) {
      for (size_t i = 0; i < inputs[p].size(); ++i)
        all = all && fits(inputs[p][i], values[p][i].format, contract.inputs[p], column);
    }
    if (!all) continue;
    for (size_t p = 0; p < inputs.size(); ++p) {
      for (Tensor& tensor : inputs[p]) tensor.desc().format = contract.inputs[p].formats[column];
    }
    return;
  }
}

Result<Ports> inputs_of(const OpContract& contract, const Call& call) {
  OPKIT_CHECK(check_names(contract, call));
  std::vector<std::vector<Values>> all;
  Ports inputs;
  for (const Port& port : contract.inputs) {
    OPKIT_TRY(std::vector<Values> values, given(contract, call, port));
    std::vector<Tensor>& tensors = inputs.emplace_back();
    for (const Values& one : values) {
      OPKIT_TRY(Tensor tensor, tensor_of(contract, port, one));
      tensors.push_back(std::move(tensor));
    }
    all.push_back(std::move(values));
  }
  choose_formats(contract, all, inputs);
  return inputs;
}

Result<Invocation> invocation_of(const OpContract& contract, const Call& call) {
  Invocation invocation;
  invocation.contract = &contract;
  invocation.soc = call.soc;
  OPKIT_TRY(invocation.inputs, inputs_of(contract, call));
  for (const auto& [name, text] : call.attrs) {
    const Attr* attr = contract.attr(name);
    if (!attr) return unusable(contract, "it has no attribute " + name);
    if (attr->type == AttrType::kString) {
      invocation.attrs[name] = text;
      continue;
    }
    OPKIT_TRY(const Document document, Document::parse(text, "attribute " + name));
    OPKIT_TRY(invocation.attrs[name], read_attr_value(document.root(), attr->type, name));
  }
  return invocation;
}

Answer answer_of(const Error& error) {
  Answer answer;
  answer.code = error.code;
  answer.message = error.to_string();
  return answer;
}

class InstalledOps : public OpRegistry {
 public:
  explicit InstalledOps(const std::string& opp)
      : registry_(opp.empty() ? registry::Registry::open() : registry::Registry::open(opp)) {}

  std::string package_of(const std::string& op, const std::string& soc) override {
    const auto resolution = registry_.find({op, soc, "", ""});
    return resolution.ok() ? (*resolution)->package.root.string() : std::string();
  }

 private:
  registry::Registry registry_;
};

class OnePackage : public OpRegistry {
 public:
  explicit OnePackage(std::string folder) : folder_(std::move(folder)) {}

  std::string package_of(const std::string& op, const std::string& soc) override {
    const auto check = registry::check_package(folder_, registry::HostFacts::of_this_process());
    if (!check.usable() || check.package.manifest.op != op) return {};
    if (!soc.empty() && !registry::check_soc(check.package.manifest, soc).ok()) return {};
    return folder_;
  }

 private:
  std::string folder_;
};

class EmulatedChip : public Device {
 public:
  Answer run(const std::string& package, const Call& call) override {
    Part* part = this->part(package);
    if (part == nullptr) return answer_of(failed_);
    auto invocation = invocation_of(part->opened.contract, call);
    if (!invocation.ok()) return answer_of(invocation.error());
    invocation->checked = call.checked;
    const auto execution = part->executor.run(std::move(invocation).value());
    if (!execution.ok()) return answer_of(execution.error());
    Answer answer;
    for (size_t p = 0; p < execution->outputs.size(); ++p) {
      const std::vector<Tensor>& tensors = execution->outputs[p];
      for (size_t t = 0; t < tensors.size(); ++t) {
        const Port& port = part->opened.contract.outputs[p];
        answer.outputs[t == 0 ? port.name : fmt::format("{}{}", port.name, t)] =
            values_of(tensors[t]);
        if (port.presence == Presence::kDynamic)
          answer.lists[port.name].push_back(values_of(tensors[t]));
      }
    }
    return answer;
  }

 private:
  struct Part {
    explicit Part(OpenedOp from) : opened(std::move(from)), executor(opened.tables, "under test") {}
    OpenedOp opened;
    InProcess executor;
  };

  // Null when the package cannot be loaded: failed_ says why.
  Part* part(const std::string& package) {
    std::unique_ptr<Part>& part = parts_[package];
    if (part) return part.get();
    auto opened = open_op(std::filesystem::path(package), {.in_process = true});
    if (!opened.ok()) return failed_ = opened.error(), nullptr;
    part = std::make_unique<Part>(std::move(opened).value());
    return part.get();
  }

  std::map<std::string, std::unique_ptr<Part>> parts_;
  Error failed_{"", "", ""};
};

}  // namespace

std::unique_ptr<OpRegistry> installed_ops(const std::string& opp) {
  return std::make_unique<InstalledOps>(opp);
}

std::unique_ptr<OpRegistry> one_package(const std::string& folder) {
  return std::make_unique<OnePackage>(folder);
}

std::unique_ptr<Device> emulated_chip() { return std::make_unique<EmulatedChip>(); }

ContractVerdict test_contract(const std::string& package, const std::string& tier) {
  const auto op = open_op(std::filesystem::path(package));
  if (!op.ok()) return {false, op.error().to_string()};
  const auto known = verify::tier_from_name(tier);
  if (!known) return {false, "no tier is called " + tier};
  verify::TestRequest request;
  request.contract = &op->contract;
  request.executor = op->executor.get();
  request.tier = *known;
  verify::Progress progress;
  const auto report = verify::run_tests(request, progress);
  if (!report.ok()) return {false, report.error().to_string()};
  return {report->verdict == verify::Verdict::kPassed, verify::report_text(*report)};
}

}  // namespace opkit::testing
