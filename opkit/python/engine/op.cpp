#include "opkit/python/engine/op.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "opkit/contract/op_contract.h"
#include "opkit/python/engine/raise.h"
#include "opkit/soc/soc_spec.h"
#include "registry/check_memory.h"
#include "registry/probe.h"
#include "registry/registry.h"

namespace opkit::python {
namespace {

Error bad_call(const OpContract& contract, const std::string& what) {
  return Error("OPK-PYTHON-002", what, "opkit contract explain " + contract.op).of(contract.op);
}

Result<registry::Package> installed(const std::string& op, const std::string& soc,
                                    const std::optional<std::string>& opp) {
  const registry::Registry registry =
      registry::Registry::open(opp ? std::optional<std::filesystem::path>(*opp) : std::nullopt);
  OPKIT_TRY(const registry::Resolution resolution, registry.resolve({.op = op, .soc = soc}));
  return resolution.package;
}

Result<registry::Package> package_at(const std::string& folder, const std::string& soc) {
  OPKIT_TRY(registry::Package package,
            registry::usable_package(folder, registry::HostFacts::of_this_process()));
  OPKIT_CHECK(registry::check_soc(package.manifest, soc));
  return package;
}

template <typename T>
AttrValue as(const py::object& value) {
  return value.cast<T>();
}

// Throws py::cast_error when the object is of another type.
AttrValue attr_value(AttrType type, const py::object& value) {
  switch (type) {
    case AttrType::kBool: return as<bool>(value);
    case AttrType::kInt: return as<int64_t>(value);
    case AttrType::kFloat: return as<double>(value);
    case AttrType::kString: return as<std::string>(value);
    case AttrType::kListBool: return as<std::vector<bool>>(value);
    case AttrType::kListInt: return as<std::vector<int64_t>>(value);
    case AttrType::kListFloat: return as<std::vector<double>>(value);
    case AttrType::kListString: break;
  }
  return as<std::vector<std::string>>(value);
}

Result<AttrValues> attrs_of(const OpContract& contract,
                            const std::map<std::string, py::object>& given) {
  AttrValues attrs;
  for (const auto& [name, value] : given) {
    const Attr* const attr = contract.attr(name);
    if (!attr) return bad_call(contract, fmt::format("it has no attribute '{}'", name));
    try {
      attrs[name] = attr_value(attr->type, value);
    } catch (const py::cast_error&) {
      return bad_call(contract,
                      fmt::format("attribute '{}' is {}, not {}", name, name_of(attr->type),
                                  py::repr(value).cast<std::string>()));
    }
  }
  return attrs;
}

bool fits(const OpContract& contract, const Ports& inputs, size_t column) {
  for (size_t p = 0; p < inputs.size(); ++p) {
    for (const Tensor& tensor : inputs[p])
      if (tensor.dtype() != contract.inputs[p].dtypes[column]) return false;
  }
  return true;
}

// Formats are those of the first column with these dtypes; without one inference refuses the call.
void choose_formats(const OpContract& contract, Ports& inputs) {
  for (size_t column = 0; column < contract.column_count(); ++column) {
    if (!fits(contract, inputs, column)) continue;
    for (size_t p = 0; p < inputs.size(); ++p)
      for (Tensor& tensor : inputs[p]) tensor.desc().format = contract.inputs[p].formats[column];
    return;
  }
}

Result<Ports> ports_of(const OpContract& contract, const Arrays& given) {
  if (given.size() != contract.inputs.size())
    return bad_call(contract, fmt::format("{} inputs are given, the contract has {}", given.size(),
                                          contract.inputs.size()));
  Ports inputs;
  for (size_t p = 0; p < given.size(); ++p) {
    std::vector<Tensor>& tensors = inputs.emplace_back();
    for (const Given& one : given[p]) {
      OPKIT_TRY(Tensor tensor, tensor_of(one, contract.inputs[p].name));
      tensors.push_back(std::move(tensor));
    }
  }
  choose_formats(contract, inputs);
  return inputs;
}

// Chooses the host's threads; 0: one per core. Starting them takes longer than a small call.
unsigned threads_for(const Ports& inputs) {
  constexpr size_t kSmall = size_t{1} << 20;
  size_t bytes = 0;
  for (const auto& port : inputs)
    for (const Tensor& tensor : port) bytes += tensor.size_bytes();
  return bytes < kSmall ? 1 : 0;
}

Arrays arrays_of(const Ports& ports) {
  Arrays all;
  for (const auto& port : ports) {
    all.emplace_back();
    for (const Tensor& tensor : port) all.back().push_back(array_of(tensor));
  }
  return all;
}

}  // namespace

Result<std::unique_ptr<Op>> Op::open(const std::string& word, const std::string& soc,
                                     const std::optional<std::string>& opp, bool in_process) {
  OPKIT_TRY(const SocMatch match, find_soc(soc));
  const std::string chip = match.spec->name;
  OPKIT_TRY(const registry::Package package, word.find('/') == std::string::npos
                                                 ? installed(word, chip, opp)
                                                 : package_at(word, chip));
  OpenOptions options;
  options.in_process = in_process;
  options.load.probe_options.cache_dir = registry::default_cache_dir();
  OPKIT_TRY(OpenedOp op, open_op(package, options));
  if (!op.differences.empty()) return op.differences.front();
  return std::unique_ptr<Op>(new Op(std::move(op), chip));
}

Result<Execution> Op::execute(Invocation call) {
  const py::gil_scoped_release unlocked;
  const std::lock_guard<std::mutex> lock(running_);
  return op_.executor->run(std::move(call));
}

Result<Arrays> Op::run(const Arrays& inputs, const std::map<std::string, py::object>& attrs,
                       bool checked) {
  Invocation call;
  call.contract = &op_.contract;
  call.soc = soc_;
  call.checked = checked;
  OPKIT_TRY(call.inputs, ports_of(op_.contract, inputs));
  call.threads = threads_for(call.inputs);
  OPKIT_TRY(call.attrs, attrs_of(op_.contract, attrs));
  OPKIT_TRY(const Execution execution, execute(std::move(call)));
  return arrays_of(execution.outputs);
}

namespace {

// "required", "optional" or "dynamic" of each port, by name and in order.
std::vector<std::pair<std::string, std::string>> ports(const std::vector<Port>& all) {
  std::vector<std::pair<std::string, std::string>> named;
  for (const Port& port : all) named.emplace_back(port.name, name_of(port.presence));
  return named;
}

std::vector<std::string> attr_names(const Op& op) {
  std::vector<std::string> names;
  for (const Attr& attr : op.contract().attrs) names.push_back(attr.name);
  return names;
}

}  // namespace

void add_ops(py::module_& module) {
  module.def("open_op", [](const std::string& word, const std::string& soc,
                           const std::optional<std::string>& opp, bool in_process) {
    return value_of(Op::open(word, soc, opp, in_process));
  });
  module.def("op_types", [](const std::optional<std::string>& opp) {
    return registry::Registry::open(opp ? std::optional<std::filesystem::path>(*opp) : std::nullopt)
        .op_types();
  });
  py::class_<Op>(module, "Op")
      .def_property_readonly("op", [](const Op& op) { return op.contract().op; })
      .def_property_readonly("doc", [](const Op& op) { return op.contract().doc; })
      .def_property_readonly("soc", &Op::soc)
      .def_property_readonly("inputs", [](const Op& op) { return ports(op.contract().inputs); })
      .def_property_readonly("outputs", [](const Op& op) { return ports(op.contract().outputs); })
      .def_property_readonly("attrs", attr_names)
      .def("run", [](Op& op, const Arrays& inputs, const std::map<std::string, py::object>& attrs,
                     bool checked) { return value_of(op.run(inputs, attrs, checked)); });
}

}  // namespace opkit::python
