// Descriptions of models.
#include "opkit/python/model_dims.h"

namespace opkit::python {
namespace {

using AskDims = aclError (*)(const aclmdlDesc*, size_t, aclmdlIODims*);

void dims(py::module_& mdl, const char* name, AskDims ask) {
  mdl.def(name, [ask](Address desc, size_t index) {
    aclmdlIODims answer{};
    const aclError code = ask(at<aclmdlDesc>(desc), index, &answer);
    return py::make_tuple(shown(answer), code);
  });
}

// Adds the questions about either side of a model.
void add_ends(py::module_& mdl) {
  plain(mdl, "get_num_inputs", aclmdlGetNumInputs);
  plain(mdl, "get_num_outputs", aclmdlGetNumOutputs);
  plain(mdl, "get_input_size_by_index", aclmdlGetInputSizeByIndex);
  plain(mdl, "get_output_size_by_index", aclmdlGetOutputSizeByIndex);
  plain(mdl, "get_input_name_by_index", aclmdlGetInputNameByIndex);
  plain(mdl, "get_output_name_by_index", aclmdlGetOutputNameByIndex);
  gives_last(mdl, "get_input_index_by_name", aclmdlGetInputIndexByName);
  gives_last(mdl, "get_output_index_by_name", aclmdlGetOutputIndexByName);
  plain(mdl, "get_input_format", aclmdlGetInputFormat);
  plain(mdl, "get_output_format", aclmdlGetOutputFormat);
  plain(mdl, "get_input_data_type", aclmdlGetInputDataType);
  plain(mdl, "get_output_data_type", aclmdlGetOutputDataType);
}

}  // namespace

void add_model_questions(py::module_& mdl) {
  plain(mdl, "create_desc", aclmdlCreateDesc);
  plain(mdl, "destroy_desc", aclmdlDestroyDesc);
  plain(mdl, "get_desc", aclmdlGetDesc);
  plain(mdl, "get_desc_from_file", aclmdlGetDescFromFile);
  plain(mdl, "get_desc_from_mem", aclmdlGetDescFromMem);
  add_ends(mdl);
  plain(mdl, "get_tensor_real_name", aclmdlGetTensorRealName);
  dims(mdl, "get_input_dims", aclmdlGetInputDims);
  dims(mdl, "get_input_dims_v2", aclmdlGetInputDimsV2);
  dims(mdl, "get_output_dims", aclmdlGetOutputDims);
  dims(mdl, "get_cur_output_dims", aclmdlGetCurOutputDims);
}

}  // namespace opkit::python
