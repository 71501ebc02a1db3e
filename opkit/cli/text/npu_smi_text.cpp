#include "opkit/cli/text/npu_smi_text.h"

#include <fmt/format.h>

#include <functional>
#include <map>

#include "opkit/build/project/sdk.h"
#include "opkit/soc/device_memory.h"

namespace opkit::cli {
namespace {

constexpr const char* kUnknown = "NA";
constexpr const char* kIdle = "0";  // every program has a chip of its own: this one does nothing
constexpr int kNameWidth = 31, kMappingWidth = 31;

// "910B1": the vendor's tool leaves the word in front out.
std::string bare_name(const SocSpec& spec) {
  return spec.name.starts_with("Ascend") ? spec.name.substr(6) : spec.name;
}

std::string mebibytes(const SocSpec& spec) {
  return spec.memory.device == 0 ? kUnknown : std::to_string(spec.memory.device >> 20);
}

std::string capacity(const SocSpec& spec, bool hbm) {
  return has_hbm(spec) == hbm ? mebibytes(spec) : kIdle;
}

NpuFacts unknown(std::initializer_list<const char*> names) {
  NpuFacts facts;
  for (const char* name : names) facts.emplace_back(name, kUnknown);
  return facts;
}

void append(NpuFacts& facts, NpuFacts more) {
  facts.insert(facts.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

NpuFacts board_of_chip(const SocSpec& spec) {
  NpuFacts facts = {{"Chip Type", "Ascend"}, {"Chip Name", bare_name(spec)}};
  append(facts, unknown({"Chip Version", "Board ID", "PCB ID", "BOM ID", "VDie ID", "NDie ID"}));
  facts.emplace_back("Chip Position ID", "0");
  append(facts, unknown({"PCIe Bus Info", "Firmware Version"}));
  return facts;
}

NpuFacts board(const SocSpec& spec, bool of_chip) {
  if (of_chip) return board_of_chip(spec);
  NpuFacts facts = unknown({"Product Name", "Model", "Manufacturer", "Serial Number"});
  facts.emplace_back("Software Version", project::kit_version());
  facts.emplace_back("Firmware Version", kUnknown);
  facts.emplace_back("Compatibility", "OK");
  append(facts,
         unknown({"Board ID", "PCB ID", "BOM ID", "PCIe Bus Info", "Slot ID", "Class ID",
                  "PCI Vendor ID", "PCI Device ID", "Subsystem Vendor ID", "Subsystem Device ID"}));
  return facts;
}

NpuFacts memory(const SocSpec& spec, bool) {
  NpuFacts facts = {{"DDR Capacity(MB)", capacity(spec, false)},
                    {"DDR Clock Speed(MHz)", kUnknown}};
  if (!has_hbm(spec)) return facts;
  facts.emplace_back("HBM Capacity(MB)", capacity(spec, true));
  append(facts, unknown({"HBM Clock Speed(MHz)", "HBM Temperature(C)", "HBM Manufacturer ID"}));
  return facts;
}

NpuFacts usages(const SocSpec& spec, bool) {
  NpuFacts facts = {{"DDR Capacity(MB)", capacity(spec, false)},
                    {"DDR Usage Rate(%)", kIdle},
                    {"DDR Hugepages Total(page)", kIdle},
                    {"DDR Hugepages Usage Rate(%)", kIdle}};
  if (has_hbm(spec))
    append(facts, {{"HBM Capacity(MB)", capacity(spec, true)}, {"HBM Usage Rate(%)", kIdle}});
  append(facts, {{"Aicore Usage Rate(%)", kIdle}});
  if (spec.split()) append(facts, {{"Aivector Usage Rate(%)", kIdle}});
  append(facts, {{"Aicpu Usage Rate(%)", kIdle},
                 {"Ctrlcpu Usage Rate(%)", kUnknown},
                 {"DDR Bandwidth Usage Rate(%)", kIdle}});
  if (has_hbm(spec)) append(facts, {{"HBM Bandwidth Usage Rate(%)", kIdle}});
  return facts;
}

NpuFacts common(const SocSpec& spec, bool) {
  NpuFacts facts = {{"Memory Usage Rate(%)", kIdle}};
  if (has_hbm(spec)) facts.emplace_back("HBM Usage Rate(%)", kIdle);
  const std::string frequency = std::to_string(spec.cube_freq_mhz);
  append(facts, {{"Aicore Usage Rate(%)", kIdle},
                 {"Aicore Freq(MHZ)", frequency},
                 {"Aicore curFreq(MHZ)", frequency},
                 {"Aicore Count", std::to_string(spec.cores.ai_core)}});
  append(facts, unknown({"Temperature(C)", "NPU Real-time Power(W)"}));
  return facts;
}

NpuFacts health(const SocSpec&, bool) {
  NpuFacts facts = {{"Health Status", "OK"}};
  append(facts, unknown({"Error Code", "Error Information"}));
  return facts;
}

NpuFacts product(const SocSpec&, bool) { return unknown({"Product Type"}); }
NpuFacts temperature(const SocSpec&, bool) { return unknown({"NPU Temperature (C)"}); }
NpuFacts power(const SocSpec&, bool) { return unknown({"NPU Real-time Power(W)"}); }

using FactsOf = std::function<NpuFacts(const SocSpec&, bool)>;

const std::map<std::string, FactsOf>& tables() {
  static const std::map<std::string, FactsOf> all = {
      {"board", board}, {"common", common},   {"health", health},    {"memory", memory},
      {"power", power}, {"product", product}, {"temp", temperature}, {"usages", usages}};
  return all;
}

}  // namespace

const std::vector<std::string>& npu_fact_types() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, facts] : tables()) all.push_back(name);
    return all;
  }();
  return names;
}

// Where the board is asked, the number of its chips stands in front of the first chip's facts.
NpuFacts npu_facts(const SocSpec& spec, const std::string& type, bool of_chip) {
  NpuFacts facts = {{"NPU ID", "0"}};
  if (of_chip) facts.emplace_back("Chip ID", "0");
  const bool counted_last = type == "board" && !of_chip;
  if (!of_chip && !counted_last) facts.emplace_back("Chip Count", "1");
  append(facts, tables().at(type)(spec, of_chip));
  if (counted_last) facts.emplace_back("Chip Count", "1");
  if (!of_chip && !counted_last) facts.emplace_back("Chip ID", "0");
  return facts;
}

NpuFacts npu_list() { return {{"Total Count", "1"}, {"NPU ID", "0"}, {"Chip Count", "1"}}; }

std::string npu_facts_text(const NpuFacts& facts) {
  std::string text;
  for (const auto& [name, value] : facts)
    text += fmt::format("\t{:<{}}: {}\n", name, kNameWidth, value);
  return text;
}

std::string npu_mapping(const SocSpec& spec) {
  const auto line = [](const auto&... cells) {
    std::string text = "\t";
    ((text += fmt::format("{:<{}}", cells, kMappingWidth)), ...);
    return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  };
  return line("NPU ID", "Chip ID", "Chip Logic ID", "Chip Name") +
         line("0", "0", "0", "Ascend " + bare_name(spec));
}

std::string npu_table(const SocSpec& spec) {
  const auto rule = [](char c) {
    return fmt::format("+{0}+{1}+{2}+\n", std::string(27, c), std::string(15, c),
                       std::string(52, c));
  };
  const auto row = [](const std::string& a, const std::string& b, const std::string& c) {
    return fmt::format("| {:<26}| {:<14}| {:<51}|\n", a, b, c);
  };
  const auto wide = [](const std::string& text) { return fmt::format("| {:<95}|\n", text); };
  const std::string line = fmt::format("+{}+\n", std::string(96, '-'));
  const std::string used = "0    / ", device = mebibytes(spec);
  const bool hbm = has_hbm(spec);
  const std::string version = project::kit_version();
  return line + wide(fmt::format("npu-smi {:<25}Version: {}", version, version)) + rule('-') +
         row("NPU   Name", "Health", "Power(W)    Temp(C)           Hugepages-Usage(page)") +
         row("Chip", "Bus-Id",
             hbm ? "AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)" : "AICore(%)   Memory-Usage(MB)") +
         rule('=') +
         row("0     " + bare_name(spec), "OK",
             fmt::format("{:<12}{:<18}{}0", kUnknown, kUnknown, used)) +
         row("0", kUnknown,
             hbm ? fmt::format("{:<12}{:<18}{}{}", kIdle, used + "0", used, device)
                 : fmt::format("{:<12}{}{}", kIdle, used, device)) +
         rule('=') + rule('-') +
         fmt::format("| {:<26}| {:<14}| {:<25}| {:<24}|\n", "NPU     Chip", "Process id",
                     "Process name", "Process memory(MB)") +
         rule('=') + wide("No running processes found in NPU 0") + rule('=');
}

}  // namespace opkit::cli
