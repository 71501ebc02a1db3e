// atc and the commands on offline models, as a user calls them; without any op, so that everything
// runs on the host. Needs a model of Debian's libonnx-testdata.
#include <filesystem>
#include <fstream>

#include "onnx_writer.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

using ::testing::HasSubstr;

// x: float32 [1, 2], y = Relu(x)
constexpr const char* kRelu =
    "/usr/share/libonnx-testdata/data/simple/test_single_relu_model/model.onnx";

class Models : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    if (!std::filesystem::exists(kRelu)) GTEST_SKIP() << "libonnx-testdata is not installed";
    std::filesystem::create_directories(path("opp/vendors"));
    variables_["ASCEND_OPP_PATH"] = path("opp").string();
  }
  std::vector<std::string> atc(std::vector<std::string> more, const std::string& model = kRelu,
                               const std::string& soc = "Ascend910B1") const {
    std::vector<std::string> words = {"atc", "--model=" + model, "--framework=5",
                                      "--output=" + path("m").string(), "--soc_version=" + soc};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // -1 and 3, as numpy writes them.
  void write_input() const {
    std::string head = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }";
    head.resize(117, ' ');
    head += '\n';
    const float numbers[] = {-1, 3};
    std::ofstream file(path("x.npy"), std::ios::binary);
    file << "\x93NUMPY" << '\x01' << '\0' << '\x76' << '\0' << head;
    file.write(reinterpret_cast<const char*>(numbers), sizeof(numbers));
  }
};

TEST_F(Models, AreCompiledShownAndRun) {
  const Shown made = opkit(atc({"--explain", "--picture=" + path("p").string(),
                                "--fusion_result=" + path("fusion_result.json").string()}));
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("(Relu): host (1 node, no modelled cost)"));
  EXPECT_THAT(made.out, HasSubstr("(fallback): 1 x Relu"));
  EXPECT_THAT(made.out, HasSubstr("ATC run success, welcome to the next use.\n"));
  EXPECT_THAT(read("p_after.dot"), HasSubstr("digraph"));
  EXPECT_THAT(read("fusion_result.json"), HasSubstr("graph_fusion"));
  const auto shown = opkit_json({"om", "show", path("m.om").string()});
  EXPECT_EQ(shown["soc"], "Ascend910B1");
  EXPECT_EQ(shown["steps"][0]["op"], "Relu");
  const Shown info = opkit({"atc", "--mode=6", "--om=" + path("m.om").string()});
  EXPECT_THAT(info.out, HasSubstr("soc_version[Ascend910B1], framework_type[5]"));
  write_input();
  const std::string x = shown["inputs"][0]["name"], y = shown["outputs"][0]["name"];
  const auto ran =
      opkit_json({"model", "run", path("m.om").string(), "--input",
                  x + "=" + path("x.npy").string(), "--out", y + "=" + path("y.npy").string()});
  EXPECT_EQ(ran["host_steps"], 1);
  const std::string file = read("y.npy");
  float numbers[2];
  ASSERT_GE(file.size(), 8u);
  std::copy_n(file.data() + file.size() - 8, 8, reinterpret_cast<char*>(numbers));
  EXPECT_EQ(numbers[0], 0);
  EXPECT_EQ(numbers[1], 3);
}

TEST_F(Models, AreWrittenAsJson) {
  ASSERT_EQ(opkit(atc({})).exit_code, 0);
  const std::string om = path("m.om").string();
  const Shown wrote = opkit({"atc", "--mode=1", "--om=" + om, "--json=m.json"});
  EXPECT_EQ(wrote.exit_code, 0) << wrote.err;
  EXPECT_THAT(wrote.out, HasSubstr("ATC run success, welcome to the next use.\n"));
  const auto json = nlohmann::json::parse(read("m.json"));
  EXPECT_EQ(json["attr"][0]["key"], "soc_version");
  EXPECT_EQ(json["attr"][0]["value"]["s"], "Ascend910B1");
  ASSERT_EQ(json["graph"].size(), 1u);
  const auto& graph = json["graph"][0];
  ASSERT_EQ(graph["op"].size(), 1u);
  const auto& relu = graph["op"][0];
  EXPECT_EQ(relu["type"], "Relu");
  EXPECT_EQ(relu["input"], graph["input"]);
  EXPECT_EQ(relu["output"], graph["output"]);
  EXPECT_EQ(relu["input_desc"][0]["type"], "float32");
  EXPECT_EQ(relu["input_desc"][0]["shape"], nlohmann::json({1, 2}));
  EXPECT_EQ(relu["attr"].back(),
            nlohmann::json({{"key", "_step_kind"}, {"value", {{"s", "host"}}}}));

  const Shown onnx =
      opkit({"atc", "--mode=1", std::string("--om=") + kRelu, "--framework=5", "--json=o.json"});
  EXPECT_EQ(onnx.exit_code, 0) << onnx.err;
  EXPECT_EQ(nlohmann::json::parse(read("o.json"))["graph"][0]["op"][0]["type"], "Relu");

  for (const auto& [words, text] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"atc", "--mode=1", "--om=" + om}, "E10001: parameter [--json] is missing"},
           {{"atc", "--mode=1", "--om=" + om, "--json"}, "parameter [--json] names no file"},
           {{"atc", "--mode=1", "--json=n.json"}, "E10001: parameter [--om] is missing"},
           {{"atc", "--mode=6", "--om=" + om, "--json=n.json"},
            "E10001: value [n.json] for parameter [--json]"},
           {{"atc", "--mode=1", "--om=m.json", "--json=n.json"}, "OPK-OM-001"}}) {
    const Shown refused = opkit(words);
    EXPECT_NE(refused.exit_code, 0);
    EXPECT_THAT(refused.err + refused.out, HasSubstr(text));
    EXPECT_FALSE(std::filesystem::exists(path("n.json")));
  }
}

TEST_F(Models, AreRefusedByName) {
  const Shown none = opkit(atc({"--no-fallback"}));
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.err, HasSubstr("error EZ3003"));
  EXPECT_THAT(none.out, HasSubstr("ATC run failed, Please check the detail log"));
  EXPECT_FALSE(std::filesystem::exists(path("m.om")));
  const Shown slices = opkit(atc({"--virtual_type=1"}));
  EXPECT_EQ(slices.exit_code, 2);
  EXPECT_THAT(slices.err, HasSubstr("E10007: parameter [--virtual_type] is not supported"));
  const Shown unknown = opkit(atc({"--no-such-flag=1"}));
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("OPK-CLI-002"));
  EXPECT_THAT(unknown.out, HasSubstr("ATC run failed, Please check the detail log"));
  const Shown half = opkit(atc({"--precision_mode=fp16"}));
  EXPECT_THAT(half.err, HasSubstr("E10001: value [fp16] for parameter [--precision_mode]"));
  EXPECT_THAT(opkit({"atc", "--framework=5"}).err, HasSubstr("parameter [--model] is missing"));
  EXPECT_THAT(opkit(atc({"--input_shape=1,2"})).err, HasSubstr("E10002"));
  EXPECT_THAT(opkit(atc({}, kRelu, "Ascend999")).err,
              HasSubstr("E10001: value [Ascend999] for parameter [--soc_version] is invalid"));
  EXPECT_THAT(opkit(atc({}, "no.onnx")).err,
              HasSubstr("E10001: value [no.onnx] for parameter [--model] is invalid"));
  write("no.om", "no model");
  EXPECT_THAT(opkit({"om", "show", path("no.om").string()}).err, HasSubstr("OPK-OM-001"));
}

TEST_F(Models, NameAnOperatorThatNobodyReads) {
  OnnxWriter net;
  net.input("x", {1, 2});
  net.node("Sofmax", {"x"}, "y");
  net.output("y", {1, 2});
  write("odd.onnx", net.model());
  const Shown refused = opkit(atc({}, "odd.onnx"));
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err,
              HasSubstr("E19010: No parser is registered for Op [y_node, optype [Sofmax]]"));
  EXPECT_THAT(refused.err, HasSubstr("did you mean 'Softmax'?"));
  EXPECT_FALSE(std::filesystem::exists(path("m.om")));
}

// What the file says of outputs is what the nodes give, or somebody is told.
TEST_F(Models, AreJudgedByTheirDeclaredOutputs) {
  const auto compile = [&](void (*declare)(OnnxWriter&)) {
    OnnxWriter net;
    net.input("x", {2, 3});
    net.node("Relu", {"x"}, "y");
    declare(net);
    write("net.onnx", net.model());
    return opkit(atc({}, "net.onnx"));
  };
  const Shown type = compile([](OnnxWriter& net) { net.integer_output("y", {2, 3}); });
  EXPECT_NE(type.exit_code, 0);
  EXPECT_THAT(type.err, HasSubstr("OPK-ATC-005: the model declares output 'y' as int64, and its "
                                  "nodes give float32\n  in node y_node (Relu)"));
  const Shown nothing = compile([](OnnxWriter&) {});
  EXPECT_NE(nothing.exit_code, 0);
  EXPECT_THAT(nothing.err, HasSubstr("OPK-ONNX-006: the model has no outputs"));
  EXPECT_FALSE(std::filesystem::exists(path("m.om")));
  const Shown dims = compile([](OnnxWriter& net) { net.output("y", {2, 5}); });
  EXPECT_EQ(dims.exit_code, 0);
  EXPECT_THAT(dims.err, HasSubstr("warning OPK-ATC-006: the model declares output 'y' as [2, 5], "
                                  "and its nodes give [2, 3]"));
}

TEST_F(Models, SayWhatAFileIsThatIsNone) {
  write("net.onnx",
        "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22e\n"
        "size 102442450\n");
  const Shown pointer = opkit(atc({}, "net.onnx"));
  EXPECT_EQ(pointer.exit_code, 1);
  EXPECT_THAT(pointer.err, HasSubstr("OPK-ONNX-001: the file is no ONNX model: it is a git LFS "
                                     "pointer, which stands for a file that was not fetched"));
  EXPECT_THAT(pointer.err, HasSubstr("try: git lfs pull"));
  EXPECT_FALSE(std::filesystem::exists(path("m.om")));
}

TEST_F(Models, SayWhatAPrecisionModeCameTo) {
  OnnxWriter net;
  net.input("x", {2, 3});
  net.constant("w", {3, 4}, sixteenths(12, 1));
  net.node("MatMul", {"x", "w"}, "y");
  net.output("y", {2, 4});
  write("net.onnx", net.model());
  const Shown made = opkit(atc({"--precision_mode=allow_mix_precision_bf16"}, "net.onnx"));
  EXPECT_EQ(made.exit_code, 0);
  EXPECT_THAT(made.err, HasSubstr("warning OPK-ATC-007: no node computes in bfloat16, which the "
                                  "precision mode asks for: no installed op takes MatMul in it"));
  EXPECT_THAT(made.out, HasSubstr("precision: 0 nodes compute in bfloat16, as the mode asks\n"
                                  "no installed op takes in that type: 1 x MatMul\n"));
  const Shown origin = opkit(atc({}, "net.onnx"));
  EXPECT_THAT(origin.out + origin.err, ::testing::Not(HasSubstr("precision")));
}

// It would take the next one for its value.
TEST_F(Models, AnOptionWithoutAValueTakesNoOther) {
  const Shown empty = opkit(atc({"--input_shape=", "--precision_mode=origin"}));
  EXPECT_EQ(empty.exit_code, 2);
  EXPECT_THAT(empty.err, HasSubstr("OPK-CLI-004: --input_shape is empty"));
  EXPECT_THAT(empty.err, HasSubstr("try: --input_shape NAME:DIMS;..."));
  const Shown option = opkit(atc({"--picture", "--input_shape=x:1,2"}));
  EXPECT_THAT(option.err, HasSubstr("OPK-CLI-003: --picture needs a value: '--input_shape=x:1,2' "
                                    "behind it is an option"));
  EXPECT_THAT(opkit(atc({"--picture"})).err, HasSubstr("OPK-CLI-003: --picture needs a value: "));
  EXPECT_FALSE(std::filesystem::exists(path("m.om")));
}

TEST_F(Models, NameTheOptionOfAStatedShape) {
  const Shown unknown = opkit(atc({"--input_shape=X:1,2"}));
  EXPECT_THAT(unknown.err, HasSubstr("OPK-ONNX-005: the model has no input 'X'"));
  EXPECT_THAT(unknown.err, HasSubstr("in option --input_shape=X:1,2"));
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'x'?"));
  EXPECT_THAT(opkit(atc({"--input_shape=x"})).err,
              HasSubstr("E10002: input_shape [x] is not of the form"));
}

TEST_F(Models, GiveOtherOutputsInOtherTypes) {
  OnnxWriter net;
  net.input("x", {1, 2});
  net.node("Neg", {"x"}, "n");
  net.node("Abs", {"n"}, "a");
  net.node("Relu", {"a"}, "y");
  net.output("y", {1, 2});
  write("net.onnx", net.model());
  const Shown made =
      opkit(atc({"--out_nodes=a_node:0;n", "--output_type=n:0:FP16", "--input_fp16_nodes=x",
                 "--core_type=AiCore", "--enable_small_channel=1", "--display_model_info=1"},
                "net.onnx"));
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("soc_version[Ascend910B1], framework_type[5]"));
  const auto shown = opkit_json({"om", "show", path("m.om").string()});
  EXPECT_EQ(shown["inputs"][0]["dtype"], "float16");
  EXPECT_EQ(shown["outputs"][0]["name"], "a");
  EXPECT_EQ(shown["outputs"][0]["dtype"], "float32");
  EXPECT_EQ(shown["outputs"][1]["dtype"], "float16");
  EXPECT_THAT(std::string(shown["command"]), HasSubstr("--out_nodes=a_node:0;n"));
  EXPECT_THAT(opkit(atc({"--out_nodes=b:0"}, "net.onnx")).err,
              HasSubstr("E10001: value [b:0] for parameter [--out_nodes] is invalid"));
  EXPECT_THAT(opkit(atc({"--core_type=VectorCore"}, "net.onnx")).err,
              HasSubstr("E10001: value [VectorCore] for parameter [--core_type]"));
}

TEST_F(Models, HelpLeavesOutWhatIsRefused) {
  const std::string help = opkit({"atc", "--help"}).out;
  EXPECT_THAT(help, HasSubstr("--soc_version"));
  EXPECT_THAT(help, HasSubstr("refused by name (E10007)"));
  EXPECT_THAT(help, ::testing::Not(HasSubstr("--virtual_type")));
  for (const char* flag :
       {"--virtual_type", "--op_debug_config", "--status_check", "--cluster_config",
        "--auto_tune_mode", "--enable_graph_parallel", "--graph_parallel_option_path",
        "--model_relation_config", "--distributed_cluster_build", "--shape_generalized_build_mode",
        "--optimization_switch", "--input_hint_shape", "--is_weight_clip", "--allow_hf32"})
    EXPECT_THAT(opkit(atc({std::string(flag) + "=1"})).err,
                HasSubstr("E10007: parameter [" + std::string(flag) + "]"));
  EXPECT_THAT(opkit(atc({"--virtual_typ=1"})).err, ::testing::Not(HasSubstr("--virtual_type ")));
}

TEST_F(Models, TheProgramAtcIsTheCommand) {
  const std::filesystem::path program = std::filesystem::path(opkit_binary()).parent_path() / "atc";
  std::vector<std::string> words = atc({});
  words[0] = program.string();
  const Shown made = run_program(words, folder_, variables_);
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("ATC run success"));
}

}  // namespace
}  // namespace opkit::e2e
