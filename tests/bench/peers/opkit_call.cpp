#include "tests/bench/peers/opkit_call.h"

#include <algorithm>
#include <memory>

#include "opkit/isolation/open_op.h"
#include "registry/registry.h"
#include "tests/prepared_call.h"

namespace opkit::peers {
namespace {

// In the port's format where it has the dtype; the runner lays it out.
Format format_for(const Port& port, DType dtype) {
  const auto column = std::find(port.dtypes.begin(), port.dtypes.end(), dtype);
  return column == port.dtypes.end() ? Format::kND : port.formats[column - port.dtypes.begin()];
}

Tensor tensor_of(const Given& given, const Port& port, DType dtype) {
  Tensor tensor(given.integers ? DType::kInt32 : dtype, Shape(given.dims));
  tensor.desc().format = format_for(port, tensor.dtype());
  for (size_t i = 0; i < given.values.size(); ++i)
    tensor.set(static_cast<int64_t>(i), given.values[i]);
  return tensor;
}

// Everything that a launch needs stays together.
struct Prepared {
  OpenedOp op;
  OpRunner runner;
  std::optional<PreparedRun> run;

  Prepared(OpenedOp opened, unsigned threads)
      : op(std::move(opened)), runner(*find_soc("Ascend910B1")->spec, threads) {}
};

Floats floats_of(const Prepared& prepared) {
  Floats all;
  for (const PortTensors& port : prepared.run->origin_outputs()) {
    for (const Tensor& tensor : port) {
      for (int64_t i = 0; i < tensor.shape().elements(); ++i)
        all.push_back(static_cast<float>(tensor.at(i)));
    }
  }
  return all;
}

}  // namespace

Result<Entrant> opkit_call(const std::string& op, DType dtype,
                           const std::map<std::string, Given>& inputs, const AttrValues& attrs,
                           unsigned threads) {
  const registry::Registry registry = registry::Registry::open();
  OPKIT_TRY(const registry::Resolution found, registry.resolve({.op = op}));
  OpenOptions options;
  options.in_process = true;
  OPKIT_TRY(OpenedOp opened, open_op(found.package, options));
  auto prepared = std::make_shared<Prepared>(std::move(opened), threads);
  OpCallOnTables request;
  request.contract = &prepared->op.contract;
  request.op = prepared->op.tables;
  request.attrs = attrs;
  for (const Port& port : request.contract->inputs) {
    const auto given = inputs.find(port.name);
    request.inputs.emplace_back();
    if (given != inputs.end())
      request.inputs.back().push_back(tensor_of(given->second, port, dtype));
  }
  OPKIT_TRY(prepared->run, prepare(prepared->runner, std::move(request)));
  prepared->run->poison();
  const core::LaunchReport report = prepared->run->launch();
  if (!report.ok()) return to_error(report.faults.front(), op);
  return Entrant{"opkit", [prepared] { prepared->run->launch(); },
                 [prepared] { return floats_of(*prepared); }};
}

}  // namespace opkit::peers
