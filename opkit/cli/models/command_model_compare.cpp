// opkit model compare: every inner tensor of two models of one network.
#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/file.h"
#include "opkit/base/npy.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/models/compared_side.h"
#include "opkit/cli/models/inner_values_text.h"
#include "opkit/cli/models/labels.h"
#include "opkit/cli/options/op_choice.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/options/threads_flag.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/progress.h"
#include "opkit/reference/tensor.h"

namespace opkit::cli {
namespace {

namespace fs = std::filesystem;
using quantize::ModelComparison;
using quantize::Samples;
using quantize::ValuePlace;

// Folders and files as tools of dumps know them: SIDE/SAMPLE/OP.NODE.NUMBER.output.0.npy.
class ValueFiles {
 public:
  ValueFiles(fs::path folder) : folder_(std::move(folder)) {}

  void begin(size_t sample) {
    sample_ = sample;
    numbers_[0] = numbers_[1] = 0;
  }

  quantize::LookAtPlace writer(size_t side) {
    return [this, side](const ValuePlace& place, const graph::RefTensor& tensor) {
      return write(side, place, tensor);
    };
  }

 private:
  static std::string plain(std::string name) {
    constexpr size_t kLongest = 160;
    if (name.size() > kLongest) name.resize(kLongest);
    for (char& c : name) {
      if (c == '/' || c == '\\' || c == '.' || static_cast<unsigned char>(c) < 0x20) c = '_';
    }
    return name;
  }

  Status write(size_t side, const ValuePlace& place, const graph::RefTensor& tensor) {
    const fs::path folder = folder_ / (side == 0 ? "a" : "b") / std::to_string(sample_);
    std::error_code code;
    fs::create_directories(folder, code);
    if (code)
      return Error("OPK-FILE-004", "a dump cannot make the folder " + folder.string(),
                   "give --dump a folder that can be written");
    OPKIT_TRY(const Tensor stored, reference::to_tensor(tensor));
    const std::string op = place.op_type.empty() ? "Input" : place.op_type;
    const std::string name = place.node.empty() ? place.value : place.node;
    return save_npy(
        folder / fmt::format("{}.{}.{}.output.0.npy", plain(op), plain(name), numbers_[side]++),
        stored);
  }

  const fs::path folder_;
  size_t sample_ = 0, numbers_[2] = {};
};

Result<ModelComparison> compare(const ComparedModel& a, const ComparedModel& b,
                                const Arguments& arguments, Console& console) {
  const auto limit = static_cast<size_t>(arguments.integer("--samples"));
  const size_t all = std::min(a.samples().count(), b.samples().count());
  const size_t count = limit == 0 ? all : std::min(all, limit);
  quantize::InnerCompareOptions options;
  if (const auto labels = arguments.find("--labels")) {
    OPKIT_TRY(options.labels, read_labels(*labels, all));
  }
  ValueFiles files(arguments.get("--dump"));
  if (arguments.has("--dump")) {
    options.begin_sample = [&](size_t sample) { files.begin(sample); };
    options.dump_a = files.writer(0);
    options.dump_b = files.writer(1);
  }
  ProgressLine progress(console, "compare");
  return quantize::compare_models(a.side(), b.side(), count, options,
                                  [&](size_t done) { progress.advance(done, count, "samples"); });
}

Outcome run_model_compare(const Arguments& arguments, Console& console) {
  if (!arguments.has("--data"))
    return Error("OPK-CLI-003", "no --data", "give samples that both models take");
  if (const auto page = arguments.find("--report")) OPKIT_CHECK(check_writable(*page));
  OPKIT_TRY(ComparedModel a, ComparedModel::open(arguments.get("a"), arguments, console));
  OPKIT_TRY(ComparedModel b, ComparedModel::open(arguments.get("b"), arguments, console));
  OPKIT_TRY(const Samples samples, Samples::load(arguments.get("--data"), a.input_names()));
  OPKIT_CHECK(a.take_data(samples));
  OPKIT_TRY(const Samples same, Samples::load(arguments.get("--data"), b.input_names()));
  OPKIT_CHECK(b.take_data(same));
  OPKIT_TRY(const ModelComparison comparison, compare(a, b, arguments, console));
  const ComparedFiles files{a.file(), b.file()};
  if (const auto page = arguments.find("--report"))
    OPKIT_CHECK(write_file(*page, inner_values_page(comparison, files)));
  const auto rows = static_cast<size_t>(arguments.integer("--rows"));
  console.show(inner_values_json(comparison, files),
               inner_values_text(comparison, rows, console.out()));
  return kOk;
}

std::vector<Flag> model_compare_flags() {
  std::vector<Flag> flags = {
      {.name = "--data",
       .value = "PATH",
       .help = "samples: a .npy or .npz file, or a folder of them",
       .complete = Complete::kFile},
      {.name = "--labels",
       .value = "FILE",
       .help = "the class of each row of the outputs: a .npy of integers, or a text",
       .complete = Complete::kFile},
      {.name = "--report",
       .value = "FILE",
       .help = "write a page (HTML) with a plot",
       .complete = Complete::kFile},
      {.name = "--dump",
       .value = "FOLDER",
       .help = "write every tensor of both models as .npy",
       .complete = Complete::kDirectory},
      {.name = "--samples",
       .value = "N",
       .help = "of the data, the first N; 0: all",
       .integer = true,
       .most = 1000000,
       .preset = "0"},
      {.name = "--rows",
       .value = "N",
       .help = "layers of the ranking that are shown; 0: all",
       .integer = true,
       .most = 1000000,
       .preset = "20"},
      {.name = "--input_shape",
       .value = "SHAPES",
       .help = "dims that a model leaves open and the data do not say: data:1,3,224,224"},
      threads_flag()};
  for (Flag& flag : worker_flags(WorkerUse::kUnlessToldOtherwise)) flags.push_back(std::move(flag));
  flags.push_back(opp_flag());
  return flags;
}

}  // namespace

Command model_compare_command() {
  return {
      .name = "model compare",
      .summary = "every inner tensor of two models of one network",
      .details =
          "Runs both on the same data, an ONNX model by the interpreter, an offline model on its\n"
          "emulated chip. Values are matched by name, then by place. The ranking is by the error\n"
          "that a layer adds when both models give it the same values; what it carries on from\n"
          "before stands beside it. docs/quantize.md tells more.",
      .positionals = {{.name = "a",
                       .help = "the model that is right: an ONNX or .om file",
                       .complete = Complete::kFile},
                      {.name = "b", .help = "the other one", .complete = Complete::kFile}},
      .flags = model_compare_flags(),
      .examples = {{"opkit model compare net.onnx net_int8.onnx --data test.npz",
                    "which layers lose accuracy"},
                   {"opkit model compare net_fp32.om net_fp16.om --data test.npz --labels test.txt",
                    "float16 beside float32, with accuracy"},
                   {"opkit model compare net.onnx net.om --data x.npy --report page.html --dump d",
                    "a page with a plot; all tensors as .npy"}},
      .run = run_model_compare};
}

}  // namespace opkit::cli
