#include "opkit/runtime/stored_call.h"

#include <utility>

namespace opkit {
namespace {

Result<StorageLayout> layout_of(const OpContract& contract, const Port& port,
                                const TensorDesc& desc) {
  auto layout = StorageLayout::of(desc.format, desc.dtype, desc.shape);
  if (layout.ok()) return layout;
  return std::move(layout).error().of(contract.op).with(port.name);
}

CallTensor call_tensor(const StorageLayout& layout, const std::string& name) {
  CallTensor call(TensorDesc{name, layout.dtype(), layout.storage(), layout.format()});
  call.origin_shape = layout.origin();
  call.origin_format = origin_format(layout.format());
  return call;
}

CallPort input_port(const Port& port, const PortTensors& stored, const PortLayouts& layouts) {
  CallPort out{port.name, {}};
  for (size_t i = 0; i < layouts.size(); ++i) {
    CallTensor call = call_tensor(layouts[i], stored[i].desc().name);
    if (port.value_depend) call.value = stored[i].data();
    out.tensors.push_back(std::move(call));
  }
  return out;
}

CallPort output_port(const Port& port, const PortFacts& facts) {
  CallPort out{port.name, {}};
  for (const TensorFacts& tensor : facts) {
    out.tensors.emplace_back(tensor.desc);
    out.tensors.back().origin_format = origin_format(tensor.desc.format);
  }
  return out;
}

}  // namespace

Result<StoredPorts> store(const OpContract& contract, size_t column,
                          std::vector<PortTensors> origin) {
  StoredPorts stored;
  for (size_t i = 0; i < origin.size(); ++i) {
    PortTensors& tensors = stored.tensors.emplace_back();
    PortLayouts& layouts = stored.layouts.emplace_back();
    for (Tensor& tensor : origin[i]) {
      tensor.desc().format = contract.inputs[i].formats[column];
      OPKIT_TRY(StorageLayout layout, layout_of(contract, contract.inputs[i], tensor.desc()));
      if (!layout.dense()) {
        OPKIT_TRY(tensor, layout.to_storage(tensor));
      }
      tensors.push_back(std::move(tensor));
      layouts.push_back(std::move(layout));
    }
  }
  return stored;
}

Result<std::vector<PortLayouts>> output_layouts(const OpContract& contract,
                                                const std::vector<PortFacts>& inferred) {
  std::vector<PortLayouts> all;
  for (size_t o = 0; o < inferred.size(); ++o) {
    PortLayouts& layouts = all.emplace_back();
    for (const TensorFacts& tensor : inferred[o]) {
      OPKIT_TRY(StorageLayout layout, layout_of(contract, contract.outputs[o], tensor.desc));
      layouts.push_back(std::move(layout));
    }
  }
  return all;
}

std::vector<PortTensors> to_origin(std::vector<PortTensors> stored,
                                   const std::vector<PortLayouts>& layouts) {
  for (size_t p = 0; p < stored.size(); ++p) {
    for (size_t i = 0; i < stored[p].size(); ++i) {
      if (!layouts[p][i].dense()) stored[p][i] = layouts[p][i].to_origin(stored[p][i]);
    }
  }
  return stored;
}

OpCall make_call(const OpContract& contract, const Binding& binding,
                 const std::vector<PortTensors>& stored, const std::vector<PortLayouts>& layouts,
                 const std::vector<PortFacts>& outputs) {
  OpCall call;
  call.op_type = contract.op;
  call.node_name = contract.op;
  for (size_t i = 0; i < stored.size(); ++i)
    call.inputs.push_back(input_port(contract.inputs[i], stored[i], layouts[i]));
  for (size_t i = 0; i < outputs.size(); ++i)
    call.outputs.push_back(output_port(contract.outputs[i], outputs[i]));
  for (const Attr& attr : contract.attrs)
    call.attrs.push_back({attr.name, binding.attrs.at(attr.name)});
  call.deterministic = contract.numeric.order == NumericPolicy::Order::kFixed;
  return call;
}

void tell_outputs(OpCall& call, const std::vector<PortLayouts>& layouts) {
  for (size_t p = 0; p < layouts.size(); ++p) {
    for (size_t i = 0; i < layouts[p].size(); ++i) {
      CallTensor& tensor = call.outputs[p].tensors[i];
      tensor = call_tensor(layouts[p][i], tensor.desc.name);
    }
  }
}

}  // namespace opkit
