#include "opkit/call/trace/trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "opkit/base/document.h"
#include "opkit/base/file.h"
#include "opkit/call/trace/rates.h"
#include "opkit/call/trace/report.h"
#include "opkit/call/trace/waits.h"

namespace opkit::trace {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Not;

core::TimedResult sample() {
  core::TimedResult r;
  r.rates = rates_of(*find_soc("Ascend910B1").value().spec).value();
  r.kernel = "add";
  r.block_dim = 2;
  r.cycles = 1850;
  r.task_ns = 1500;
  for (uint32_t b = 0; b < 2; ++b) {
    core::CoreTimes core;
    core.block = b;
    core.end = 1850;
    core.pipes[1].busy = 925;
    core.pipes[4].busy = 1850;
    core.pipes[1].waiting_for[4] = 100;
    core.traffic.gm_to_ub = 1 << 20;
    core.traffic.hbm_read = 1 << 20;
    core.traffic.vector_operations = 1 << 18;
    core.traffic.l2_read_hits = 1;
    core.traffic.l2_read_misses = 3;
    r.traffic.add(core.traffic);
    r.cores.push_back(core);
  }
  r.instructions[{1, "Add"}] = {4, 1850, 0};
  r.spans = {{0, 4, 0, 1000, "DataCopy", nullptr}, {0, 1, 1000, 1850, "Add \"x\"", nullptr}};
  return r;
}

size_t columns(const std::string& line) {
  return static_cast<size_t>(std::count(line.begin(), line.end(), ',')) + 1;
}

TEST(Trace, IsJsonWithARowPerPipe) {
  const std::string text = chrome_trace(sample(), nullptr);
  const auto document = Document::parse(text, "trace.json");
  ASSERT_TRUE(document.ok()) << document.error().to_string();
  EXPECT_THAT(text, HasSubstr(R"("name":"block 1 veccore0")"));
  EXPECT_THAT(text, HasSubstr(R"("name":"MTE2")"));
  EXPECT_THAT(text, HasSubstr(R"("ts":0.540,"dur":0.459)"));
  EXPECT_THAT(text, HasSubstr(R"(Add \"x\")"));
}

// "Trace Event Format" of Chrome: the JSON object form, complete events and metadata events.
void expect_metadata(const nlohmann::json& event) {
  static const std::map<std::string, std::string> kKeys = {{"process_name", "name"},
                                                           {"thread_name", "name"},
                                                           {"process_sort_index", "sort_index"},
                                                           {"thread_sort_index", "sort_index"}};
  const auto key = kKeys.find(event.at("name"));
  ASSERT_NE(key, kKeys.end()) << event;
  const nlohmann::json& value = event.at("args").at(key->second);
  EXPECT_TRUE(key->second == "name" ? value.is_string() : value.is_number_integer()) << event;
  EXPECT_EQ(event.contains("tid"), key->first.starts_with("thread")) << event;
}

TEST(Trace, FollowsTheTraceEventFormat) {
  core::TimedResult result = sample();
  result.kernel = "a \"quoted\\ name\n";
  const auto json = nlohmann::json::parse(
      chrome_trace(result, [](const void*) { return "dir\\add.cpp:\t7"; }), nullptr, false);
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json.at("displayTimeUnit"), "ns");
  for (const auto& other : json.at("otherData")) EXPECT_TRUE(other.is_string());
  std::set<std::pair<int, int>> named, used;
  size_t complete = 0;
  for (const nlohmann::json& event : json.at("traceEvents")) {
    ASSERT_TRUE(event.at("pid").is_number_unsigned());
    if (event.at("ph") == "M") {
      expect_metadata(event);
      if (event.at("name") == "thread_name") named.emplace(event.at("pid"), event.at("tid"));
      continue;
    }
    ASSERT_EQ(event.at("ph"), "X") << event;
    ++complete;
    EXPECT_TRUE(event.at("name").is_string());
    EXPECT_GE(event.at("ts").get<double>(), 0);
    EXPECT_GE(event.at("dur").get<double>(), 0);
    EXPECT_LE(event.at("ts").get<double>() + event.at("dur").get<double>(), 1.0);  // 1850 cycles
    EXPECT_TRUE(event.at("args").is_object());
    used.emplace(event.at("pid"), event.at("tid"));
  }
  EXPECT_EQ(complete, result.spans.size());
  EXPECT_TRUE(std::includes(named.begin(), named.end(), used.begin(), used.end()));
  EXPECT_TRUE(nlohmann::json::parse(chrome_trace({}, nullptr), nullptr, false).is_object());
}

TEST(VendorFiles, EveryRowHasEveryColumn) {
  const auto files = vendor_files(sample(), "Add", "Ascend910B1");
  ASSERT_EQ(files.size(), 8u);
  for (const CsvFile& file : files) {
    std::istringstream in(file.text);
    std::string head, line;
    std::getline(in, head);
    size_t rows = 0;
    for (; std::getline(in, line); ++rows) EXPECT_EQ(columns(line), columns(head)) << file.name;
    EXPECT_EQ(rows, file.name == "OpBasicInfo.csv" ? 1u : 2u) << file.name;
  }
  EXPECT_THAT(files[0].text, HasSubstr("Add,vector,1.500,2"));
  EXPECT_THAT(files[1].text, HasSubstr(",0.500000,0.500000,"));
  EXPECT_THAT(files[6].text, HasSubstr("25.000000"));
}

TEST(Report, SummaryNamesWhatPipesWaitFor) {
  const std::string text = summary(sample());
  EXPECT_THAT(text, HasSubstr("waits for MTE2 5.4 %"));
  EXPECT_THAT(text, HasSubstr("memory bound"));
}

TEST(Report, RooflineIsBandwidthTimesIntensity) {
  const Roofline roof = roofline(sample());
  EXPECT_DOUBLE_EQ(roof.intensity, 0.25);
  EXPECT_TRUE(roof.memory_bound);
  EXPECT_DOUBLE_EQ(roof.roof, roof.bandwidth * 0.25);
  EXPECT_DOUBLE_EQ(roof.reached, (1 << 19) / 1e-6);
}

TEST(Report, ComparisonShowsTheChange) {
  core::TimedResult faster = sample();
  faster.task_ns = 750;
  faster.cores[0].pipes[2].busy = 7;
  const auto changes = compare(figures(sample()), figures(faster));
  ASSERT_EQ(changes[0].name, "task_ns");
  EXPECT_DOUBLE_EQ(*changes[0].percent(), -50);
  const auto cube = std::find_if(changes.begin(), changes.end(),
                                 [](const FigureChange& c) { return c.name == "m_busy_cycles"; });
  ASSERT_NE(cube, changes.end());
  EXPECT_FALSE(cube->percent());
  EXPECT_THAT(changes, Each(Not(Field(&FigureChange::name, "cube_operations"))));
  EXPECT_EQ(compare(figures(sample()), {}).front().after, 0u);
}

TEST(Report, ProfilesAreWrittenAsFiles) {
  const auto folder = std::filesystem::temp_directory_path() / "opkit_trace_test";
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(write_profile(folder, sample(), "Add", "Ascend910B1", nullptr).ok());
  EXPECT_TRUE(read_file(folder / "trace.json").ok());
  EXPECT_TRUE(read_file(folder / "PipeUtilization.csv").ok());
  const auto saved = Document::load(folder / "profile.json");
  ASSERT_TRUE(saved.ok()) << saved.error().to_string();
  const auto refused =
      write_profile(folder / "trace.json", sample(), "Add", "Ascend910B1", nullptr);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "OPK-TIMING-003");
  std::filesystem::remove_all(folder);
}

TEST(Rates, EveryChipHasThem) {
  for (const std::string& name : soc_names()) {
    const auto soc = find_soc(name);
    ASSERT_TRUE(soc.ok());
    const auto rates = rates_of(*soc->spec);
    ASSERT_TRUE(rates.ok()) << rates.error().to_string();
    EXPECT_GT(rates->vector_cores, 0u) << name;
    EXPECT_EQ(rates->l2_bytes, soc->spec->memory.l2);
  }
}

TEST(Rates, AreThoseOfTheChipsFile) {
  const auto rates = rates_of(*find_soc("Ascend910B1")->spec);
  ASSERT_TRUE(rates.ok());
  EXPECT_EQ(rates->hbm, 835u);
  EXPECT_EQ(rates->bank_block, 32u);
  EXPECT_EQ(rates->bank_groups, 16u);
  EXPECT_EQ(rates->bank_span, 65536u);
  EXPECT_EQ(rates->cube_products[OPK_INT8], 8192u);
  EXPECT_EQ(rates->cube_products[OPK_FLOAT32], 1024u);
  EXPECT_EQ(rates->cube_products_hf32, 2048u);
  EXPECT_EQ(rates->cube_k[OPK_FLOAT32], 8u);
  EXPECT_EQ(rates->repeat_eighths[core::kCostGATHER][2], 102u);
  EXPECT_EQ(measured_chips(), "Ascend910B1");
}

TEST(Rates, MissingZeroAndUnknownFiguresAreRefused) {
  SocSpec spec = *find_soc("Ascend910B1")->spec;
  spec.timing.erase("hbm");
  EXPECT_EQ(rates_of(spec).error().code, "OPK-TIMING-001");
  spec.timing["hbm"].value = 0;
  EXPECT_THAT(rates_of(spec).error().message, HasSubstr("'hbm' is a rate"));
  spec.timing["hbm"].value = -1;
  EXPECT_THAT(rates_of(spec).error().message, HasSubstr("'hbm' is not between"));
  spec.timing["hbm"].value = 835;
  spec.timing["speed"].value = 1;
  EXPECT_EQ(rates_of(spec).error().code, "OPK-TIMING-002");
  spec.timing.erase("speed");
  spec.vector_timing.erase("slow");
  EXPECT_EQ(rates_of(spec).error().code, "OPK-TIMING-001");
  EXPECT_THAT(rates_of(spec).error().message, HasSubstr("'vector.slow' is missing"));
}

// V and MTE2 wait for each other over one queue.
core::TimedResult turns() {
  static const char at[4] = {};
  core::TimedResult r = sample();
  r.spans.clear();
  for (uint32_t core = 0; core < 2; ++core) {
    core::Span copy{core, 4, 0, 400, "DataCopy", &at[0], 4096};
    core::Span add{core, 1, 400, 700, "Add", &at[1]};
    core::Span alloc{core, 4, 400, 1000, "AllocTensor", &at[2]};
    alloc.waits_for = 1;
    alloc.giver = "FreeTensor";
    alloc.giver_pc = &at[3];
    core::Span dequeue{core, 1, 0, 400, "DeQue", &at[1]};
    dequeue.waits_for = 4;
    dequeue.giver = "EnQue";
    dequeue.giver_pc = &at[0];
    r.spans.insert(r.spans.end(), {copy, add, alloc, dequeue});
    r.cores[core].pipes[4].busy = 400;
    r.cores[core].pipes[1].busy = 300;
  }
  return r;
}

std::string line_of(const void* pc) {
  const auto base = reinterpret_cast<uintptr_t>(turns().spans[0].pc);
  return "k.cpp:" + std::to_string(reinterpret_cast<uintptr_t>(pc) - base + 60);
}

TEST(Trace, SumsWaitsByWhoWaitsWhereForWhat) {
  const std::vector<WaitSum> waits = waits_of(turns(), line_of);
  ASSERT_EQ(waits.size(), 2u);
  EXPECT_EQ(waits[0].cycles, 1200u);
  EXPECT_EQ(waits[0].count, 2u);
  EXPECT_EQ(waits[0].to_string(),
            "MTE2 waits for V in AllocTensor, k.cpp:62, for FreeTensor, k.cpp:63");
  const std::vector<Line> lines = lines_of(turns(), line_of);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].place, "k.cpp:61");
  EXPECT_EQ(lines[0].cycles[1], 600u);
  EXPECT_EQ(lines[0].waiting, 800u);
  EXPECT_EQ(lines[2].bytes, 8192u);
}

TEST(Trace, SaysWhatToLookAt) {
  const auto all = diagnosis(turns(), line_of);
  ASSERT_FALSE(all.empty());
  EXPECT_THAT(all, ::testing::Contains(AllOf(HasSubstr("V and MTE2 take turns: 1200 cycles"),
                                             HasSubstr("k.cpp:62"), HasSubstr("second buffer"))));
  core::TimedResult busy = turns();
  for (core::CoreTimes& core : busy.cores) core.pipes[4].busy = 1800;
  EXPECT_THAT(diagnosis(busy, line_of), ::testing::Contains(HasSubstr("MTE2 is busy 97 %")));
  EXPECT_EQ(diagnosis({}, nullptr).size(), 1u);
}

TEST(Trace, DrawsWaitsFlagsAndCountersOfChosenBlocks) {
  const std::string all = chrome_trace(turns(), line_of);
  EXPECT_THAT(all,
              AllOf(HasSubstr("\"wait: AllocTensor\""), HasSubstr("\"given at\":\"k.cpp:63\""),
                    HasSubstr("\"ph\":\"s\""), HasSubstr("GM, GB/s"), HasSubstr("\"pid\":1,")));
  EXPECT_TRUE(Document::parse(all, "trace.json").ok());
  EXPECT_THAT(chrome_trace(turns(), line_of, {0}), Not(HasSubstr("\"pid\":1,")));
}

}  // namespace
}  // namespace opkit::trace
