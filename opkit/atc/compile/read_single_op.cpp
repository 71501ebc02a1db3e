#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "opkit/atc/compile/single_op.h"
#include "opkit/base/document.h"
#include "opkit/call/layout/storage_layout.h"
#include "opkit/contract/names.h"

namespace opkit::compile {
namespace {

constexpr const char* kReserved = "RESERVED";

Error wrong(const Value& at, const std::string& why, std::string action) {
  return Error("E10001",
               fmt::format("value [{}] for parameter [--singleop] is invalid. Reason: {}",
                           at.where.file, why),
               std::move(action))
      .at(at.where);
}

const std::vector<std::string> kOpKeys = {"op",          "name", "input_desc",
                                          "output_desc", "attr", "compile_flag"};
const std::vector<std::string> kTensorKeys = {
    "name",        "format", "origin_format", "shape",    "origin_shape",
    "shape_range", "type",   "dynamic_input", "is_const", "const_value"};

Result<const Value*> required(const Value& map, const char* key, const char* example) {
  const Value* found = map.find(key);
  if (found) return found;
  return wrong(map, fmt::format("'{}' is missing", key), example);
}

Result<Shape> read_shape(const Value& value) {
  if (!value.is_list()) return wrong(value, "a shape is a list of dims", "\"shape\": [8, 16]");
  std::vector<int64_t> dims;
  for (const Value& item : value.items) {
    OPKIT_TRY(const int64_t dim, item.as_int("a dim"));
    if (dim < 0)
      return wrong(item, fmt::format("a dim is {}; models of one operator have known dims", dim),
                   "write an entry for each shape");
    dims.push_back(dim);
  }
  Shape shape(std::move(dims));
  if (!shape.checked_elements().ok())
    return wrong(value, fmt::format("{} has more elements than can be counted", shape.to_string()),
                 "check the dims");
  return shape;
}

Result<Format> read_format(const Value& value) {
  OPKIT_TRY(const std::string text, value.as_string("format"));
  const auto format = format_from_name(text);
  if (!format)
    return wrong(value, fmt::format("there is no format '{}'", text), "\"format\": \"ND\"");
  if (is_dense(*format)) return *format;
  return wrong(value, fmt::format("the format {} is not dense", text),
               "state the tensor as ND or NCHW: its model turns it as the op wants it");
}

Result<DType> read_type(const Value& value) {
  OPKIT_TRY(const std::string text, value.as_string("type"));
  if (const auto dtype = dtype_from_name(text)) return *dtype;
  return wrong(value, fmt::format("there is no data type '{}'", text), "\"type\": \"float16\"");
}

Status flatten(const Value& value, std::vector<double>& numbers) {
  if (value.is_list()) {
    for (const Value& item : value.items) OPKIT_CHECK(flatten(item, numbers));
    return {};
  }
  if (value.text == "true" || value.text == "false") {
    numbers.push_back(value.text == "true");
    return {};
  }
  OPKIT_TRY(const double number, value.as_number("const_value"));
  numbers.push_back(number);
  return {};
}

Status read_constant(const Value& map, SingleOpTensor& tensor) {
  const Value* flag = map.find("is_const");
  OPKIT_TRY(const bool constant, flag ? flag->as_bool("is_const") : Result<bool>(false));
  const Value* given = map.find("const_value");
  if (!constant && given)
    return wrong(*given, "a tensor that is no constant has no const_value",
                 "write \"is_const\": true, or leave const_value out");
  if (!constant) return {};
  OPKIT_TRY(const Value* value, required(map, "const_value", "\"const_value\": [1, 2]"));
  graph::RefTensor made{tensor.desc.dtype, tensor.desc.shape, {}};
  OPKIT_CHECK(flatten(*value, made.values));
  if (static_cast<int64_t>(made.values.size()) != tensor.desc.shape.elements())
    return wrong(*value,
                 fmt::format("{} values stand for a constant of {}", made.values.size(),
                             tensor.desc.shape.to_string()),
                 "write a value for each element");
  tensor.constant = std::move(made);
  return {};
}

Status check_one_shape(const Value& map, const Shape& shape) {
  if (const Value* ranges = map.find("shape_range"))
    return wrong(*ranges, "models of one operator have known dims, and no shape_range",
                 "write an entry for each shape");
  const Value* origin = map.find("origin_shape");
  if (!origin) return {};
  OPKIT_TRY(const Shape stated, read_shape(*origin));
  if (stated == shape) return {};
  return wrong(*origin,
               fmt::format("shape is {}, origin_shape {}; of a dense format they are the same",
                           shape.to_string(), stated.to_string()),
               "state the shape only");
}

Result<SingleOpTensor> read_tensor(const Value& map) {
  if (!map.is_map()) return wrong(map, "a tensor is an object", "{\"type\": \"float16\", ...}");
  OPKIT_CHECK(map.check_keys("the tensor", kTensorKeys));
  SingleOpTensor tensor;
  tensor.where = map.where;
  OPKIT_TRY(const Value* type, required(map, "type", "\"type\": \"float16\""));
  OPKIT_TRY(const Value* format, required(map, "format", "\"format\": \"ND\""));
  tensor.absent = type->text == kReserved || format->text == kReserved;
  if (tensor.absent) return tensor;
  OPKIT_TRY(tensor.desc.dtype, read_type(*type));
  OPKIT_TRY(tensor.desc.format, read_format(*format));
  OPKIT_TRY(const Value* shape, required(map, "shape", "\"shape\": [8, 16]"));
  OPKIT_TRY(tensor.desc.shape, read_shape(*shape));
  OPKIT_CHECK(check_one_shape(map, tensor.desc.shape));
  OPKIT_CHECK(read_constant(map, tensor));
  return tensor;
}

Result<std::vector<SingleOpTensor>> read_tensors(const Value& map, const char* key) {
  std::vector<SingleOpTensor> tensors;
  const Value* list = map.find(key);
  if (!list || list->is_null()) return tensors;
  if (!list->is_list()) return wrong(*list, fmt::format("{} is a list", key), "use brackets");
  for (const Value& item : list->items) {
    OPKIT_TRY(SingleOpTensor tensor, read_tensor(item));
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

Status read_attr(const Value& map, AttrValues& attrs) {
  if (!map.is_map()) return wrong(map, "an attribute is an object", "{\"name\": \"axis\", ...}");
  OPKIT_CHECK(map.check_keys("the attribute", {"name", "type", "value"}));
  OPKIT_TRY(const Value* named, required(map, "name", "\"name\": \"axis\""));
  OPKIT_TRY(const std::string name, named->as_string("name"));
  if (attrs.contains(name))
    return wrong(*named, fmt::format("attribute '{}' is given twice", name), "give it once");
  OPKIT_TRY(const Value* typed, required(map, "type", "\"type\": \"int\""));
  OPKIT_TRY(const std::string type, typed->as_string("type"));
  OPKIT_TRY(const Value* value, required(map, "value", "\"value\": 1"));
  if (type == "data_type") {
    OPKIT_TRY(const DType dtype, read_type(*value));
    attrs[name] = static_cast<int64_t>(dtype);
    return {};
  }
  const auto known = attr_type_from_name(type);
  if (!known)
    return wrong(*typed, fmt::format("contracts have no attributes of type '{}'", type),
                 fmt::format("use one of {}", fmt::join(attr_type_names(), ", ")));
  OPKIT_TRY(attrs[name], read_attr_value(*value, *known, name));
  return {};
}

// As the vendor's program calls a model: 0_Add_1_2_8_16_1_2_8_16_1_2_8_16.om
std::string default_file(size_t number, const SingleOp& op) {
  std::string name = fmt::format("{}_{}", number, op.op);
  for (const auto* side : {&op.inputs, &op.outputs}) {
    for (const SingleOpTensor& tensor : *side) {
      if (tensor.absent) continue;
      name += fmt::format("_{}_{}", static_cast<int>(tensor.desc.dtype),
                          static_cast<int>(tensor.desc.format));
      for (const int64_t dim : tensor.desc.shape.dims()) name += fmt::format("_{}", dim);
    }
  }
  return name + ".om";
}

Result<std::string> file_of(size_t number, const Value& map, const SingleOp& op) {
  const Value* named = map.find("name");
  if (!named) return default_file(number, op);
  OPKIT_TRY(std::string name, named->as_string("name"));
  if (name.empty() || name[0] == '.' || name.find('/') != std::string::npos)
    return wrong(*named, fmt::format("'{}' is no name of a file", name), "\"name\": \"add_8_16\"");
  return name.ends_with(".om") ? name : name + ".om";
}

Result<SingleOp> read_op(size_t number, const Value& map) {
  if (!map.is_map()) return wrong(map, "an operator is an object", "[{\"op\": \"Add\", ...}]");
  OPKIT_CHECK(map.check_keys("the operator", kOpKeys));
  SingleOp op;
  op.where = map.where;
  OPKIT_TRY(const Value* type, required(map, "op", "\"op\": \"Add\""));
  OPKIT_TRY(op.op, type->as_string("op"));
  if (!is_op_type(op.op))
    return wrong(*type, fmt::format("'{}' is not an op type", op.op),
                 "use the type of an installed op: opkit list");
  OPKIT_TRY(op.inputs, read_tensors(map, "input_desc"));
  OPKIT_TRY(op.outputs, read_tensors(map, "output_desc"));
  if (const Value* attrs = map.find("attr"); attrs && !attrs->is_null()) {
    if (!attrs->is_list()) return wrong(*attrs, "attr is a list", "use brackets");
    for (const Value& item : attrs->items) OPKIT_CHECK(read_attr(item, op.attrs));
  }
  OPKIT_TRY(op.file, file_of(number, map, op));
  return op;
}

}  // namespace

Result<std::vector<SingleOp>> read_single_ops(std::string_view text, const std::string& file) {
  OPKIT_TRY(const Document document, Document::parse(text, file));
  const Value& root = document.root();
  const bool list = root.is_list() && !root.items.empty();
  if (!list && !root.is_map())
    return wrong(root, "it is no list of operators", "[{\"op\": \"Add\", \"input_desc\": ...}]");
  const std::vector<Value> one{list ? Value() : root};
  std::vector<SingleOp> ops;
  std::set<std::string> files;
  for (const Value& item : list ? root.items : one) {
    OPKIT_TRY(SingleOp op, read_op(ops.size(), item));
    if (!files.insert(op.file).second)
      return wrong(item, fmt::format("two operators are called {}", op.file),
                   "give each a name of its own");
    ops.push_back(std::move(op));
  }
  return ops;
}

}  // namespace opkit::compile
