// Loading and executing models; datasets.
#include <string>

#include "opkit/python/bound.h"

namespace opkit::python {
namespace {

using Sizes = std::tuple<size_t, size_t, aclError>;
using Loaded = std::tuple<uint32_t, aclError>;

Sizes query_size(const std::string& file) {
  size_t work = 0, weights = 0;
  const aclError code = aclmdlQuerySize(file.c_str(), &work, &weights);
  return {work, weights, code};
}

Sizes query_size_from_mem(Address model, size_t bytes) {
  size_t work = 0, weights = 0;
  const aclError code = aclmdlQuerySizeFromMem(at<void>(model), bytes, &work, &weights);
  return {work, weights, code};
}

Loaded load_with_mem(const std::string& file, Address work, size_t work_bytes, Address weights,
                     size_t weight_bytes) {
  uint32_t id = 0;
  const aclError code = aclmdlLoadFromFileWithMem(file.c_str(), &id, at<void>(work), work_bytes,
                                                  at<void>(weights), weight_bytes);
  return {id, code};
}

Loaded load_mem_with_mem(Address model, size_t bytes, Address work, size_t work_bytes,
                         Address weights, size_t weight_bytes) {
  uint32_t id = 0;
  const aclError code = aclmdlLoadFromMemWithMem(at<void>(model), bytes, &id, at<void>(work),
                                                 work_bytes, at<void>(weights), weight_bytes);
  return {id, code};
}

std::tuple<Address, aclError> add_buffer(Address dataset, Address buffer) {
  return {dataset, aclmdlAddDatasetBuffer(at<aclmdlDataset>(dataset), at<aclDataBuffer>(buffer))};
}

std::tuple<Address, aclError> set_desc(Address dataset, Address desc, size_t index) {
  return {dataset,
          aclmdlSetDatasetTensorDesc(at<aclmdlDataset>(dataset), at<aclTensorDesc>(desc), index)};
}

void add_datasets(py::module_& mdl) {
  plain(mdl, "create_dataset", aclmdlCreateDataset);
  plain(mdl, "destroy_dataset", aclmdlDestroyDataset);
  mdl.def("add_dataset_buffer", add_buffer, Unlocked());
  plain(mdl, "get_dataset_num_buffers", aclmdlGetDatasetNumBuffers);
  plain(mdl, "get_dataset_buffer", aclmdlGetDatasetBuffer);
  mdl.def("set_dataset_tensor_desc", set_desc, Unlocked());
  plain(mdl, "get_dataset_tensor_desc", aclmdlGetDatasetTensorDesc);
}

}  // namespace

void add_models(py::module_& mdl) {
  mdl.def("query_size", query_size, Unlocked());
  mdl.def("query_size_from_mem", query_size_from_mem, Unlocked());
  gives_last(mdl, "load_from_file", aclmdlLoadFromFile);
  gives_last(mdl, "load_from_mem", aclmdlLoadFromMem);
  mdl.def("load_from_file_with_mem", load_with_mem, Unlocked());
  mdl.def("load_from_mem_with_mem", load_mem_with_mem, Unlocked());
  plain(mdl, "unload", aclmdlUnload);
  add_datasets(mdl);
  plain(mdl, "execute", aclmdlExecute);
  plain(mdl, "execute_async", aclmdlExecuteAsync);
}

}  // namespace opkit::python
