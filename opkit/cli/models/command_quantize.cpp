// opkit quantize: calibration, and a model with QuantizeLinear and DequantizeLinear.
#include <fmt/format.h>

#include "opkit/atc/compile/input_shapes.h"
#include "opkit/base/counted.h"
#include "opkit/base/file.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/models/picture_samples.h"
#include "opkit/cli/models/quantize_for_chip.h"
#include "opkit/cli/models/quantize_options.h"
#include "opkit/cli/models/quantize_text.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/progress.h"
#include "opkit/quantize/quantize_model.h"
#include "opkit/quantize/source_model.h"
#include "opkit/rewrite/onnx/import.h"

namespace opkit::cli {
namespace {

namespace fs = std::filesystem;
using quantize::Int8Model;
using quantize::Samples;
using quantize::SourceModel;
using quantize::Walk;

// The first version of the operators with scales per channel.
constexpr int kLeastOpset = 13;

// A model, the data for it, and what can be quantized.
struct Work {
  SourceModel model;
  std::optional<Samples> samples;
};

Result<Work> open_work(const Arguments& arguments) {
  Work work;
  OPKIT_TRY(work.model, quantize::open_model(arguments.get("model")));
  OPKIT_TRY(const auto shapes, compile::parse_input_shapes(arguments.get("--input_shape")));
  const auto data = arguments.find("--data"), aipp = arguments.find("--aipp");
  if (data && !aipp) {
    OPKIT_TRY(work.samples, Samples::load(*data, work.model.input_names()));
  }
  OPKIT_CHECK(quantize::take_graph(shapes, work.samples ? &*work.samples : nullptr, kLeastOpset,
                                   work.model));
  if (aipp && !data)
    return Error("OPK-CLI-003", "--aipp is about pictures, and there are none",
                 "--data FOLDER, of .jpg and .png files");
  if (aipp) {
    OPKIT_TRY(work.samples, picture_samples(*data, *aipp, work.model.wanted()));
  }
  if (!work.samples) return work;
  OPKIT_CHECK(work.samples->fit(work.model.wanted()));
  const auto most = static_cast<size_t>(arguments.integer("--samples"));
  if (most > 0) work.samples->limit(most);
  return work;
}

Result<quantize::Layers> layers_of(const Work& work, const Walk& walk) {
  OPKIT_TRY(const auto names, onnx_frontend::nodes_of_file(work.model.bytes));
  return quantize::find_layers(walk, {names.begin(), names.end()});
}

// Returns the scales that the data come to, with what they do not cover told.
Result<Int8Model> calibrated(const Work& work, const Walk& walk, quantize::Layers layers,
                             const Arguments& arguments, Console& console) {
  OPKIT_TRY(const quantize::QuantizeOptions options, quantize_options(arguments, layers.names()));
  OPKIT_TRY(const quantize::QuantizeWish wish, quantize::wish_of(walk, std::move(layers), options));
  std::vector<std::string> values;
  for (const auto& [value, group] : wish.region.values) values.push_back(value);
  for (const std::string& input : walk.graph().inputs) {
    if (wish.region.values.count(input) == 0 && is_float(walk.graph().values.at(input).dtype))
      values.push_back(input);
  }
  ProgressLine progress(console, "calibrate");
  const size_t count = work.samples->count();
  OPKIT_TRY(const auto seen,
            quantize::calibrate(walk, *work.samples, values, options.bins,
                                static_cast<unsigned>(arguments.integer("--threads")),
                                [&](size_t done) { progress.advance(done, count, "samples"); }));
  progress.finish();
  for (const Error& warning : quantize::not_covered(seen, walk.graph().inputs, count))
    console.note(warning);
  return quantize::from_data(wish, seen, options);
}

Result<Int8Model> scales_of(const Work& work, const Walk& walk, quantize::Layers layers,
                            const Arguments& arguments, Console& console) {
  if (work.samples) return calibrated(work, walk, std::move(layers), arguments, console);
  OPKIT_CHECK(check_record_flags(arguments));
  OPKIT_TRY(const auto record, quantize::load_record(arguments.get("--record")));
  return quantize::from_record(walk, std::move(layers), record);
}

// Evaluates what was written, read again.
Result<quantize::CheckedModel> check_written(const Work& work, const Walk& walk,
                                             const std::string& bytes, const Arguments& arguments,
                                             Console& console) {
  std::map<std::string, Shape> shapes;
  for (const quantize::Wanted& input : work.model.wanted()) shapes[input.name] = input.shape;
  OPKIT_TRY(const graph::Graph graph, onnx_frontend::import_model(bytes, {.input_shapes = shapes}));
  OPKIT_TRY(const Walk other, Walk::make(graph));
  ProgressLine progress(console, "compare");
  const auto most = static_cast<size_t>(arguments.integer("--check"));
  return quantize::check_model(
      walk, other, *work.samples, most, static_cast<unsigned>(arguments.integer("--threads")),
      [&](size_t done) {
        progress.advance(done, std::min(most, work.samples->count()), "samples");
      });
}

// What was made, and what is told of it.
struct MadeModel {
  Int8Model quantization;
  std::string bytes;
  Json json;
  std::string text;
};

// With --soc the times on a chip are told; with --budget some layers go back to floats.
Status add_chip(const Work& work, const Walk& walk, const Arguments& arguments, Console& console,
                MadeModel& made) {
  if (!arguments.has("--soc")) return {};
  OPKIT_TRY(ForChip chip,
            quantize_for_chip(work.model.bytes, made.bytes, walk, made.quantization,
                              work.samples ? &*work.samples : nullptr, arguments, console));
  made.text += chip.text;
  made.json.update(chip.json);
  if (!chip.mixed) return {};
  made.quantization = std::move(*chip.mixed);
  OPKIT_TRY(made.bytes, quantize::written_model(work.model.bytes, walk, made.quantization));
  if (chip.keep_dtype.empty()) return {};
  const fs::path file = keep_path(int8_path(arguments));
  OPKIT_CHECK(write_file(file, chip.keep_dtype));
  made.json["keep_dtype"] = file.string();
  made.text += fmt::format(
      "layers in float32 are named in {}: atc --keep_dtype={} "
      "--precision_mode=force_fp16\n",
      file.string(), file.string());
  return {};
}

Result<MadeModel> make(const Work& work, const Walk& walk, quantize::Layers layers,
                       const Arguments& arguments, Console& console) {
  MadeModel made;
  OPKIT_TRY(made.quantization, scales_of(work, walk, std::move(layers), arguments, console));
  OPKIT_TRY(made.bytes, quantize::written_model(work.model.bytes, walk, made.quantization));
  made.json = quantization_json(made.quantization);
  made.text = quantization_text(made.quantization, console.out());
  OPKIT_CHECK(add_chip(work, walk, arguments, console, made));
  if (!work.samples || arguments.integer("--check") == 0) return made;
  OPKIT_TRY(const auto checked, check_written(work, walk, made.bytes, arguments, console));
  made.json["check"] = checked_json(checked);
  made.text += checked_text(checked);
  return made;
}

Outcome run_quantize(const Arguments& arguments, Console& console) {
  OPKIT_CHECK(check_source(arguments));
  OPKIT_CHECK(check_chip_flags(arguments));
  const fs::path output = int8_path(arguments), record = record_path(output);
  OPKIT_TRY(const Work work, open_work(arguments));
  OPKIT_TRY(const Walk walk, Walk::make(work.model.graph));
  OPKIT_TRY(quantize::Layers layers, layers_of(work, walk));
  if (arguments.has("--list")) {
    console.show(layers_json(layers), layers_text(layers, console.out()));
    return kOk;
  }
  for (const fs::path& file : {output, record}) OPKIT_CHECK(check_writable(file));
  OPKIT_TRY(MadeModel made, make(work, walk, std::move(layers), arguments, console));
  OPKIT_CHECK(write_file(output, made.bytes));
  OPKIT_CHECK(write_file(record, quantize::record_text(quantize::record_of(made.quantization))));
  made.json.update(
      {{"output", output.string()}, {"record", record.string()}, {"bytes", made.bytes.size()}});
  if (work.samples) made.json["samples"] = work.samples->count();
  console.show(made.json,
               made.text + fmt::format("{} ({}), {}\n", output.string(),
                                       counted(made.bytes.size(), "byte"), record.string()));
  return kOk;
}

std::vector<Flag> all_quantize_flags() {
  std::vector<Flag> flags = quantize_flags();
  for (Flag& flag : chip_flags()) flags.push_back(std::move(flag));
  return flags;
}

}  // namespace

Command quantize_command() {
  return {.name = "quantize",
          .summary = "an int8 model out of a float32 one and data for it",
          .details =
              "Evaluates the model on the samples, gives every Conv, Gemm and MatMul of constant\n"
              "weights int8 scales, and writes it with QuantizeLinear and DequantizeLinear (opset\n"
              "13), which atc and ONNX Runtime read. The record holds the scales of every layer;\n"
              "--record makes the same model again without data. docs/quantize.md tells more.",
          .positionals = {{.name = "model",
                           .help = "an ONNX model in float32",
                           .complete = Complete::kFile}},
          .flags = all_quantize_flags(),
          .examples = {{"opkit quantize resnet50.onnx --data images.npz",
                        "resnet50_int8.onnx and resnet50_int8_record.txt"},
                       {"opkit quantize net.onnx --data calibration --activation kl --skip head",
                        "ranges of least divergence; the layer head stays float"},
                       {"opkit quantize net.onnx --list", "the names of its layers"},
                       {"opkit quantize net.onnx --record net_int8_record.txt",
                        "the scales of a record"},
                       {"opkit quantize net.onnx --data d.npz --soc Ascend310B1 --budget top1=0.5%",
                        "the fastest mix of int8, float16 and float32 that loses no more"}},
          .run = run_quantize};
}

}  // namespace opkit::cli
