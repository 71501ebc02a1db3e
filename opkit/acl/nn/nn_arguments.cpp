#include "opkit/acl/nn/nn_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "opkit/acl/nn/nn_view.h"
#include "opkit/call/layout/storage_layout.h"

namespace opkit::acl {
namespace {

constexpr const char* kRebuild = "build the program again with the op's present header";

bool is_replaced(const OpContract& contract, const Port& output) {
  return !output.inplace.empty() && contract.input(output.inplace) != nullptr;
}

size_t position_of(const std::vector<Port>& ports, const std::string& name) {
  return static_cast<size_t>(
      std::find_if(ports.begin(), ports.end(), [&](const Port& p) { return p.name == name; }) -
      ports.begin());
}

bool is_handle(int32_t kind) {
  return kind == OPKIT_NN_TENSOR || kind == OPKIT_NN_TENSOR_LIST || kind == OPKIT_NN_INT_ARRAY ||
         kind == OPKIT_NN_FLOAT_ARRAY || kind == OPKIT_NN_BOOL_ARRAY || kind == OPKIT_NN_TEXT;
}

std::string listed(const std::vector<int64_t>& numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

// Elements that the storage's dims say it has; the most that can be counted, if there are more.
uint64_t room_of(const aclTensor& tensor) {
  uint64_t room = 1;
  for (const int64_t dim : tensor.storage) {
    if (__builtin_mul_overflow(room, static_cast<uint64_t>(dim), &room)) return UINT64_MAX;
  }
  return room;
}

class Reader {
 public:
  Reader(const OpContract& contract, const NnObjects& objects,
         std::span<const opkit_nn_argument_v1> arguments)
      : contract_(contract), objects_(objects), arguments_(arguments) {}

  Result<NnArguments> run() {
    OPKIT_CHECK(check_count());
    for (const Port& port : contract_.inputs) OPKIT_CHECK(read_port(port, result_.inputs));
    for (const Attr& attr : contract_.attrs) OPKIT_CHECK(read_attr(attr));
    for (const Port& port : contract_.outputs) {
      if (is_replaced(contract_, port)) {
        result_.outputs.push_back(result_.inputs[position_of(contract_.inputs, port.inplace)]);
      } else {
        OPKIT_CHECK(read_port(port, result_.outputs));
      }
    }
    OPKIT_CHECK(check_views());
    return std::move(result_);
  }

 private:
  Status check_count() const {
    const size_t replaced = static_cast<size_t>(
        std::count_if(contract_.outputs.begin(), contract_.outputs.end(),
                      [&](const Port& port) { return is_replaced(contract_, port); }));
    const size_t wanted =
        contract_.inputs.size() + contract_.attrs.size() + contract_.outputs.size() - replaced;
    if (arguments_.size() == wanted) return {};
    return contract_.error("OPK-ACLNN-001",
                           fmt::format("called with {} arguments, the installed op takes {}",
                                       arguments_.size(), wanted),
                           kRebuild);
  }

  Error wrong_kind(const std::string& name) const {
    return contract_.error(
        "OPK-ACLNN-001",
        fmt::format("argument '{}' has another kind than the installed op's", name), kRebuild);
  }

  Status check_not_null(const opkit_nn_argument_v1& argument, const std::string& name) const {
    if (argument.object || !is_handle(argument.kind)) return {};
    return contract_.error("OPK-ACLNN-006", fmt::format("argument '{}' is null", name),
                           "pass what the op's header names; only optional inputs may be null");
  }

  Error bad_view(const aclTensor& tensor, const std::string& what, std::string action) const {
    return contract_.error(
        "OPK-ACLNN-007",
        fmt::format("tensor '{}', a view {} with strides {} at offset {}, {}", tensor.desc.name,
                    tensor.desc.shape.to_string(), listed(tensor.stride), tensor.offset, what),
        std::move(action));
  }

  Status check_reach(const aclTensor& tensor) const {
    const std::optional<uint64_t> reach = reach_of(tensor);
    if (reach && *reach <= room_of(tensor)) return {};
    const std::string ends = reach ? fmt::format("element {}", *reach - 1) : "no memory's element";
    return bad_view(tensor, fmt::format("ends at {} of storage {}", ends, listed(tensor.storage)),
                    "correct its strides or its offset, or pass the dims of the whole storage");
  }

  Status check_views() const {
    for (const NnPort& port : result_.inputs) {
      for (const aclTensor& tensor : port.tensors) OPKIT_CHECK(check_reach(tensor));
    }
    for (const NnPort& port : result_.outputs) {
      for (const aclTensor& tensor : port.tensors) {
        OPKIT_CHECK(check_reach(tensor));
        if (shares_places(tensor))
          return bad_view(tensor, "is an output whose elements share places",
                          "give every element of an output a place of its own: each stride goes "
                          "beyond what the smaller ones reach");
      }
    }
    return {};
  }

  template <typename T>
  Result<const T*> object(const HandleTable<T>& all, const void* handle,
                          const std::string& name) const {
    if (const T* const found = all.find(handle)) return found;
    return contract_.error(
        "OPK-ACLNN-002",
        fmt::format("argument '{}': {} is no {}, or it was destroyed", name, handle, all.what()),
        "destroy arguments after the first of the two calls");
  }

  Status read_port(const Port& port, std::vector<NnPort>& ports) {
    const opkit_nn_argument_v1& argument = arguments_[next_++];
    NnPort& place = ports.emplace_back();
    if (!argument.object && port.presence == Presence::kOptional) return {};
    OPKIT_CHECK(check_not_null(argument, port.name));
    switch (argument.kind) {
      case OPKIT_NN_TENSOR: return read_tensor(argument, port, place);
      case OPKIT_NN_TENSOR_LIST: return read_list(argument, port, place);
      case OPKIT_NN_INT_ARRAY: {
        OPKIT_TRY(const auto* array, object(objects_.int_arrays, argument.object, port.name));
        return keep_values(array->values, port, place);
      }
      case OPKIT_NN_FLOAT_ARRAY: {
        OPKIT_TRY(const auto* array, object(objects_.float_arrays, argument.object, port.name));
        return keep_values(array->values, port, place);
      }
      case OPKIT_NN_BOOL_ARRAY: {
        OPKIT_TRY(const auto* array, object(objects_.bool_arrays, argument.object, port.name));
        return keep_values(array->values, port, place);
      }
      default: return wrong_kind(port.name);
    }
  }

  Status read_tensor(const opkit_nn_argument_v1& argument, const Port& port, NnPort& place) const {
    if (port.presence == Presence::kDynamic || port.value_depend) return wrong_kind(port.name);
    OPKIT_TRY(const aclTensor* tensor, object(objects_.tensors, argument.object, port.name));
    place.tensors.push_back(*tensor);
    place.tensors.back().desc.name = port.name;
    return {};
  }

  Status read_list(const opkit_nn_argument_v1& argument, const Port& port, NnPort& place) const {
    if (port.presence != Presence::kDynamic) return wrong_kind(port.name);
    OPKIT_TRY(const aclTensorList* list, object(objects_.tensor_lists, argument.object, port.name));
    for (const aclTensor* item : list->items) {
      OPKIT_TRY(const aclTensor* tensor, object(objects_.tensors, item, port.name));
      place.tensors.push_back(*tensor);
      place.tensors.back().desc.name = port.name;
    }
    return {};
  }

  // The dtype is that of the op's first column: an array says none.
  template <typename Values>
  Status keep_values(const Values& values, const Port& port, NnPort& place) const {
    if (!port.value_depend) return wrong_kind(port.name);
    Tensor tensor(port.dtypes[0], Shape{static_cast<int64_t>(values.size())}, port.name);
    for (size_t i = 0; i < values.size(); ++i) store(tensor, i, values[i]);
    place.values.push_back(std::move(tensor));
    return {};
  }

  static void store(Tensor& tensor, size_t i, int64_t value) {
    if (tensor.dtype() == DType::kInt64) {
      tensor.as<int64_t>()[i] = value;  // beyond 2^53, too
    } else {
      tensor.set(static_cast<int64_t>(i), static_cast<double>(value));
    }
  }
  static void store(Tensor& tensor, size_t i, float value) {
    tensor.set(static_cast<int64_t>(i), double{value});
  }
  static void store(Tensor& tensor, size_t i, bool value) {
    tensor.set(static_cast<int64_t>(i), value ? 1 : 0);
  }

  Status read_attr(const Attr& attr) {
    const opkit_nn_argument_v1& argument = arguments_[next_++];
    OPKIT_CHECK(check_not_null(argument, attr.name));
    OPKIT_TRY(AttrValue value, value_of(attr, argument));
    result_.attrs[attr.name] = std::move(value);
    return {};
  }

  Result<AttrValue> value_of(const Attr& attr, const opkit_nn_argument_v1& argument) const {
    switch (attr.type) {
      case AttrType::kBool:
        if (argument.kind == OPKIT_NN_BOOL) return AttrValue(argument.integer != 0);
        break;
      case AttrType::kInt:
        if (argument.kind == OPKIT_NN_INT) return AttrValue(argument.integer);
        break;
      case AttrType::kFloat:
        if (argument.kind == OPKIT_NN_FLOAT) return AttrValue(argument.number);
        break;
      case AttrType::kString:
        if (argument.kind == OPKIT_NN_TEXT)
          return AttrValue(std::string(static_cast<const char*>(argument.object)));
        break;
      default: return list_of(attr, argument);
    }
    return wrong_kind(attr.name);
  }

  Result<AttrValue> list_of(const Attr& attr, const opkit_nn_argument_v1& argument) const {
    if (attr.type == AttrType::kListInt && argument.kind == OPKIT_NN_INT_ARRAY) {
      OPKIT_TRY(const auto* array, object(objects_.int_arrays, argument.object, attr.name));
      return AttrValue(array->values);
    }
    if (attr.type == AttrType::kListBool && argument.kind == OPKIT_NN_BOOL_ARRAY) {
      OPKIT_TRY(const auto* array, object(objects_.bool_arrays, argument.object, attr.name));
      return AttrValue(array->values);
    }
    if (attr.type == AttrType::kListFloat && argument.kind == OPKIT_NN_FLOAT_ARRAY) {
      OPKIT_TRY(const auto* array, object(objects_.float_arrays, argument.object, attr.name));
      return AttrValue(std::vector<double>(array->values.begin(), array->values.end()));
    }
    return wrong_kind(attr.name);
  }

  const OpContract& contract_;
  const NnObjects& objects_;
  std::span<const opkit_nn_argument_v1> arguments_;
  size_t next_ = 0;
  NnArguments result_;
};

}  // namespace

Result<NnArguments> NnArguments::read(const OpContract& contract, const NnObjects& objects,
                                      std::span<const opkit_nn_argument_v1> arguments) {
  return Reader(contract, objects, arguments).run();
}

CallFacts NnArguments::facts(const OpContract& contract) const {
  CallFacts facts;
  facts.attrs = attrs;
  for (const NnPort& port : inputs) {
    const std::vector<Format>& columns = contract.inputs[facts.inputs.size()].formats;
    std::vector<InputFacts>& tensors = facts.inputs.emplace_back();
    for (const aclTensor& tensor : port.tensors) tensors.push_back({tensor.desc, {}});
    for (const Tensor& value : port.values) tensors.push_back({value.desc(), value.bytes()});
    for (InputFacts& one : tensors) one.desc.format = taken_as(one.desc.format, columns);
  }
  for (const NnPort& port : outputs) {
    std::vector<Shape>& shapes = facts.output_shapes.emplace_back();
    for (const aclTensor& tensor : port.tensors) shapes.push_back(tensor.desc.shape);
    const bool open = std::any_of(shapes.begin(), shapes.end(),
                                  [](const Shape& shape) { return !shape.is_static(); });
    if (open) shapes.clear();  // inference says
  }
  return facts;
}

}  // namespace opkit::acl
