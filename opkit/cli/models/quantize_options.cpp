#include "opkit/cli/models/quantize_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "opkit/cli/options/threads_flag.h"

namespace opkit::cli {
namespace {

using quantize::QuantizeOptions;

// Returns the number of a choice, which the parser has checked.
template <typename Method>
Method chosen(const std::string& word, const std::vector<std::string>& names) {
  return static_cast<Method>(std::find(names.begin(), names.end(), word) - names.begin());
}

const std::vector<std::string>& between_names() {
  static const std::vector<std::string> kNames = {"none", "chains"};
  return kNames;
}

Result<double> percentile_of(const Arguments& arguments) {
  const std::string text = arguments.get("--percentile");
  double value = 0;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code == std::errc() && stop == text.data() + text.size() && value > 50 && value <= 100)
    return value;
  return Error("OPK-CLI-004", fmt::format("--percentile is {}", text),
               "give one above 50, at most 100, such as 99.99");
}

std::vector<Flag> file_flags() {
  return {{.name = "--data",
           .value = "PATH",
           .help = "samples: a .npy or .npz file, or a folder of them",
           .complete = Complete::kFile},
          {.name = "--aipp",
           .value = "FILE",
           .help = "--data are pictures (.jpg, .png); this configuration of static AIPP makes of "
                   "them what the model takes",
           .complete = Complete::kFile},
          {.name = "--record",
           .value = "FILE",
           .help = "take the scales of this record instead of data",
           .complete = Complete::kFile},
          {.name = "--output",
           .value = "FILE",
           .help = "the int8 model; without it MODEL_int8.onnx in this folder. Its record stands "
                   "beside it",
           .complete = Complete::kFile},
          {.name = "--config",
           .value = "FILE",
           .help = "YAML: options, layers to skip, options of single layers",
           .complete = Complete::kFile}};
}

std::vector<Flag> method_flags() {
  return {{.name = "--activation",
           .value = "METHOD",
           .help = "how ranges come out of the data",
           .choices = quantize::range_method_names(),
           .preset = "minmax"},
          {.name = "--percentile",
           .value = "P",
           .help = "per cent of the values that --activation percentile keeps",
           .preset = "99.99"},
          {.name = "--bins",
           .value = "N",
           .help = "of the histograms of percentile and kl",
           .integer = true,
           .least = 256,
           .most = 65536,
           .preset = "2048"},
          {.name = "--weights",
           .value = "METHOD",
           .help = "how a channel's scale comes out of its weights",
           .choices = quantize::weight_method_names(),
           .preset = "mse"},
          {.name = "--asymmetric",
           .value = "",
           .help = "give activations a zero point; the cube's own form is symmetric"},
          {.name = "--between",
           .value = "WHAT",
           .help = "chains: sums, pools and concats between layers stay in int8, too",
           .choices = between_names(),
           .preset = "chains"}};
}

std::vector<Flag> extent_flags() {
  return {
      {.name = "--skip", .value = "LAYER", .help = "a layer that stays float", .repeated = true},
      {.name = "--input_shape",
       .value = "SHAPES",
       .help = "dims that the model leaves open and the data do not say: data:1,3,224,224"},
      {.name = "--samples",
       .value = "N",
       .help = "of the data, the first N; 0: all",
       .integer = true,
       .most = 1000000,
       .preset = "0"},
      {.name = "--check",
       .value = "N",
       .help = "samples on which the int8 model is compared with the float one; 0: none",
       .integer = true,
       .most = 1000000,
       .preset = "8"},
      {.name = "--list", .value = "", .help = "show the layers of the model, and write nothing"},
      threads_flag()};
}

}  // namespace

std::vector<Flag> quantize_flags() {
  std::vector<Flag> flags = file_flags();
  for (Flag& flag : method_flags()) flags.push_back(std::move(flag));
  for (Flag& flag : extent_flags()) flags.push_back(std::move(flag));
  return flags;
}

Status check_source(const Arguments& arguments) {
  const bool data = arguments.has("--data"), record = arguments.has("--record");
  if (data != record || arguments.has("--list")) return {};
  return Error("OPK-CLI-003",
               data ? "--data and --record do not go together" : "neither --data nor --record",
               "give --data with samples, or --record with the scales that they came to");
}

Status check_record_flags(const Arguments& arguments) {
  for (const char* flag : {"--config", "--skip", "--asymmetric", "--activation", "--percentile",
                           "--bins", "--weights", "--between", "--samples", "--check"}) {
    if (arguments.has(flag))
      return Error("OPK-CLI-003", fmt::format("{} and --record do not go together", flag),
                   "edit the record: layers that it does not name stay float");
  }
  return {};
}

namespace {

// Options that no layer's method reads.
Status check_used(const Arguments& arguments, const QuantizeOptions& options) {
  const auto some_layer = [&](quantize::RangeMethod method) {
    return options.common.activation == method ||
           std::any_of(options.layers.begin(), options.layers.end(),
                       [&](const auto& layer) { return layer.second.activation == method; });
  };
  const bool percentile = some_layer(quantize::RangeMethod::kPercentile);
  if (arguments.has("--percentile") && !percentile)
    return Error("OPK-CLI-003", "--percentile, and no layer's range is one",
                 "add --activation percentile");
  if (arguments.has("--bins") && !percentile && !some_layer(quantize::RangeMethod::kDivergence))
    return Error("OPK-CLI-003", "--bins, and no layer's range comes out of a histogram",
                 "add --activation kl, or percentile");
  if (arguments.integer("--bins") % 2 == 0) return {};
  return Error("OPK-CLI-004", fmt::format("--bins is {}", arguments.integer("--bins")),
               "give an even number");
}

}  // namespace

Result<QuantizeOptions> quantize_options(const Arguments& arguments,
                                         const std::vector<std::string>& layers) {
  QuantizeOptions options;
  options.common.activation =
      chosen<quantize::RangeMethod>(arguments.get("--activation"), quantize::range_method_names());
  options.common.weights =
      chosen<quantize::WeightMethod>(arguments.get("--weights"), quantize::weight_method_names());
  options.common.asymmetric = arguments.has("--asymmetric");
  options.between = chosen<quantize::Between>(arguments.get("--between"), between_names());
  options.bins = static_cast<size_t>(arguments.integer("--bins"));
  OPKIT_TRY(options.common.percentile, percentile_of(arguments));
  if (const auto file = arguments.find("--config"))
    OPKIT_CHECK(quantize::read_config(*file, layers, options));
  for (const std::string& name : arguments.all("--skip")) {
    OPKIT_CHECK(quantize::check_layer(name, layers, "--skip"));
    options.layers.emplace(name, options.common).first->second.skip = true;
  }
  OPKIT_CHECK(check_used(arguments, options));
  return options;
}

std::filesystem::path int8_path(const Arguments& arguments) {
  if (const auto output = arguments.find("--output")) return *output;
  const std::filesystem::path model = arguments.get("model");
  return model.stem().string() + "_int8.onnx";
}

std::filesystem::path record_path(const std::filesystem::path& output) {
  return output.parent_path() / (output.stem().string() + "_record.txt");
}

std::filesystem::path keep_path(const std::filesystem::path& output) {
  return output.parent_path() / (output.stem().string() + "_keep_dtype.txt");
}

}  // namespace opkit::cli
