// Models with several shapes.
#include <vector>

#include "opkit/python/model_dims.h"

namespace opkit::python {
namespace {

py::tuple dynamic_batch(Address desc) {
  aclmdlBatch batch{};
  const aclError code = aclmdlGetDynamicBatch(at<aclmdlDesc>(desc), &batch);
  py::list gears;
  for (size_t i = 0; i < batch.batchCount; ++i) gears.append(batch.batch[i]);
  py::dict all;
  all["batchCount"] = batch.batchCount;
  all["batch"] = gears;
  return py::make_tuple(all, code);
}

// Programs say -1 where C says the largest index, as the vendor's pages do.
size_t index_of(int64_t index) { return static_cast<size_t>(index); }

py::tuple dynamic_image(Address desc, int64_t index) {
  aclmdlHW image{};
  const aclError code = aclmdlGetDynamicHW(at<aclmdlDesc>(desc), index_of(index), &image);
  py::list gears;
  for (size_t i = 0; i < image.hwCount; ++i) {
    py::list gear;
    for (const uint64_t side : image.hw[i]) gear.append(side);
    gears.append(gear);
  }
  py::dict all;
  all["hwCount"] = image.hwCount;
  all["hw"] = gears;
  return py::make_tuple(all, code);
}

std::tuple<size_t, aclError> gear_count(Address desc, int64_t index) {
  size_t count = 0;
  const aclError code =
      aclmdlGetInputDynamicGearCount(at<aclmdlDesc>(desc), index_of(index), &count);
  return {count, code};
}

py::tuple dynamic_dims(Address desc, int64_t index, size_t count) {
  // What the runtime writes is bound by what the model has: room for more is never filled.
  if (count > ACL_MAX_BATCH_NUM) throw py::value_error("gear_count: a model has at most 128 gears");
  std::vector<aclmdlIODims> gears(count);
  const aclError code =
      aclmdlGetInputDynamicDims(at<aclmdlDesc>(desc), index_of(index), gears.data(), count);
  py::list all;
  for (const aclmdlIODims& gear : gears) all.append(shown(gear));
  return py::make_tuple(all, code);
}

aclError set_dynamic_dims(uint32_t model, Address dataset, size_t index, const py::dict& given) {
  const auto numbers = given["dims"].cast<std::vector<int64_t>>();
  if (numbers.size() > ACL_MAX_DIM_CNT) throw py::value_error("dims: more than 128 numbers");
  if (given["dimCount"].cast<size_t>() != numbers.size())
    throw py::value_error("dimCount is not the length of dims");
  aclmdlIODims dims{};
  dims.dimCount = numbers.size();
  std::copy(numbers.begin(), numbers.end(), dims.dims);
  return aclmdlSetInputDynamicDims(model, at<aclmdlDataset>(dataset), index, &dims);
}

}  // namespace

void add_gears(py::module_& mdl) {
  mdl.def("get_dynamic_batch", dynamic_batch);
  mdl.def("get_dynamic_hw", dynamic_image);
  mdl.def("get_input_dynamic_gear_count", gear_count);
  mdl.def("get_input_dynamic_dims", dynamic_dims);
  plain(mdl, "set_dynamic_batch_size", aclmdlSetDynamicBatchSize);
  plain(mdl, "set_dynamic_hw_size", aclmdlSetDynamicHWSize);
  mdl.def("set_input_dynamic_dims", set_dynamic_dims);
}

}  // namespace opkit::python
