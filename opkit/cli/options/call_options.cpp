#include "opkit/cli/options/call_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/document.h"
#include "opkit/base/npz.h"
#include "opkit/base/suggest.h"
#include "opkit/cli/options/knob_options.h"

namespace opkit::cli {
namespace {

std::vector<std::string> named(const auto& all) {
  std::vector<std::string> names;
  for (const auto& one : all) names.push_back(one.name);
  return names;
}

// The suggestion keeps the value that was given.
Error no_such(const std::string& flag, const OpContract& contract, const std::string& kind,
              const Assignment& given, const std::vector<std::string>& known) {
  const std::string& name = given.name;
  const std::string there =
      known.empty() ? "it has none" : fmt::format("it has: {}", fmt::join(known, ", "));
  Error error("OPK-CLI-007", fmt::format("{} {}: {} has no {} of this name; {}", flag, name,
                                         contract.op, kind, there));
  const auto near = nearest(name, known);
  error.action = near || !known.empty() ? assigned(flag, near ? *near : known[0], given.value)
                                        : fmt::format("leave {} out", flag);
  return error;
}

Status check_input(const std::string& flag, const OpContract& contract, const Assignment& given) {
  if (contract.input(given.name)) return {};
  return no_such(flag, contract, "input", given, named(contract.inputs));
}

// An array of an .npz file has the name of an input.
Status check_archived(const std::string& path, const OpContract& contract,
                      const std::string& name) {
  if (contract.input(name)) return {};
  std::vector<std::string> arrays;
  for (const std::string& input : named(contract.inputs)) arrays.push_back(input + "=" + input);
  return Error("OPK-CLI-007",
               fmt::format("{} holds an array '{}'; {} has no input of this name; it has: {}", path,
                           name, contract.op, fmt::join(named(contract.inputs), ", ")),
               fmt::format("numpy.savez(\"{}\", {})", path, fmt::join(arrays, ", ")));
}

Result<DType> read_dtype(const std::string& text) {
  if (const auto dtype = dtype_from_name(text)) return *dtype;
  std::vector<std::string> known;
  for (const DType each : all_dtypes()) known.emplace_back(name_of(each));
  return Error("OPK-CLI-008", fmt::format("--dtype: '{}' is no dtype", text),
               fmt::format("--dtype {}", nearest(text, known).value_or("float16")));
}

// "[32x128]", "32x128" -> "32,128".
std::string plain_dims(std::string dims) {
  if (dims.starts_with('[') && dims.ends_with(']')) dims = dims.substr(1, dims.size() - 2);
  if (dims.find("..") == std::string::npos) std::replace(dims.begin(), dims.end(), 'x', ',');
  return dims;
}

Status read_shapes(const OpContract& contract, const Arguments& arguments,
                   measure::SaidCall& options) {
  for (const std::string& text : arguments.all("--shape")) {
    OPKIT_TRY(Assignment given, parse_assignment("--shape", text, named(contract.inputs)));
    OPKIT_CHECK(check_input("--shape", contract, given));
    options.shapes[given.name].push_back(plain_dims(std::move(given.value)));
  }
  return {};
}

Status read_out_shapes(const OpContract& contract, const Arguments& arguments,
                       measure::SaidCall& options) {
  const std::vector<std::string> known = named(contract.outputs);
  for (const std::string& text : arguments.all("--out-shape")) {
    OPKIT_TRY(Assignment given, parse_assignment("--out-shape", text, known));
    if (!contract.output(given.name))
      return no_such("--out-shape", contract, "output", given, known);
    const std::string dims = plain_dims(std::move(given.value));
    OPKIT_TRY(TensorFacts facts, measure::facts_of_dims("--out-shape", given.name, "uint8", dims));
    options.out_shapes[given.name].push_back(std::move(facts.desc.shape));
  }
  return {};
}

Status read_dtypes(const OpContract& contract, const Arguments& arguments,
                   measure::SaidCall& options) {
  for (const std::string& text : arguments.all("--dtype")) {
    if (text.find('=') == std::string::npos) {
      OPKIT_TRY(options.any_dtype, read_dtype(text));
      continue;
    }
    OPKIT_TRY(const Assignment given, parse_assignment("--dtype", text, named(contract.inputs)));
    OPKIT_CHECK(check_input("--dtype", contract, given));
    OPKIT_TRY(options.dtypes[given.name], read_dtype(given.value));
  }
  return {};
}

Status read_formats(const OpContract& contract, const Arguments& arguments,
                    measure::SaidCall& options) {
  for (const std::string& text : arguments.all("--format")) {
    OPKIT_TRY(const Assignment given, parse_assignment("--format", text, named(contract.inputs)));
    OPKIT_CHECK(check_input("--format", contract, given));
    const auto format = format_from_name(given.value);
    if (format) {
      options.formats[given.name] = *format;
      continue;
    }
    std::vector<std::string> known;
    for (const Format each : all_formats()) known.emplace_back(name_of(each));
    return Error("OPK-CLI-008", fmt::format("--format: '{}' is no format", given.value),
                 fmt::format("--format {}={}", given.name,
                             nearest(given.value, known).value_or("FRACTAL_NZ")));
  }
  return {};
}

Result<AttrValue> read_attr(const Attr& attr, const std::string& text) {
  if (attr.type == AttrType::kString) return AttrValue(text);
  OPKIT_TRY(const Document document, Document::parse(text, "--attr " + attr.name));
  return read_attr_value(document.root(), attr.type, attr.name);
}

// "--attr 0.5" is a value without its name, "--attr epsilon" a name that the op does not have.
Result<Assignment> parse_attr(const OpContract& contract, const std::string& text,
                              const std::vector<std::string>& known) {
  auto given = parse_assignment("--attr", text, known);
  if (given.ok() || known.empty() || contract.attr(text)) return given;
  const Attr& first = contract.attrs.front();
  const auto value = read_attr(first, text);
  if (first.type != AttrType::kString && value.ok() && first.check(*value).ok()) return given;
  const std::string name = nearest(text, known).value_or(first.name);
  return Error(given.error().code,
               fmt::format("{}; {} has the attributes {}", given.error().message, contract.op,
                           fmt::join(known, ", ")),
               assigned("--attr", name, "VALUE"));
}

// The option is wrong, not the contract: this is where a value is read that a contract could hold.
Error bad_attr(const Attr& attr, const std::string& value, const Error& reason) {
  return Error("OPK-CLI-004",
               fmt::format("--attr {} is '{}': {}", attr.name, value, reason.message),
               attr.default_value ? assigned("--attr", attr.name, to_string(*attr.default_value))
                                  : reason.action);
}

Status read_attrs(const OpContract& contract, const Arguments& arguments,
                  measure::SaidCall& options) {
  const std::vector<std::string> known = named(contract.attrs);
  OPKIT_TRY(const auto texts, read_knobs_said(contract, arguments, options.attrs));
  for (const std::string& text : texts) {
    OPKIT_TRY(const Assignment given, parse_attr(contract, text, known));
    const Attr* attr = contract.attr(given.name);
    if (!attr) return no_such("--attr", contract, "attribute", given, known);
    Result<AttrValue> value = read_attr(*attr, given.value);
    const Status legal = value.ok() ? attr->check(*value) : Status(value.error());
    if (!legal.ok()) return bad_attr(*attr, given.value, legal.error());
    options.attrs[given.name] = std::move(value).value();
  }
  return {};
}

Tensor rounded_to(const Tensor& tensor, DType dtype) {
  Tensor rounded(dtype, tensor.shape(), tensor.desc().name);
  for (int64_t i = 0; i < tensor.elements(); ++i) rounded.set(i, tensor.at(i));
  return rounded;
}

// What NumPy has no name for is read from its bits: words of bfloat16, int8 of int4. NumPy's own
// float64 is rounded to the dtype that was said.
Result<Tensor> read_npy(const measure::SaidCall& options, const std::string& name,
                        const std::string& file) {
  const auto said = options.dtypes.find(name);
  if (said == options.dtypes.end()) return load_npy(file);
  if (is_float(said->second) && said->second != DType::kFloat64) {
    OPKIT_TRY(const Tensor tensor, load_npy(file));
    if (tensor.dtype() == DType::kFloat64) return rounded_to(tensor, said->second);
  }
  NpyOptions npy;
  npy.as = said->second;
  return load_npy(file, npy);
}

bool takes(const Port& port, DType dtype) {
  return std::count(port.dtypes.begin(), port.dtypes.end(), dtype) > 0;
}

// Returns the widest floating dtype of the input in a column that the other files fit.
std::optional<DType> widest_for(const OpContract& contract, const measure::SaidCall& options,
                                const Port& input) {
  std::optional<DType> widest;
  for (size_t column = 0; column < contract.column_count(); ++column) {
    const bool fits =
        std::all_of(contract.inputs.begin(), contract.inputs.end(), [&](const Port& port) {
          const auto read = options.tensors.find(port.name);
          if (port.name == input.name || read == options.tensors.end()) return true;
          const DType dtype = read->second.front().dtype();
          return dtype == port.dtypes[column] || !takes(port, dtype);
        });
    const DType dtype = input.dtypes[column];
    if (fits && is_float(dtype) && (!widest || bits_of(dtype) > bits_of(*widest))) widest = dtype;
  }
  return widest;
}

// Returns a line of NumPy that makes the file one which the input takes.
std::string cast_line(const Port& port, const std::string& file) {
  const bool numpy_has = port.dtypes[0] != DType::kBFloat16 || !takes(port, DType::kFloat32);
  const std::string_view dtype = name_of(numpy_has ? port.dtypes[0] : DType::kFloat32);
  if (file.ends_with(".npy"))
    return fmt::format("numpy.save(\"{0}\", numpy.load(\"{0}\").astype(\"{1}\"))", file, dtype);
  return fmt::format("keep {} in the archive as {}.astype(\"{}\")", port.name, port.name, dtype);
}

// Files that hold a dtype which no column has for the input, named as the user knows them.
Status check_file_dtypes(const OpContract& contract, const measure::SaidCall& options,
                         const std::map<std::string, std::string>& files) {
  for (const auto& [name, file] : files) {
    const Port& port = *contract.input(name);
    const DType dtype = options.tensors.at(name).front().dtype();
    if (takes(port, dtype)) continue;
    std::vector<std::string> known;
    for (const DType each : port.dtypes) {
      if (std::count(known.begin(), known.end(), name_of(each)) == 0)
        known.emplace_back(name_of(each));
    }
    const auto rounded = dtype == DType::kFloat64 && file.ends_with(".npy")
                             ? widest_for(contract, options, port)
                             : std::nullopt;
    return Error("OPK-CLI-011",
                 fmt::format("{} holds {}; input {} of {} takes {}", file, name_of(dtype), name,
                             contract.op, fmt::join(known, ", ")),
                 rounded
                     ? fmt::format("--dtype {}={} (rounds every element)", name, name_of(*rounded))
                     : cast_line(port, file));
  }
  return {};
}

Status read_archive(const OpContract& contract, const std::string& path, measure::SaidCall& options,
                    std::map<std::string, std::string>& files) {
  OPKIT_TRY(std::vector<Tensor> tensors, load_npz(path));
  for (Tensor& tensor : tensors) {
    const std::string name = tensor.desc().name;
    OPKIT_CHECK(check_archived(path, contract, name));
    files[name] = path + ":" + name;
    options.tensors[name].push_back(std::move(tensor));
  }
  return {};
}

Status read_inputs(const OpContract& contract, const Arguments& arguments,
                   measure::SaidCall& options) {
  std::map<std::string, std::string> files;  // names the file of each input
  for (const std::string& text : arguments.all("--in")) {
    if (text.find('=') == std::string::npos && text.ends_with(".npz")) {
      OPKIT_CHECK(read_archive(contract, text, options, files));
      continue;
    }
    OPKIT_TRY(const Assignment given, parse_assignment("--in", text, named(contract.inputs)));
    OPKIT_CHECK(check_input("--in", contract, given));
    OPKIT_TRY(Tensor tensor, read_npy(options, given.name, given.value));
    files[given.name] = given.value;
    tensor.desc().name = given.name;
    options.tensors[given.name].push_back(std::move(tensor));
  }
  OPKIT_CHECK(check_file_dtypes(contract, options, files));
  for (const auto& [name, tensors] : options.tensors) {
    if (options.shapes.count(name) == 0) continue;
    return Error("OPK-CLI-009", fmt::format("input {} has both a file and a --shape", name),
                 fmt::format("leave --shape {} out", name));
  }
  return {};
}

}  // namespace

std::vector<Flag> shape_flags() {
  return {{.name = "--shape",
           .value = "NAME=DIMS",
           .help = "dims of an input: x=32,128 or x=32x128; x= for a scalar",
           .repeated = true},
          {.name = "--dtype",
           .value = "NAME=TYPE",
           .help = "dtype of an input: x=float16; a dtype alone is the first input's",
           .repeated = true},
          {.name = "--format",
           .value = "NAME=FORMAT",
           .help = "the column in which the kernel gets an input so: w=FRACTAL_NZ",
           .repeated = true},
          {.name = "--attr",
           .value = "NAME=VALUE",
           .help = "an attribute: alpha=0.5, axes=[0,1]; others take their defaults",
           .repeated = true}};
}

Flag input_flag() {
  return {.name = "--in",
          .value = "NAME=FILE",
          .help = "an input from a .npy file; a .npz file alone gives every input by its name",
          .complete = Complete::kFile,
          .repeated = true};
}

Flag output_shape_flag() {
  return {.name = "--out-shape",
          .value = "NAME=DIMS",
          .help =
              "dims of an output, as the caller of a single-op call allocates it; once all are "
              "known, InferShape is not asked",
          .repeated = true};
}

Result<measure::SaidCall> read_call_options(const OpContract& contract,
                                            const Arguments& arguments) {
  measure::SaidCall options;
  OPKIT_CHECK(read_shapes(contract, arguments, options));
  OPKIT_CHECK(read_dtypes(contract, arguments, options));
  OPKIT_CHECK(read_formats(contract, arguments, options));
  OPKIT_CHECK(read_attrs(contract, arguments, options));
  OPKIT_CHECK(read_inputs(contract, arguments, options));
  OPKIT_CHECK(read_out_shapes(contract, arguments, options));
  return options;
}

}  // namespace opkit::cli
