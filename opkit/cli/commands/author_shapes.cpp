#include "opkit/cli/commands/author_shapes.h"

#include <fmt/format.h>

#include <deque>

namespace opkit::cli {
namespace {

std::string shape_text(const AuthorOutput& output) {
  return output.shape ? output.shape->to_string() : std::string("no shape");
}

// Returns the values of a value-dependent input as the waist hands them over; borrowed by the call.
std::optional<Tensor> value_of(const TensorFacts& facts) {
  if (!facts.values || !facts.desc.shape.has_rank() || !facts.desc.shape.is_static())
    return std::nullopt;
  Tensor value(facts.desc.dtype, facts.desc.shape, facts.desc.name);
  for (size_t i = 0; i < facts.values->size(); ++i)
    value.set(static_cast<int64_t>(i), static_cast<double>((*facts.values)[i]));
  return value;
}

}  // namespace

Result<AuthorShapes> ask_author(const OpenedOp& op, const OpContract& contract,
                                const std::vector<PortFacts>& inputs, const Binding& binding,
                                const std::vector<PortFacts>& inferred) {
  AuthorShapes author;
  for (const PortFacts& port : inferred) {
    for (const TensorFacts& tensor : port) author.expected.push_back(tensor.desc);
  }
  if (!op.tables->infer_shape && !op.tables->infer_dtype) {
    author.not_asked = "the plugin has neither InferShape nor InferDataType";
    return author;
  }
  OpCall call;
  call.op_type = contract.op;
  std::deque<Tensor> values;
  for (size_t p = 0; p < inputs.size(); ++p) {
    CallPort& port = call.inputs.emplace_back();
    port.name = contract.inputs[p].name;
    for (const TensorFacts& tensor : inputs[p]) {
      port.tensors.emplace_back(tensor.desc);
      if (auto value = value_of(tensor))
        port.tensors.back().value = values.emplace_back(std::move(*value)).data();
    }
  }
  for (size_t p = 0; p < inferred.size(); ++p) {
    CallPort& port = call.outputs.emplace_back();
    port.name = contract.outputs[p].name;
    for (const TensorFacts& tensor : inferred[p]) port.tensors.emplace_back(tensor.desc);
  }
  for (const Attr& attr : contract.attrs)
    call.attrs.push_back({attr.name, binding.attrs.at(attr.name)});
  OPKIT_TRY(author.outputs, op.infer(call));
  author.agrees = cross_check(*op.tables, author.outputs, author.expected);
  return author;
}

std::string to_text(const AuthorShapes& author) {
  if (!author.not_asked.empty())
    return fmt::format("author's inference: not asked, {}\n", author.not_asked);
  std::string text = "author's inference:\n";
  for (size_t i = 0; i < author.outputs.size(); ++i) {
    const AuthorOutput& output = author.outputs[i];
    text += fmt::format("  {}: {} {}\n", author.expected[i].name,
                        output.dtype ? name_of(*output.dtype) : "no dtype", shape_text(output));
  }
  return text + (author.agrees.ok() ? "  agrees with the contract\n"
                                    : "  " + author.agrees.error().to_string() + "\n");
}

Json to_json(const AuthorShapes& author) {
  if (!author.not_asked.empty()) return {{"asked", false}, {"why", author.not_asked}};
  Json json{{"asked", true}, {"agrees", author.agrees.ok()}};
  json["outputs"] = Json::array();
  for (size_t i = 0; i < author.outputs.size(); ++i) {
    const AuthorOutput& output = author.outputs[i];
    json["outputs"].push_back(
        {{"name", author.expected[i].name},
         {"dtype", output.dtype ? Json(std::string(name_of(*output.dtype))) : Json()},
         {"shape", output.shape ? Json(output.shape->dims()) : Json()}});
  }
  return json;
}

}  // namespace opkit::cli
