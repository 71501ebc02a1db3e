#include "opkit/model/file/bodies.h"

#include <fmt/format.h>

#include <optional>

#include "opkit/call/layout/storage_layout.h"
#include "opkit/graph/bodies.h"
#include "opkit/reference/control.h"

namespace opkit::model {
namespace {

Error misfit(const Step& step, const std::string& what) {
  return Error(kWrongOm,
               fmt::format("the offline model contradicts itself: step '{}' {}", step.name, what),
               "make it again with atc");
}

std::optional<size_t> count_of(const Step& step, const char* attribute) {
  const auto found = step.node.attributes.find(attribute);
  const auto* count =
      found == step.node.attributes.end() ? nullptr : std::get_if<int64_t>(&found->second);
  if (count == nullptr || *count < 0) return std::nullopt;
  return static_cast<size_t>(*count);
}

std::optional<ControlPorts> ports_of(const Step& step, const Plan& body) {
  const size_t operands = step.in[0].size();
  const auto captured = count_of(step, graph::kCaptured);
  if (!captured || *captured > operands) return std::nullopt;
  ControlPorts ports;
  ports.captured = *captured;
  const size_t own = operands - ports.captured;
  if (step.node.op_type == "Loop") {
    ports.conditions = 2, ports.counters = 1, ports.answers = 1;
  } else if (step.node.op_type == "Scan") {
    const auto slices = count_of(step, "num_scan_inputs");
    if (!slices || *slices < 1 || *slices > own) return std::nullopt;
    ports.slices = *slices;
  } else {
    ports.conditions = 1;
  }
  if (own < ports.conditions + ports.slices) return std::nullopt;
  ports.carried = own - ports.conditions - ports.slices;
  if (step.node.op_type == "If" && ports.carried > 0) return std::nullopt;
  if (body.outputs.size() < ports.answers + ports.carried) return std::nullopt;
  ports.stacked = body.outputs.size() - ports.answers - ports.carried;
  return ports;
}

// Compares what a control step reads and writes with its bodies' ends.
class ControlCheck {
 public:
  ControlCheck(const Step& step, const Plan& plan, const Plan& body, const ControlPorts& ports)
      : step_(step), plan_(plan), body_(body), ports_(ports) {}

  Status run() {
    OPKIT_CHECK(check_conditions());
    OPKIT_CHECK(check_carried());
    OPKIT_CHECK(check_slices());
    OPKIT_CHECK(check_captured());
    return step_.node.op_type == "If" ? check_branch() : check_stacked();
  }

 private:
  const TensorDesc* operand(size_t i) const {
    const uint32_t t = step_.in[0][i];
    return t == kNoTensor ? nullptr : &plan_.tensors[t].desc;
  }
  const TensorDesc* result(size_t i) const {
    if (i >= step_.out[0].size() || step_.out[0][i] == kNoTensor) return nullptr;
    return &plan_.tensors[step_.out[0][i]].desc;
  }
  const TensorDesc& input(size_t i) const { return body_.tensors[body_.inputs[i]].desc; }
  const TensorDesc& output(size_t i) const { return body_.tensors[body_.outputs[i]].desc; }

  static bool alike(const TensorDesc* one, const TensorDesc& other) {
    return one != nullptr && one->dtype == other.dtype && one->shape == other.shape &&
           is_dense(one->format) && is_dense(other.format);
  }
  static bool is_one(const TensorDesc& desc, DType dtype) {
    return desc.dtype == dtype && desc.shape.elements() == 1 && is_dense(desc.format);
  }
  // An absent result is nobody's.
  bool result_is(size_t i, const TensorDesc& wanted) const {
    return result(i) == nullptr || alike(result(i), wanted);
  }
  Error wrong(const std::string& what, size_t number) const {
    return misfit(step_, fmt::format("has another {} {} than its body", what, number));
  }

  Status check_conditions() const {
    const auto fits = [&](size_t i, DType dtype, bool may_be_absent) {
      return operand(i) == nullptr ? may_be_absent : is_one(*operand(i), dtype);
    };
    const bool loop = step_.node.op_type == "Loop";
    if (loop && (!fits(0, DType::kInt64, true) || !fits(1, DType::kBool, true)))
      return wrong("condition", 0);
    if (loop && (!is_one(input(0), DType::kInt64) || !is_one(output(0), DType::kBool)))
      return wrong("counter", 0);
    if (step_.node.op_type == "If" && !fits(0, DType::kBool, false)) return wrong("condition", 0);
    return {};
  }

  Status check_carried() const {
    for (size_t c = 0; c < ports_.carried; ++c) {
      const TensorDesc& given = input(ports_.counters + c);
      if (!alike(operand(ports_.conditions + c), given) ||
          !alike(&output(ports_.answers + c), given) || !result_is(c, given))
        return wrong("carried value", c);
    }
    return {};
  }

  Status check_slices() {
    for (size_t s = 0; s < ports_.slices; ++s) {
      const TensorDesc* whole = operand(ports_.conditions + ports_.carried + s);
      if (whole == nullptr || whole->shape.rank() == 0) return wrong("operand", s);
      const auto axis = reference::scan_input(step_.node, s, whole->shape.rank());
      if (!axis.ok()) return wrong("operand", s);
      TensorDesc part = *whole;
      part.shape.dims().erase(part.shape.dims().begin() + static_cast<std::ptrdiff_t>(axis->axis));
      const int64_t length = whole->shape[axis->axis];
      if (!alike(&part, input(ports_.counters + ports_.carried + s)) || bits_of(part.dtype) < 8 ||
          (length_ && *length_ != length))
        return wrong("operand", s);
      length_ = length;
    }
    return {};
  }

  Status check_captured() const {
    const size_t first = step_.in[0].size() - ports_.captured;
    const size_t input_first = body_.inputs.size() - ports_.captured;
    for (size_t i = 0; i < ports_.captured; ++i) {
      if (!alike(operand(first + i), input(input_first + i))) return wrong("captured value", i);
    }
    return {};
  }

  Status check_branch() const {
    for (size_t o = 0; o < body_.outputs.size(); ++o) {
      if (!result_is(o, output(o))) return wrong("result", o);
    }
    return {};
  }

  Status check_stacked() {
    for (size_t s = 0; s < ports_.stacked; ++s) {
      const TensorDesc* all = result(ports_.carried + s);
      if (all == nullptr) continue;
      if (all->shape.rank() == 0) return wrong("stacked result", s);
      const auto axis = reference::scan_output(step_.node, s, all->shape.rank());
      if (!axis.ok()) return wrong("stacked result", s);
      TensorDesc part = *all;
      part.shape.dims().erase(part.shape.dims().begin() + static_cast<std::ptrdiff_t>(axis->axis));
      const int64_t length = all->shape[axis->axis];
      if (!alike(&part, output(ports_.answers + ports_.carried + s)) || bits_of(part.dtype) < 8 ||
          (length_ && *length_ != length))
        return wrong("stacked result", s);
      length_ = length;
    }
    return {};
  }

  const Step& step_;
  const Plan& plan_;
  const Plan& body_;
  const ControlPorts& ports_;
  std::optional<int64_t> length_;  // counts what a Scan goes through, and what is stacked
};

}  // namespace

const Plan& holder_of(const OfflineModel& model, const Body& body) {
  if (body.inside == kNoBody) return model.plan(body.gear);
  return model.bodies[body.inside];
}

StepBodies::StepBodies(const OfflineModel& model) {
  for (uint32_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    all_[{body.gear, body.inside, body.step}].push_back(b);
  }
}

const std::vector<uint32_t>& StepBodies::of(uint32_t gear, uint32_t inside, size_t step) const {
  static const std::vector<uint32_t> kNone;
  const auto found = all_.find({gear, inside, static_cast<uint32_t>(step)});
  return found == all_.end() ? kNone : found->second;
}

Result<ControlPorts> control_ports(const Step& step, const Plan& body) {
  const auto ports = ports_of(step, body);
  const bool fits =
      ports &&
      body.inputs.size() == ports->counters + ports->carried + ports->slices + ports->captured &&
      step.out[0].size() <= ports->carried + ports->stacked;
  if (fits) return *ports;
  return misfit(step, "runs a body with other inputs and outputs than it has");
}

Status check_control(const Step& step, const Plan& plan, const std::vector<const Plan*>& bodies) {
  const size_t wanted = graph::bodies_of(step.node.op_type).size();
  if (wanted == 0 || bodies.size() != wanted)
    return misfit(step, fmt::format("of {} runs {} bodies", step.node.op_type, bodies.size()));
  for (const Plan* body : bodies) {
    OPKIT_TRY(const ControlPorts ports, control_ports(step, *body));
    OPKIT_CHECK(ControlCheck(step, plan, *body, ports).run());
  }
  return {};
}

}  // namespace opkit::model
