#include "opkit/atc/compile/accepted_flags.h"
#include "opkit/cli/models/atc_options.h"
#include "opkit/cli/options/op_choice.h"
#include "opkit/cli/options/opp_option.h"

namespace opkit::cli {

// Flags of the vendor's program that this one does not have yet.
const std::vector<std::string>& missing_atc_flags() {
  static const std::vector<std::string> flags = {"--weight",
                                                 "--check_report",
                                                 "--json_file",
                                                 "--aicore_num",
                                                 "--virtual_type",
                                                 "--op_name_map",
                                                 "--save_original_model",
                                                 "--oo_level",
                                                 "--oo_constant_folding",
                                                 "--compression_optimize_conf",
                                                 "--modify_mixlist",
                                                 "--customize_dtypes",
                                                 "--op_precision_mode",
                                                 "--input_shape_range",
                                                 "--mdl_bank_path",
                                                 "--op_bank_path",
                                                 "--enable_compress_weight",
                                                 "--compress_weight_conf",
                                                 "--oo_dead_code_elimination",
                                                 "--tiling_schedule_optimize",
                                                 "--enable_scope_fusion_passes",
                                                 "--op_debug_config",
                                                 "--status_check",
                                                 "--cluster_config",
                                                 "--auto_tune_mode",
                                                 "--enable_graph_parallel",
                                                 "--graph_parallel_option_path",
                                                 "--model_relation_config",
                                                 "--distributed_cluster_build",
                                                 "--shape_generalized_build_mode",
                                                 "--optimization_switch",
                                                 "--input_hint_shape",
                                                 "--is_weight_clip",
                                                 "--allow_hf32"};
  return flags;
}

namespace {

std::vector<Flag> optimize_flags() {
  return {{.name = "--optimize",
           .value = "",
           .help = "search other forms of the graph whose cover takes less modelled time"},
          {.name = "--optimize-most",
           .value = "N",
           .help = "covers that this search may try",
           .integer = true,
           .least = 1,
           .most = 100000,
           .preset = "64"},
          {.name = "--optimize-seed",
           .value = "N",
           .help = "of the order in which it tries equals: the same seed finds the same",
           .integer = true,
           .most = 4294967295,
           .preset = "1"}};
}

std::vector<Flag> more_flags() {
  std::vector<Flag> flags = optimize_flags();
  for (Flag& flag : worker_flags(WorkerUse::kUnlessToldOtherwise)) flags.push_back(std::move(flag));
  return flags;
}

}  // namespace

std::vector<Flag> atc_flags() {
  std::vector<Flag> flags = {
      {.name = "--model", .value = "FILE", .help = "the ONNX model", .complete = Complete::kFile},
      {.name = "--framework", .value = "N", .help = "5: ONNX"},
      {.name = "--output",
       .value = "PATH",
       .help = "the offline model; .om is added",
       .complete = Complete::kFile},
      {.name = "--soc_version",
       .value = "NAME",
       .help = "the chip: Ascend910B1, Ascend310B1, ...",
       .complete = Complete::kSoc},
      {.name = "--singleop",
       .value = "FILE",
       .help = "compile each operator of this JSON file, into the folder of --output",
       .complete = Complete::kFile},
      {.name = "--input_shape",
       .value = "NAME:DIMS;...",
       .help = "dims of inputs that the model leaves open; -1: see the next flags; 1~8: a range"},
      {.name = "--dynamic_batch_size",
       .value = "N,N,...",
       .help = "gears: values of the batch, which is -1 in --input_shape"},
      {.name = "--dynamic_image_size",
       .value = "H,W;H,W;...",
       .help = "gears: values of H and W, which are -1 in --input_shape"},
      {.name = "--dynamic_dims",
       .value = "A,B;A,B;...",
       .help = "gears: values of every -1 in --input_shape; with --input_format=ND"},
      {.name = "--input_format", .value = "FORMAT", .help = "NCHW, NCDHW or ND"},
      {.name = "--precision_mode",
       .value = "MODE",
       .help = "must_keep_origin_dtype, which is what happens without it, too; force_fp16, "
               "force_fp32, allow_fp32_to_fp16, allow_fp32_to_bf16, allow_mix_precision, ..."},
      {.name = "--precision_mode_v2",
       .value = "MODE",
       .help = "origin, fp16, mixed_float16, mixed_bfloat16: the same"},
      {.name = "--keep_dtype",
       .value = "FILE",
       .help = "nodes that keep the model's types, a line such as conv1 or OpType::Softmax each",
       .complete = Complete::kFile},
      {.name = "--insert_op_conf",
       .value = "FILE",
       .help = "AIPP: crop, colours, mean, variance and padding in front of inputs that are images",
       .complete = Complete::kFile},
      {.name = "--out_nodes",
       .value = "NODE:N;...",
       .help = "the model's outputs: of nodes, by name and number (conv5:0), or values by name"},
      {.name = "--output_type",
       .value = "TYPE",
       .help = "of outputs: FP32, FP16, UINT8, INT32, ...; of single ones NODE:N:TYPE;..."},
      {.name = "--input_fp16_nodes",
       .value = "NAME;...",
       .help = "inputs of floats that are taken as float16"},
      {.name = "--calibration",
       .value = "NAME=FILE",
       .help = "a .npy file for each input: warns of values that a narrower type cannot hold",
       .complete = Complete::kFile,
       .repeated = true},
      {.name = "--optypelist_for_implmode",
       .value = "OP,...",
       .help = "the ops that --op_select_implmode is for"},
      {.name = "--fusion_switch_file",
       .value = "FILE",
       .help = "ops that are not to be used, a line such as AddRelu:off each",
       .complete = Complete::kFile},
      {.name = "--generate_chains",
       .value = "",
       .help = "write, build and prove an op for each element-wise chain that saves 30 % of its "
               "traffic; seconds each, kept for the next time"},
      {.name = "--mode",
       .value = "N",
       .help =
           "0: compile; 1: write the model of --om as JSON, to --json=FILE; 6: show the offline "
           "model of --om",
       .preset = "0"},
      {.name = "--om",
       .value = "FILE",
       .help = "an offline model, with --mode=1 and 6; an ONNX model with --mode=1 --framework=5",
       .complete = Complete::kFile},
      {.name = "--display_model_info",
       .value = "N",
       .help = "1: show afterwards what the offline model holds, as --mode=6 does",
       .choices = {"0", "1"},
       .preset = "0"},
      {.name = "--log",
       .value = "LEVEL",
       .help = "info and debug: how many places each rewrite changed",
       .choices = {"debug", "info", "warning", "error", "null"},
       .preset = "null"},
      {.name = "--no-fallback",
       .value = "",
       .help = "a node that no plugin takes is an error (EZ3003) instead of a step on the host"},
      {.name = "--check",
       .value = "",
       .help = "run every chosen kernel on integers beside its reference, too; both covers are "
               "compared on data without it"},
      {.name = "--bisect",
       .value = "",
       .help = "the same; a fused op that moves the output is named and left out"},
      {.name = "--no-check",
       .value = "",
       .help = "do not run the chosen cover and the one of single nodes on data"},
      {.name = "--explain",
       .value = "",
       .help = "per node: who took it, who could have, who declined and why"},
      {.name = "--fusion_result",
       .value = "FILE",
       .help = "how often each fused op matched and was chosen, as JSON",
       .complete = Complete::kFile},
      {.name = "--picture",
       .value = "PREFIX",
       .help = "PREFIX_before and PREFIX_after as .svg, .onnx and .dot"},
      opp_flag(),
      locked_flag(),
  };
  for (Flag& flag : more_flags()) flags.push_back(std::move(flag));
  for (const compile::AcceptedFlag& flag : compile::accepted_flags())
    flags.push_back(
        {.name = "--" + flag.name, .value = "VALUE", .help = "changes nothing", .hidden = true});
  for (const std::string& name : missing_atc_flags())
    flags.push_back({.name = name, .value = "VALUE", .help = "refused", .hidden = true});
  return flags;
}

}  // namespace opkit::cli
