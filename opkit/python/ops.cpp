// Single operators and their attributes.
#include <string>
#include <vector>

#include "opkit/python/bound.h"

namespace opkit::python {
namespace {

using Handles = std::vector<Address>;

template <typename T>
std::vector<T*> pointers(const Handles& handles) {
  std::vector<T*> all;
  for (const Address handle : handles) all.push_back(at<T>(handle));
  return all;
}

// Lists of descriptions and buffers that belong together, as C takes them.
struct Side {
  Side(const Handles& desc_handles, const Handles& buffer_handles, const char* word)
      : descs(pointers<aclTensorDesc>(desc_handles)),
        buffers(pointers<aclDataBuffer>(buffer_handles)) {
    if (descs.size() != buffers.size())
      throw py::value_error(std::string("as many ") + word + " as their descriptions are needed");
  }
  int count() const { return static_cast<int>(descs.size()); }
  std::vector<aclTensorDesc*> descs;
  std::vector<aclDataBuffer*> buffers;
};

aclError execute(const std::string& type, const Handles& in_descs, const Handles& inputs,
                 const Handles& out_descs, const Handles& outputs, Address attr, Address stream) {
  Side in(in_descs, inputs, "inputs"), out(out_descs, outputs, "outputs");
  const py::gil_scoped_release unlocked;
  return aclopExecuteV2(type.c_str(), in.count(), in.descs.data(), in.buffers.data(), out.count(),
                        out.descs.data(), out.buffers.data(), at<aclopAttr>(attr),
                        at<void>(stream));
}

aclError infer_shape(const std::string& type, const Handles& in_descs, const Handles& inputs,
                     size_t output_count, const Handles& out_descs, Address attr) {
  Side in(in_descs, inputs, "inputs");
  std::vector<aclTensorDesc*> out = pointers<aclTensorDesc>(out_descs);
  if (out.size() != output_count)
    throw py::value_error("infer_shape: num_outputs is not the length of out_desc_list");
  const py::gil_scoped_release unlocked;
  return aclopInferShape(type.c_str(), in.count(), in.descs.data(), in.buffers.data(),
                         static_cast<int>(output_count), out.data(), at<aclopAttr>(attr));
}

std::tuple<Address, aclError> create_handle(const std::string& type, const Handles& in,
                                            const Handles& out, Address attr) {
  const auto ins = pointers<const aclTensorDesc>(in), outs = pointers<const aclTensorDesc>(out);
  aclopHandle* handle = nullptr;
  const aclError code =
      aclopCreateHandle(type.c_str(), static_cast<int>(ins.size()), ins.data(),
                        static_cast<int>(outs.size()), outs.data(), at<aclopAttr>(attr), &handle);
  return {address_of(handle), code};
}

aclError execute_with_handle(Address handle, const Handles& inputs, const Handles& outputs,
                             Address stream) {
  const auto in = pointers<const aclDataBuffer>(inputs);
  const auto out = pointers<aclDataBuffer>(outputs);
  return aclopExecWithHandle(at<aclopHandle>(handle), static_cast<int>(in.size()), in.data(),
                             static_cast<int>(out.size()), out.data(), at<void>(stream));
}

aclError set_bool(Address attr, const std::string& name, bool value) {
  return aclopSetAttrBool(at<aclopAttr>(attr), name.c_str(), value);
}

// Lists and NumPy arrays of one dimension.
template <typename T>
void list_attr(py::module_& op, const char* name,
               aclError (*set)(aclopAttr*, const char*, int, const T*)) {
  op.def(name, [set](Address attr, const std::string& key, const std::vector<T>& values) {
    return set(at<aclopAttr>(attr), key.c_str(), static_cast<int>(values.size()), values.data());
  });
}

aclError set_bools(Address attr, const std::string& name, const std::vector<bool>& values) {
  const std::vector<uint8_t> bytes(values.begin(), values.end());
  return aclopSetAttrListBool(at<aclopAttr>(attr), name.c_str(), static_cast<int>(bytes.size()),
                              bytes.data());
}

aclError set_texts(Address attr, const std::string& name, const std::vector<std::string>& values) {
  std::vector<const char*> texts;
  for (const std::string& value : values) texts.push_back(value.c_str());
  return aclopSetAttrListString(at<aclopAttr>(attr), name.c_str(), static_cast<int>(texts.size()),
                                texts.data());
}

aclError set_lists(Address attr, const std::string& name,
                   const std::vector<std::vector<int64_t>>& values) {
  std::vector<int> counts;
  std::vector<const int64_t*> lists;
  for (const auto& list : values) {
    counts.push_back(static_cast<int>(list.size()));
    lists.push_back(list.data());
  }
  return aclopSetAttrListListInt(at<aclopAttr>(attr), name.c_str(), static_cast<int>(lists.size()),
                                 counts.data(), lists.data());
}

void add_attributes(py::module_& op) {
  plain(op, "create_attr", aclopCreateAttr);
  plain(op, "destroy_attr", aclopDestroyAttr);
  op.def("set_attr_bool", set_bool);
  plain(op, "set_attr_int", aclopSetAttrInt);
  plain(op, "set_attr_float", aclopSetAttrFloat);
  plain(op, "set_attr_string", aclopSetAttrString);
  plain(op, "set_attr_data_type", aclopSetAttrDataType);
  op.def("set_attr_list_bool", set_bools);
  list_attr(op, "set_attr_list_int", aclopSetAttrListInt);
  list_attr(op, "set_attr_list_float", aclopSetAttrListFloat);
  op.def("set_attr_list_string", set_texts);
  op.def("set_attr_list_list_int", set_lists);
}

}  // namespace

void add_ops(py::module_& op) {
  add_attributes(op);
  plain(op, "set_model_dir", aclopSetModelDir);
  op.def("execute_v2", execute);
  op.def("infer_shape", infer_shape);
  op.def("create_handle", create_handle, Unlocked());
  plain(op, "destroy_handle", aclopDestroyHandle);
  op.def("execute_with_handle", execute_with_handle, Unlocked());
}

}  // namespace opkit::python
