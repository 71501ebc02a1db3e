#include "opkit/acl/models/model_desc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "opkit/acl/base/ask.h"
#include "opkit/acl/models/model_file.h"
#include "opkit/model/file/gears.h"

namespace opkit::acl {
namespace {

using EndsSide = std::vector<ModelEnd> ModelEnds::*;

const char* word(EndsSide side) { return side == &ModelEnds::inputs ? "input" : "output"; }

using Ends = std::vector<uint32_t> model::Plan::*;

ModelEnd end_of(const model::OfflineModel& model, Ends ends, size_t index, const char* word) {
  const auto of_gear = [&](size_t gear) -> const model::ModelTensor& {
    const model::Plan& plan = model.plan(gear);
    return plan.tensors[(plan.*ends)[index]];
  };
  ModelEnd end;
  end.tensor = of_gear(0).desc;
  end.tensor.shape = Shape(model::open_dims(model, ends, index));
  end.name = end.tensor.name;
  end.shown =
      end.name.size() < ACL_MAX_TENSOR_NAME_LEN ? end.name : fmt::format("acl_{}_{}", word, index);
  for (size_t g = 0; g < model.plan_count(); ++g) {
    end.shapes.push_back(of_gear(g).desc.shape);
    end.needed.push_back(of_gear(g).bytes);
    end.bytes = std::max(end.bytes, of_gear(g).bytes);
  }
  return end;
}

std::vector<ModelEnd> ends_of(const model::OfflineModel& model, Ends ends, const char* word) {
  std::vector<ModelEnd> all;
  for (size_t i = 0; i < (model.*ends).size(); ++i) all.push_back(end_of(model, ends, i, word));
  return all;
}

// Returns the input that says which gear a call is for.
ModelEnd gear_end(const model::OfflineModel& model) {
  const auto values = static_cast<int64_t>(model.gears[0].size());
  const uint64_t bytes = model.gears[0].size() * sizeof(int64_t);
  const Shape shape{values};
  return {ACL_DYNAMIC_TENSOR_NAME,
          ACL_DYNAMIC_TENSOR_NAME,
          {ACL_DYNAMIC_TENSOR_NAME, DType::kInt64, shape, Format::kND},
          bytes,
          std::vector<Shape>(model.gears.size(), shape),
          std::vector<uint64_t>(model.gears.size(), bytes)};
}

// answer(the inputs, or the outputs).
template <typename Value, typename Answer>
Value ask_side(const aclmdlDesc* desc, EndsSide side, Value otherwise, Answer answer) {
  return ask(model_descs(), desc, otherwise, [&](const aclmdlDesc& d) -> Value {
    if (d.ends) return answer((*d.ends).*side);
    told_of_none();
    return otherwise;
  });
}

// Asks a question whose answer is a code, in the same way.
template <typename Answer>
aclError ask_side(const aclmdlDesc* desc, EndsSide side, Answer answer) {
  return ask(model_descs(), desc, [&](const aclmdlDesc& d) -> aclError {
    return d.ends ? answer((*d.ends).*side) : told_of_none();
  });
}

aclError no_end(EndsSide side, size_t index, size_t count) {
  return fail(ACL_ERROR_INVALID_PARAM, "%s %zu of a model with %zu", word(side), index, count);
}

// answer(the end at an index).
template <typename Value, typename Answer>
Value ask_end(const aclmdlDesc* desc, EndsSide side, size_t index, Value otherwise, Answer answer) {
  return ask_side(desc, side, otherwise, [&](const std::vector<ModelEnd>& ends) -> Value {
    if (index < ends.size()) return answer(ends[index]);
    no_end(side, index, ends.size());
    return otherwise;
  });
}

template <typename Answer>
aclError ask_end(const aclmdlDesc* desc, EndsSide side, size_t index, Answer answer) {
  return ask_side(desc, side, [&](const std::vector<ModelEnd>& ends) -> aclError {
    return index < ends.size() ? answer(ends[index]) : no_end(side, index, ends.size());
  });
}

aclError write_dims(const ModelEnd& end, const char* word, const std::vector<int64_t>& all,
                    aclmdlIODims& dims) {
  if (all.size() > ACL_MAX_DIM_CNT)
    return fail(ACL_ERROR_INVALID_PARAM, "%s '%s' has %zu dims, 128 have room", word,
                end.name.c_str(), all.size());
  std::memset(&dims, 0, sizeof dims);
  std::memcpy(dims.name, end.shown.c_str(), end.shown.size());
  dims.dimCount = all.size();
  std::copy(all.begin(), all.end(), dims.dims);
  return ACL_SUCCESS;
}

// -1 where gears differ.
std::vector<int64_t> open_dims(const std::vector<std::vector<int64_t>>& gears) {
  std::vector<int64_t> open = gears[0];
  for (const std::vector<int64_t>& dims : gears) {
    for (size_t d = 0; d < open.size(); ++d) open[d] = dims[d] == open[d] ? open[d] : -1;
  }
  return open;
}

// Returns the dims of an input with AIPP: the image's, or the model's where images have any size.
std::vector<int64_t> image_dims(const model::AippInput& aipp, std::vector<int64_t> memory) {
  if (aipp.dynamic) return open_dims(aipp.dims);
  if (aipp.aipp.format != model::Aipp::Format::kYuv420) return memory;
  if (memory[1] > 0) memory[1] = memory[1] / 3 * 2;
  memory[3] = 3;
  return memory;
}

aclError give_image_dims(const aclmdlDesc* desc, size_t index, aclmdlIODims* dims) {
  if (!dims) return fail(ACL_ERROR_INVALID_PARAM, "no place for the dims of input");
  return ask_end(desc, &ModelEnds::inputs, index, [&](const ModelEnd& end) {
    const std::vector<int64_t>& memory = end.tensor.shape.dims();
    const model::AippInput* const aipp = desc->ends->aipp_of(index);
    return write_dims(end, "input", aipp ? image_dims(*aipp, memory) : memory, *dims);
  });
}

aclError give_dims(const aclmdlDesc* desc, EndsSide side, size_t index, aclmdlIODims* dims) {
  if (!dims) return fail(ACL_ERROR_INVALID_PARAM, "no place for the dims of %s", word(side));
  return ask_end(desc, side, index, [&](const ModelEnd& end) {
    return write_dims(end, word(side), end.tensor.shape.dims(), *dims);
  });
}

// Gives the dims of the gear that was chosen last.
aclError give_current_dims(const aclmdlDesc* desc, size_t index, aclmdlIODims* dims) {
  if (!dims) return fail(ACL_ERROR_INVALID_PARAM, "no place for the dims of output");
  return ask_end(desc, &ModelEnds::outputs, index, [&](const ModelEnd& end) {
    return write_dims(end, "output", end.shapes[desc->ends->current].dims(), *dims);
  });
}

aclError give_index(const aclmdlDesc* desc, EndsSide side, const char* name, size_t* index) {
  if (!name || !index) return fail(ACL_ERROR_INVALID_PARAM, "a name and a place are wanted");
  return ask_side(desc, side, [&](const std::vector<ModelEnd>& ends) -> aclError {
    std::string names;
    for (size_t i = 0; i < ends.size(); ++i) {
      *index = i;
      if (ends[i].name == name || ends[i].shown == name) return ACL_SUCCESS;
      names += (i ? ", " : "") + ends[i].name;
    }
    return fail(ACL_ERROR_INVALID_PARAM, "the model has no %s '%s'; it has %s", word(side), name,
                names.c_str());
  });
}

const char* real_name(const ModelEnds& ends, const std::string& name) {
  for (const auto* side : {&ends.inputs, &ends.outputs}) {
    for (const ModelEnd& end : *side) {
      if (end.name == name || end.shown == name) return end.name.c_str();
    }
  }
  fail(ACL_ERROR_INVALID_PARAM, "the model has no input or output '%s'", name.c_str());
  return nullptr;
}

const char* give_name(const aclmdlDesc* desc, EndsSide side, size_t index) {
  return ask_end(desc, side, index, "", [](const ModelEnd& end) { return end.name.c_str(); });
}

size_t give_size(const aclmdlDesc* desc, EndsSide side, size_t index) {
  return ask_end(desc, side, index, size_t{0},
                 [](const ModelEnd& end) { return static_cast<size_t>(end.bytes); });
}

size_t give_count(const aclmdlDesc* desc, EndsSide side) {
  return ask_side(desc, side, size_t{0},
                  [](const std::vector<ModelEnd>& ends) { return ends.size(); });
}

aclFormat give_format(const aclmdlDesc* desc, EndsSide side, size_t index) {
  return ask_end(desc, side, index, ACL_FORMAT_UNDEFINED,
                 [](const ModelEnd& end) { return static_cast<aclFormat>(end.tensor.format); });
}

aclDataType give_type(const aclmdlDesc* desc, EndsSide side, size_t index) {
  return ask_end(desc, side, index, ACL_DT_UNDEFINED,
                 [](const ModelEnd& end) { return static_cast<aclDataType>(end.tensor.dtype); });
}

aclError describe(aclmdlDesc* desc, const Result<model::OfflineModel>& model) {
  return ask(model_descs(), desc, [&](aclmdlDesc& d) -> aclError {
    if (!model.ok()) return fail(code_of(model.error()), model.error());
    d.ends = std::make_shared<const ModelEnds>(*model);
    return ACL_SUCCESS;
  });
}

}  // namespace

aclError told_of_none() {
  return fail(ACL_ERROR_INVALID_PARAM,
              "the aclmdlDesc describes no model yet; call aclmdlGetDesc first");
}

ModelEnds::ModelEnds(const model::OfflineModel& model)
    : inputs(ends_of(model, &model::Plan::inputs, "input")),
      outputs(ends_of(model, &model::Plan::outputs, "output")),
      gear_kind(model.gear_kind),
      gears(model.gears),
      aipp(model.aipp),
      current(model::largest_gear(model)) {
  if (has_gear_input()) inputs.push_back(gear_end(model));
}

const model::AippInput* ModelEnds::aipp_of(size_t input) const {
  const auto found = std::ranges::find(aipp, input, &model::AippInput::input);
  return found == aipp.end() ? nullptr : &*found;
}

HandleTable<aclmdlDesc>& model_descs() {
  static HandleTable<aclmdlDesc>& all = *new HandleTable<aclmdlDesc>("aclmdlDesc");
  return all;
}

}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclmdlDesc* aclmdlCreateDesc(void) { return make(model_descs(), aclmdlDesc{}); }

OPKIT_ACL_EXPORT aclError aclmdlDestroyDesc(aclmdlDesc* desc) {
  return destroy(model_descs(), desc);
}

OPKIT_ACL_EXPORT aclError aclmdlGetDescFromFile(aclmdlDesc* desc, const char* path) {
  if (!path) return fail(ACL_ERROR_INVALID_PARAM, "aclmdlGetDescFromFile without a path");
  return describe(desc, opkit::model::load(path));
}

OPKIT_ACL_EXPORT aclError aclmdlGetDescFromMem(aclmdlDesc* desc, const void* model, size_t size) {
  if (!model) return fail(ACL_ERROR_INVALID_PARAM, "aclmdlGetDescFromMem without a model");
  return describe(desc, opkit::model::decode({static_cast<const char*>(model), size}));
}

OPKIT_ACL_EXPORT size_t aclmdlGetNumInputs(aclmdlDesc* desc) {
  return give_count(desc, &ModelEnds::inputs);
}
OPKIT_ACL_EXPORT size_t aclmdlGetNumOutputs(aclmdlDesc* desc) {
  return give_count(desc, &ModelEnds::outputs);
}
OPKIT_ACL_EXPORT size_t aclmdlGetInputSizeByIndex(aclmdlDesc* desc, size_t index) {
  return give_size(desc, &ModelEnds::inputs, index);
}
OPKIT_ACL_EXPORT size_t aclmdlGetOutputSizeByIndex(aclmdlDesc* desc, size_t index) {
  return give_size(desc, &ModelEnds::outputs, index);
}
OPKIT_ACL_EXPORT const char* aclmdlGetInputNameByIndex(const aclmdlDesc* desc, size_t index) {
  return give_name(desc, &ModelEnds::inputs, index);
}
OPKIT_ACL_EXPORT const char* aclmdlGetOutputNameByIndex(const aclmdlDesc* desc, size_t index) {
  return give_name(desc, &ModelEnds::outputs, index);
}
OPKIT_ACL_EXPORT aclError aclmdlGetInputIndexByName(const aclmdlDesc* desc, const char* name,
                                                    size_t* index) {
  return give_index(desc, &ModelEnds::inputs, name, index);
}
OPKIT_ACL_EXPORT aclError aclmdlGetOutputIndexByName(const aclmdlDesc* desc, const char* name,
                                                     size_t* index) {
  return give_index(desc, &ModelEnds::outputs, name, index);
}
OPKIT_ACL_EXPORT aclError aclmdlGetInputDims(const aclmdlDesc* desc, size_t index,
                                             aclmdlIODims* dims) {
  return give_image_dims(desc, index, dims);
}
OPKIT_ACL_EXPORT aclError aclmdlGetInputDimsV2(const aclmdlDesc* desc, size_t index,
                                               aclmdlIODims* dims) {
  return give_dims(desc, &ModelEnds::inputs, index, dims);
}
OPKIT_ACL_EXPORT aclError aclmdlGetOutputDims(const aclmdlDesc* desc, size_t index,
                                              aclmdlIODims* dims) {
  return give_dims(desc, &ModelEnds::outputs, index, dims);
}
OPKIT_ACL_EXPORT aclError aclmdlGetCurOutputDims(const aclmdlDesc* desc, size_t index,
                                                 aclmdlIODims* dims) {
  return give_current_dims(desc, index, dims);
}
OPKIT_ACL_EXPORT const char* aclmdlGetTensorRealName(const aclmdlDesc* desc, const char* name) {
  return ask(model_descs(), desc, static_cast<const char*>(nullptr),
             [&](const aclmdlDesc& d) -> const char* {
               if (d.ends && name) return real_name(*d.ends, name);
               if (!d.ends) told_of_none();
               return nullptr;
             });
}
OPKIT_ACL_EXPORT aclFormat aclmdlGetInputFormat(const aclmdlDesc* desc, size_t index) {
  return give_format(desc, &ModelEnds::inputs, index);
}
OPKIT_ACL_EXPORT aclFormat aclmdlGetOutputFormat(const aclmdlDesc* desc, size_t index) {
  return give_format(desc, &ModelEnds::outputs, index);
}
OPKIT_ACL_EXPORT aclDataType aclmdlGetInputDataType(const aclmdlDesc* desc, size_t index) {
  return give_type(desc, &ModelEnds::inputs, index);
}
OPKIT_ACL_EXPORT aclDataType aclmdlGetOutputDataType(const aclmdlDesc* desc, size_t index) {
  return give_type(desc, &ModelEnds::outputs, index);
}
