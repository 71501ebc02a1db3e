#include "opkit/call/plan/stored_call.h"

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

CallPort input_port(const Port& port, const std::vector<TensorDesc>& tensors,
                    const PortLayouts& layouts, const PortTensors& values) {
  CallPort out{port.name, {}};
  for (size_t i = 0; i < layouts.size(); ++i) {
    CallTensor call = call_tensor(layouts[i], tensors[i].name);
    if (i < values.size()) call.value = values[i].data();
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

Result<std::vector<PortLayouts>> layouts_of(const OpContract& contract,
                                            const std::vector<Port>& ports,
                                            const std::vector<std::vector<TensorDesc>>& tensors) {
  std::vector<PortLayouts> all;
  for (size_t p = 0; p < tensors.size(); ++p) {
    PortLayouts& layouts = all.emplace_back();
    for (const TensorDesc& tensor : tensors[p]) {
      OPKIT_TRY(StorageLayout layout, layout_of(contract, ports[p], tensor));
      layouts.push_back(std::move(layout));
    }
  }
  return all;
}

uint64_t stored_bytes(const StorageLayout& layout) {
  return bytes_of(layout.dtype(), static_cast<uint64_t>(layout.storage().elements()));
}

Result<std::vector<PortTensors>> to_storage(std::vector<PortTensors> origin,
                                            const std::vector<PortLayouts>& layouts) {
  for (size_t p = 0; p < origin.size(); ++p) {
    for (size_t i = 0; i < origin[p].size(); ++i) {
      origin[p][i].desc().format = layouts[p][i].format();
      if (layouts[p][i].dense()) continue;
      OPKIT_TRY(origin[p][i], layouts[p][i].to_storage(origin[p][i]));
    }
  }
  return origin;
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
                 const std::vector<std::vector<TensorDesc>>& inputs,
                 const std::vector<PortLayouts>& layouts, const std::vector<PortTensors>& values,
                 const std::vector<PortFacts>& outputs) {
  OpCall call;
  call.op_type = contract.op;
  call.node_name = contract.op;
  for (size_t i = 0; i < inputs.size(); ++i)
    call.inputs.push_back(input_port(contract.inputs[i], inputs[i], layouts[i], values[i]));
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
