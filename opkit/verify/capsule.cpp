#include "opkit/verify/capsule.h"

#include <fmt/format.h>

#include "opkit/base/digest.h"
#include "opkit/base/json.h"
#include "opkit/call/infer/infer.h"
#include "opkit/verify/capsule_bytes.h"
#include "opkit/verify/judge.h"
#include "opkit/verify/proof/proved_result.h"

namespace opkit::verify {
namespace {

constexpr const char* kFormat = "opkit-capsule/2";
constexpr const char* kBytes = "bytes";
constexpr const char* kSeed = "seed";
constexpr const char* kTiling = "tiling";
constexpr const char* kCall = "call";
constexpr size_t kMostText = size_t{4} << 20;   // limits the whole file
constexpr size_t kMostField = size_t{1} << 20;  // limits one text
constexpr int kMostDepth = 6;
constexpr size_t kMostItems = 1024;  // tensors, dims, lines of a trace

struct Field {
  const char* name;
  std::string Capsule::*value;
};

constexpr Field kFields[] = {{"op", &Capsule::op},
                             {"version", &Capsule::version},
                             {"soc", &Capsule::soc},
                             {"plugin_sha256", &Capsule::plugin_digest},
                             {"problem", &Capsule::line},
                             {"verdict", &Capsule::verdict},
                             {"reason", &Capsule::reason},
                             {"code", &Capsule::code},
                             {"inputs_sha256", &Capsule::input_digest},
                             {"outputs_sha256", &Capsule::output_digest},
                             {"contract", &Capsule::contract}};

Error bad(std::string message) {
  return Error("OPK-VERIFY-041", "this is no failure capsule: " + std::move(message),
               "give a file that opkit test --results wrote");
}

void keep_bytes(const OpContract& contract, const Problem& problem, Capsule& capsule) {
  const auto made = make_inputs(contract, problem);
  if (!made.ok()) return;
  size_t bytes = 0;
  for (const auto& port : *made) {
    for (const Tensor& tensor : port) bytes += tensor.size_bytes();
  }
  if (bytes > kMostCapsuleBytes) return;
  capsule.has_bytes = true;
  for (size_t p = 0; p < made->size(); ++p) {
    for (const Tensor& tensor : (*made)[p])
      capsule.inputs.push_back(
          {contract.inputs[p].name,
           tensor.dtype(),
           tensor.shape().dims(),
           {reinterpret_cast<const char*>(tensor.data()), tensor.size_bytes()}});
  }
}

Json inputs_json(const Capsule& capsule) {
  Json json{{"kept_as", capsule.has_bytes ? kBytes : kSeed}, {"tensors", Json::array()}};
  for (const CapsuleTensor& tensor : capsule.inputs)
    json["tensors"].push_back({{"port", tensor.port},
                               {"dtype", std::string(name_of(tensor.dtype))},
                               {"dims", tensor.dims},
                               {"base64", base64_of(tensor.bytes)}});
  return json;
}

Result<std::string> text_of(const Json& json, const char* name) {
  const std::string* text = json[name].text();
  if (text == nullptr) return bad(fmt::format("it has no text '{}'", name));
  if (text->size() > kMostField)
    return bad(
        fmt::format("'{}' has {} bytes, at most {} are taken", name, text->size(), kMostField));
  return *text;
}

Result<const Json*> list_of(const Json& json, const char* name) {
  const Json& list = json[name];
  if (!list.is_array() || list.size() > kMostItems)
    return bad(fmt::format("it has no list '{}' of at most {} items", name, kMostItems));
  return &list;
}

Result<CapsuleTensor> tensor_of(const Json& json) {
  if (!json.is_object()) return bad("a tensor is no object");
  CapsuleTensor tensor;
  OPKIT_TRY(tensor.port, text_of(json, "port"));
  OPKIT_TRY(const std::string dtype, text_of(json, "dtype"));
  const auto known = dtype_from_name(dtype);
  if (!known) return bad(fmt::format("'{}' is no dtype", dtype));
  tensor.dtype = *known;
  OPKIT_TRY(const Json* dims, list_of(json, "dims"));
  for (const Json& item : dims->items()) {
    const auto dim = item.whole();
    if (!dim || *dim < 0) return bad("a dim is no number");
    tensor.dims.push_back(*dim);
  }
  OPKIT_TRY(const std::string encoded, text_of(json, "base64"));
  auto bytes = bytes_of_base64(encoded);
  if (!bytes) return bad(fmt::format("the bytes of {} are no base64", tensor.port));
  tensor.bytes = std::move(*bytes);
  return tensor;
}

Status read_inputs(const Json& json, Capsule& capsule) {
  const Json& inputs = json["inputs"];
  if (!inputs.is_object()) return bad("it has no object 'inputs'");
  OPKIT_TRY(const std::string kept, text_of(inputs, "kept_as"));
  if (kept != kBytes && kept != kSeed)
    return bad(fmt::format("inputs are kept as '{}', not as {} or {}", kept, kBytes, kSeed));
  capsule.has_bytes = kept == kBytes;
  OPKIT_TRY(const Json* tensors, list_of(inputs, "tensors"));
  std::string all;
  for (const Json& one : tensors->items()) {
    OPKIT_TRY(CapsuleTensor tensor, tensor_of(one));
    all += tensor.bytes;
    if (all.size() > kMostCapsuleBytes)
      return bad(fmt::format("its inputs have more than {} bytes", kMostCapsuleBytes));
    capsule.inputs.push_back(std::move(tensor));
  }
  if (!capsule.has_bytes || sha256_hex(all) == capsule.input_digest) return {};
  return Error("OPK-VERIFY-042", "the capsule's inputs do not have the digest that it states",
               "get the file again: it is damaged or was edited");
}

// Returns the capsule's tensors as inputs of its problem.
Result<Ports> inputs_of(const OpContract& contract, const Problem& problem,
                        const Capsule& capsule) {
  OPKIT_TRY(const ConcreteShapes shapes,
            shapes_from_symbols(contract, problem.symbols, problem.attrs));
  Ports inputs;
  size_t next = 0;
  for (size_t p = 0; p < contract.inputs.size(); ++p) {
    const Port& port = contract.inputs[p];
    std::vector<Tensor> tensors;
    for (const Shape& shape : shapes.inputs[p]) {
      if (next == capsule.inputs.size()) return bad("it has too few input tensors");
      const CapsuleTensor& kept = capsule.inputs[next++];
      OPKIT_TRY(const int64_t elements, shape.checked_elements());
      const DType dtype = port.dtypes[problem.column];
      const bool fits = kept.port == port.name && kept.dtype == dtype && kept.dims == shape.dims();
      if (!fits || elements > static_cast<int64_t>(8 * kMostCapsuleBytes))
        return bad(fmt::format("input {} is not the problem's {} {}", kept.port, name_of(dtype),
                               shape.to_string()));
      Tensor tensor(dtype, shape, port.name);
      tensor.desc().format = port.formats[problem.column];
      if (tensor.size_bytes() != kept.bytes.size())
        return bad(fmt::format("input {} has {} bytes, {} are needed", port.name, kept.bytes.size(),
                               tensor.size_bytes()));
      std::copy(kept.bytes.begin(), kept.bytes.end(), reinterpret_cast<char*>(tensor.data()));
      tensors.push_back(std::move(tensor));
    }
    inputs.push_back(std::move(tensors));
  }
  if (next != capsule.inputs.size()) return bad("it has too many input tensors");
  return inputs;
}

// Refuses to make inputs of more than a size again from the seed that a capsule has.
Status check_size(const OpContract& contract, const Problem& problem) {
  constexpr int64_t kMostElements = int64_t{1} << 26;
  OPKIT_TRY(const ConcreteShapes shapes,
            shapes_from_symbols(contract, problem.symbols, problem.attrs));
  for (const auto& port : shapes.inputs) {
    for (const Shape& shape : port) {
      OPKIT_TRY(const int64_t elements, shape.checked_elements());
      if (elements > kMostElements)
        return bad(fmt::format("an input {} is larger than any test makes", shape.to_string()));
    }
  }
  return {};
}

}  // namespace

Capsule make_capsule(const OpContract& contract, const std::string& plugin_digest,
                     const ProblemResult& failure, bool of_tiling, std::vector<std::string> trace) {
  Capsule capsule;
  capsule.op = contract.op;
  capsule.version = contract.version;
  capsule.contract = contract.text;
  capsule.plugin_digest = plugin_digest;
  capsule.line = failure.line;
  capsule.soc = failure.problem.soc;
  capsule.seed = failure.problem.seed;
  capsule.verdict = name_of(failure.verdict);
  capsule.reason = failure.reason;
  capsule.code = failure.code;
  capsule.input_digest = failure.input_digest;
  capsule.output_digest = failure.output_digest;
  capsule.trace = std::move(trace);
  capsule.of_tiling = of_tiling;
  if (!of_tiling) keep_bytes(contract, failure.problem, capsule);
  return capsule;
}

std::string to_json(const Capsule& capsule) {
  Json json{{"format", kFormat}};
  for (const Field& field : kFields) json[field.name] = capsule.*field.value;
  json["seed"] = capsule.seed;
  json["judged"] = capsule.of_tiling ? kTiling : kCall;
  json["trace"] = capsule.trace;
  json["inputs"] = inputs_json(capsule);
  return json.dump(2) + "\n";
}

Result<Capsule> read_capsule(std::string_view text) {
  if (text.size() > kMostText)
    return bad(fmt::format("it has {} bytes, at most {} are taken", text.size(), kMostText));
  const Json json = Json::parse(text, kMostDepth).value_or(Json());
  if (!json.is_object()) return bad("it is no JSON object");
  if (json["format"].text_or("") != kFormat)
    return bad(fmt::format("its format is not {}", kFormat));
  Capsule capsule;
  for (const Field& field : kFields) {
    OPKIT_TRY(capsule.*field.value, text_of(json, field.name));
  }
  OPKIT_TRY(const std::string judged, text_of(json, "judged"));
  if (judged != kTiling && judged != kCall)
    return bad(fmt::format("what it judged is '{}', not a {} or a {}", judged, kCall, kTiling));
  capsule.of_tiling = judged == kTiling;
  const auto seed = json["seed"].natural();
  if (!seed) return bad("it has no number 'seed'");
  capsule.seed = *seed;
  OPKIT_TRY(const Json* trace, list_of(json, "trace"));
  for (const Json& line : trace->items()) {
    if (line.text() == nullptr) return bad("a line of its trace is no text");
    capsule.trace.push_back(*line.text());
  }
  OPKIT_CHECK(read_inputs(json, capsule));
  return capsule;
}

Result<CapsuleReplay> replay(const Capsule& capsule, Executor& executor) {
  OPKIT_TRY(const OpContract contract, OpContract::parse(capsule.contract, "capsule"));
  OPKIT_TRY(const Problem problem, parse_line(contract, capsule.line));
  CapsuleReplay replay;
  replay.from_bytes = capsule.has_bytes;
  if (capsule.of_tiling) {
    replay.result = judge_tiling(contract, executor, problem);
  } else if (capsule.has_bytes) {
    OPKIT_TRY(Ports inputs, inputs_of(contract, problem, capsule));
    replay.result = judge_with(contract, executor, problem, std::move(inputs));
  } else {
    OPKIT_CHECK(check_size(contract, problem));
    replay.result = judge(contract, executor, problem);
  }
  replay.same_plugin = executor.digest() == capsule.plugin_digest;
  replay.same_inputs = replay.result.input_digest == capsule.input_digest;
  replay.same_outputs = replay.result.output_digest == capsule.output_digest;
  replay.same_verdict =
      name_of(replay.result.verdict) == capsule.verdict && replay.result.code == capsule.code;
  return replay;
}

std::string CapsuleReplay::to_string() const {
  std::string text = fmt::format("{} {}\n", name_of(result.verdict), result.line);
  if (!result.reason.empty()) text += fmt::format("  {}\n", result.reason);
  text += from_bytes ? "  the inputs are the capsule's bytes\n"
                     : "  the inputs were made again from the seed\n";
  if (!same_inputs) text += "  the inputs differ: another opkit generated them\n";
  if (!same_plugin) text += "  the library is not the one that failed\n";
  text += same_outputs ? "  the outputs have the same bits\n" : "  the outputs have other bits\n";
  text += same_verdict ? "  the verdict is the same\n" : "  the verdict has changed\n";
  return text;
}

}  // namespace opkit::verify
