#include "opkit/python/engine/model.h"

#include <pybind11/stl.h>

#include <algorithm>

#include "opkit/isolation/open_op.h"
#include "opkit/model/file/om_file.h"
#include "opkit/python/engine/raise.h"

namespace opkit::python {

Result<std::unique_ptr<PythonModel>> PythonModel::open(const std::string& file,
                                                       const std::optional<std::string>& opp,
                                                       unsigned threads, bool in_process) {
  OPKIT_TRY(model::OfflineModel offline, model::load(file));
  const registry::Registry registry =
      registry::Registry::open(opp ? std::optional<std::filesystem::path>(*opp) : std::nullopt);
  const OpenPlugin open = in_process ? in_this_process() : in_workers({});
  std::unique_ptr<PythonModel> made(
      new PythonModel(InstalledOps::open(registry, offline.soc, open)));
  OPKIT_TRY(model_run::ModelRunner runner,
            model_run::ModelRunner::load(std::move(offline), made->ops_, threads));
  made->runner_.emplace(std::move(runner));
  return made;
}

Result<std::vector<Tensor>> PythonModel::execute(const std::vector<Tensor>& inputs) {
  const py::gil_scoped_release unlocked;
  const std::lock_guard<std::mutex> lock(running_);
  return runner_->run(inputs);
}

Result<std::vector<Given>> PythonModel::run(const std::vector<Given>& inputs) {
  std::vector<Tensor> tensors;
  for (const Given& input : inputs) {
    OPKIT_TRY(Tensor tensor, tensor_of(input, "input " + std::to_string(tensors.size())));
    tensors.push_back(std::move(tensor));
  }
  OPKIT_TRY(const std::vector<Tensor> outputs, execute(tensors));
  std::vector<Given> arrays;
  for (const Tensor& output : outputs) arrays.push_back(array_of(output));
  return arrays;
}

namespace {

// Name, dtype and dims of each.
using End = std::tuple<std::string, std::string, std::vector<int64_t>>;

std::vector<End> ends(const model::Plan& plan, const std::vector<uint32_t>& tensors) {
  std::vector<End> all;
  for (const uint32_t t : tensors) {
    const TensorDesc& desc = plan.tensors[t].desc;
    all.emplace_back(desc.name, name_of(desc.dtype), desc.shape.dims());
  }
  return all;
}

// Ends of all gears: -1 stands for a dim in which they differ.
std::vector<End> ends(const model::OfflineModel& offline, std::vector<uint32_t> model::Plan::*of) {
  constexpr int64_t kByGear = -1;
  std::vector<End> all = ends(offline.plan(0), offline.plan(0).*of);
  for (size_t gear = 1; gear < offline.plan_count(); ++gear) {
    const std::vector<End> other = ends(offline.plan(gear), offline.plan(gear).*of);
    for (size_t e = 0; e < all.size(); ++e) {
      std::vector<int64_t>& dims = std::get<2>(all[e]);
      const std::vector<int64_t>& others = std::get<2>(other[e]);
      for (size_t d = 0; d < std::min(dims.size(), others.size()); ++d) {
        if (dims[d] != others[d]) dims[d] = kByGear;
      }
    }
  }
  return all;
}

}  // namespace

void add_models(py::module_& module) {
  module.def("open_model", [](const std::string& file, const std::optional<std::string>& opp,
                              unsigned threads, bool in_process) {
    return value_of(PythonModel::open(file, opp, threads, in_process));
  });
  py::class_<PythonModel>(module, "Model")
      .def_property_readonly("name", [](const PythonModel& model) { return model.offline().name; })
      .def_property_readonly("soc", [](const PythonModel& model) { return model.offline().soc; })
      .def_property_readonly("gears",
                             [](const PythonModel& model) { return model.offline().gears; })
      .def_property_readonly(
          "inputs",
          [](const PythonModel& model) { return ends(model.offline(), &model::Plan::inputs); })
      .def_property_readonly(
          "outputs",
          [](const PythonModel& model) { return ends(model.offline(), &model::Plan::outputs); })
      .def("run", [](PythonModel& model, const std::vector<Given>& inputs) {
        return value_of(model.run(inputs));
      });
}

}  // namespace opkit::python
