// opkit tune: knobs of a new project searched, proved, kept beside the package and used from there.
#include <fstream>

#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using Words = std::vector<std::string>;

class Tune : public OpkitTest {
 protected:
  // A project of the template with few values of each knob and two bench shapes, installed.
  // `wrong`: with tiles of 512 it computes something else.
  void make_op(bool wrong = false) {
    ASSERT_EQ(opkit({"new", "TunedAdd", "--template", "elementwise"}).exit_code, 0);
    std::string contract = read("tuned_add/op_contract.yaml");
    const size_t from = contract.find("tuning:"), to = contract.find("\ntests:");
    ASSERT_NE(from, std::string::npos);
    contract.replace(from, to - from,
                     wrong ? "tuning: {tile: [512, 8192]}"
                           : "tuning: {tile: [512, 2048, 8192], cores: [8, 24, 48]}");
    contract.replace(contract.find("bench:"), std::string::npos,
                     "bench:\n  shapes: [{A: [262144], B: [262144]}, {A: [512, 256], B: [256]}]\n");
    const std::string types = "[float16, float32, bfloat16]";
    contract.replace(contract.find(types), types.size(), "[float16]");
    write("tuned_add/op_contract.yaml", contract);
    std::string host = read("tuned_add/op_host/tuned_add.cpp");
    const std::string plan = "  return elementwise::Plan";
    const size_t at = host.find(plan);
    ASSERT_NE(at, std::string::npos) << host;
    if (wrong)
      host.insert(at, "  if (tuning::Knob(context, \"tile\", 0) == 512) tiling->alpha += 1;\n");
    write("tuned_add/op_host/tuned_add.cpp", host);
    const Shown built = opkit({"build", "tuned_add", "--install", "--opp", "opp"});
    ASSERT_EQ(built.exit_code, 0) << built.err;
  }

  nlohmann::json tune(Words more, int exit_code = 0) {
    Words words = {"tune", "TunedAdd", "--opp", "opp", "--store", "t.sqlite"};
    words.insert(words.end(), more.begin(), more.end());
    return opkit_json(words, exit_code);
  }
  fs::path bank() const {
    for (const auto& vendor : fs::directory_iterator(path("opp/vendors"))) {
      const fs::path file = vendor.path() / "tuning/TunedAdd-1.0.0.json";
      if (fs::exists(file)) return file;
    }
    return {};
  }
  // The log lines of a plan: their codes.
  std::string codes_of_plan(const std::string& elements, Words more = {}) {
    Words words = {"tile",    "TunedAdd", "--opp",         "opp",     "--dtype",
                   "float16", "--shape",  "x=" + elements, "--shape", "y=" + elements};
    words.insert(words.end(), more.begin(), more.end());
    std::string codes;
    const nlohmann::json shown = opkit_json(words);
    for (const auto& line : shown["log"]) codes += std::string(line["code"]) + " ";
    return codes;
  }
  void forget() {
    fs::remove(path("t.sqlite"));
    fs::remove(bank());
  }

  void finds_and_keeps() {
    const auto all = tune({"--report", "t.html"});
    ASSERT_EQ(all["calls"].size(), 2u);
    const auto& one = all["calls"][0];
    EXPECT_EQ(one["space"], 9);
    EXPECT_TRUE(one["proved"]) << one;
    EXPECT_EQ(one["winner"]["verdict"], "right");
    EXPECT_LE(one["winner"]["ns"], one["default"]["ns"]);
    EXPECT_GE(one["winner"]["ns"], one["bound_ns"]);
    const auto whole = opkit_json({"tune", "TunedAdd", "--opp", "opp", "--store", "whole.sqlite",
                                   "--out", "whole.json", "--everything"});
    for (const auto& call : whole["calls"]) {
      for (const auto& row : call["rows"]) {
        const bool measured = row["verdict"] == "measured" || row["verdict"] == "right";
        EXPECT_TRUE(!measured || row["ns"] >= row["bound_ns"]) << row;
      }
    }
    EXPECT_THAT(read("t.html"), AllOf(HasSubstr("<svg"), HasSubstr("class=\"heat\"")));
    EXPECT_FALSE(bank().empty());
    const auto again = tune({});  // nothing is measured twice
    EXPECT_EQ(again["calls"][0]["from_store"], again["calls"][0]["measured"]);
    EXPECT_EQ(again["calls"][0]["winner"], one["winner"]);
  }

  void is_the_same_everywhere() {
    const std::string alone = text_of(bank());
    forget();
    tune({"--workers", "2"});
    EXPECT_EQ(text_of(bank()), alone);
    forget();
    tune({"--shard", "1/2", "--out", "1.json"});
    tune({"--shard", "2/2", "--out", "2.json"});
    EXPECT_TRUE(bank().empty());
    tune({"--jobs", "2"});
    EXPECT_EQ(text_of(bank()), alone);
    is_the_same_on_ranks(alone);
    fs::remove(bank());
    const auto lacks = opkit_json({"tune", "merge", "1.json", "--opp", "opp"}, 1);
    EXPECT_EQ(lacks["error"]["code"], "OPK-TUNE-013");
    EXPECT_THAT(lacks.dump(), HasSubstr("has no result in any of 1 files; 2 shards were made"));
    EXPECT_TRUE(bank().empty());
    EXPECT_EQ(opkit_json({"tune", "merge", "2.json", "1.json", "--opp", "opp"})["entries"], 2);
    EXPECT_EQ(text_of(bank()), alone);
  }

  // Tries ranks where mpirun and the library that speaks MPI are.
  void is_the_same_on_ranks(const std::string& alone) {
    if (run_program({"sh", "-c", "command -v mpirun"}, folder_).exit_code != 0) {
      std::cout << "mpirun is missing: nothing is tried on ranks\n";
      return;
    }
    forget();
    const Shown ran =
        run_program({"mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2", opkit_binary(),
                     "tune", "TunedAdd", "--opp", "opp", "--store", "t.sqlite"},
                    folder_);
    if (ran.err.find("OPK-SPREAD-002") != std::string::npos) {
      std::cout << "libopkit_mpi.so was not built: nothing is tried on ranks\n";
      return;
    }
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(text_of(bank()), alone);
  }

  void is_used() {
    EXPECT_THAT(codes_of_plan("262144"), HasSubstr("OPK-TUNE-010"));
    EXPECT_THAT(codes_of_plan("300000"), HasSubstr("OPK-TUNE-011"));
    EXPECT_EQ(codes_of_plan("1000000"), "");  // farther than double
    EXPECT_EQ(codes_of_plan("262144", {"--attr", "tuning.bank=0"}), "");
    EXPECT_EQ(codes_of_plan("262144", {"--attr", "tuning.tile=512"}), "");
    const Shown ran = opkit({"run", "TunedAdd", "--opp", "opp", "--dtype", "float16", "--shape",
                             "x=262144", "--shape", "y=262144"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
  }

  void is_refused_when_stale() {
    const std::string good = text_of(bank());
    std::string other = good;
    const size_t digest = other.find("\"plugin\": \"") + 11;
    other[digest] = other[digest] == 'a' ? 'b' : 'a';
    std::ofstream(bank()) << other;
    EXPECT_THAT(codes_of_plan("262144"), HasSubstr("OPK-TUNE-004"));
    EXPECT_THAT(opkit({"tile", "TunedAdd", "--opp", "opp", "--dtype", "float16", "--shape",
                       "x=262144", "--shape", "y=262144"})
                    .out,
                HasSubstr("was tuned with another plugin"));
    std::string refused = good;
    for (size_t from = 0; (from = refused.find("\"cores\": ", from)) != std::string::npos;) {
      from += 9;
      refused.replace(from, refused.find_first_of(",\n}", from) - from, "7");
    }
    std::ofstream(bank()) << refused;
    EXPECT_THAT(codes_of_plan("262144"), HasSubstr("OPK-TUNE-012"));
    std::ofstream(bank()) << "{\"bank\": 7}";
    EXPECT_THAT(codes_of_plan("262144"), HasSubstr("OPK-TUNE-003"));
    std::ofstream(bank()) << good;
  }

  void refuses() {
    const auto code = [&](const nlohmann::json& shown) { return shown["error"]["code"]; };
    const Words tile = {"tile", "TunedAdd", "--opp", "opp", "--shape", "x=8", "--shape", "y=8"};
    const auto with = [&](const std::string& attr) {
      Words words = tile;
      words.insert(words.end(), {"--attr", attr});
      return opkit_json(words, 1);
    };
    EXPECT_EQ(code(with("tuning.tiel=512")), "OPK-TUNE-001");
    EXPECT_THAT(with("tuning.tiel=512").dump(), HasSubstr("there is no knob 'tiel'"));
    EXPECT_EQ(code(with("tuning.tile=7")), "OPK-TUNE-002");
    EXPECT_THAT(with("tuning.tile=7").dump(), HasSubstr("it has 3 values from 512 to 8192"));
    EXPECT_EQ(code(tune({"--score", "latancy"}, 1)), "OPK-TUNE-006");
    EXPECT_EQ(code(tune({"--shard", "3/2", "--out", "x.json"}, 1)), "OPK-TUNE-014");
    EXPECT_EQ(code(tune({"--shard", "1/2"}, 1)), "OPK-TUNE-014");
    EXPECT_EQ(code(opkit_json({"tune", "--all", "--case", "99", "--opp", "opp"}, 1)),
              "OPK-TUNE-016");
    const auto store = opkit_json({"tune", "TunedAdd", "--opp", "opp", "--store", "/proc/no/t"}, 1);
    EXPECT_EQ(code(store), "OPK-TUNE-005");
    EXPECT_THAT(store.dump(), HasSubstr("cannot keep measurements in /proc/no/t"));
  }

  void shows_its_history() {
    const auto all = opkit_json({"tune", "history", "TunedAdd", "--store", "t.sqlite"});
    EXPECT_GE(all["candidates"].size(), 2u);
    const Shown csv = opkit({"tune", "history", "--csv", "--store", "t.sqlite"});
    EXPECT_THAT(csv.out, HasSubstr("op,version,soc,inputs,attrs,knobs,verdict,code,ns"));
    EXPECT_THAT(csv.out, HasSubstr("\nTunedAdd,1.0.0,Ascend910B1,"));
    EXPECT_THAT(opkit({"tune", "history", "--store", "none.sqlite"}).out,
                HasSubstr("nothing was measured yet"));
  }
};

TEST_F(Tune, AnOpFromItsKnobsToItsBank) {
  make_op();
  if (HasFatalFailure()) return;
  finds_and_keeps();
  is_the_same_everywhere();
  is_used();
  is_refused_when_stale();
  refuses();
  shows_its_history();
}

TEST_F(Tune, AWrongCandidateNeverWins) {
  make_op(true);
  if (HasFatalFailure()) return;
  const auto all = tune({"--everything", "--case", "1"});
  size_t wrong = 0;
  for (const auto& row : all["calls"][0]["rows"]) {
    if (row["verdict"] != "wrong") continue;
    ++wrong;
    EXPECT_EQ(row["knobs"]["tile"], 512);
    EXPECT_EQ(row["code"], "OPK-TUNE-015");
  }
  EXPECT_NE(all["calls"][0]["winner"]["knobs"].value("tile", 0), 512);
  EXPECT_GE(wrong, 1u) << all;
}

TEST_F(Tune, AnOpWithoutKnobsIsToldHowToGetThem) {
  const auto none =
      opkit_json({"tune", std::string(OPKIT_SOURCE_DIR) + "/ops/fused/grouped_matmul"}, 1);
  EXPECT_EQ(none["error"]["code"], "OPK-TUNE-008");
  EXPECT_THAT(none.dump(), AllOf(HasSubstr("leaves nothing to choose"), HasSubstr("tuning::Knob")));
}

TEST_F(Tune, KnobsInContractsAreChecked) {
  write("op_contract.yaml",
        text_of(std::string(OPKIT_SOURCE_DIR) + "/ops/fused/grouped_matmul/op_contract.yaml") +
            "tuning: {tile: {range: [1000, 10]}}\n");
  const auto bad = opkit_json({"contract", "check", "op_contract.yaml"}, 1);
  EXPECT_THAT(bad.dump(),
              AllOf(HasSubstr("OPK-CONTRACT-090"), HasSubstr("knob 'tile' has an empty range")));
}

}  // namespace
}  // namespace opkit::e2e
