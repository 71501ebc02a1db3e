#include "faulty.h"

#include <fstream>
#include <new>

#include "opkit/base/debug/source_line.h"
#include "opkit/core/machine.h"
#include "opkit/soc/arch.h"
#include "opkit_test_paths.h"

namespace faults {
namespace {

using namespace opkit::core;

// Ascend910B-like: the sizes of NpuArch 2201.
opk_soc_v1 chip() {
  opk_soc_v1 soc = {};
  soc.struct_size = sizeof soc;
  soc.npu_arch = 2201;
  soc.arch = &opkit::find_arch(2201).value()->table();
  soc.name = "Ascend910B1";
  soc.short_name = "Ascend910B";
  soc.cube_core_num = 24;
  soc.vector_core_num = 48;
  soc.split = 1;
  const uint64_t sizes[] = {1ull << 36, 196608, 524288, 65536, 65536, 131072, 1024, 2048};
  std::copy(std::begin(sizes), std::end(sizes), soc.memory_size);
  soc.reserved_ub = soc.reserved_l1 = 256;
  soc.vector_freq_mhz = soc.cube_freq_mhz = 1850;
  return soc;
}

std::string line_of(const void* pc) {
  static opkit::debug::SourceLines lines;
  const auto line = lines.find(pc);
  return line ? line->file.substr(line->file.rfind('/') + 1) + ":" + std::to_string(line->line)
              : std::string();
}

// Starts where a line of the scalar cache does, as what aclrtMalloc gives.
template <typename T>
struct InLines {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};
  T* allocate(size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kLine)); }
  void deallocate(T* p, size_t) { ::operator delete(p, kLine); }
  bool operator==(const InLines&) const { return true; }
  bool operator!=(const InLines&) const { return false; }
};
using Tensor = std::vector<float, InLines<float>>;

// Nothing lies directly behind it, whatever the allocator does.
Tensor tensor(uint32_t elements) {
  Tensor tensor;
  tensor.reserve(elements + 64);
  tensor.resize(elements, -1.0f);
  return tensor;
}

}  // namespace

CheckedReport run_checked(opk_kernel_fn vector, opk_kernel_fn cube, const LaunchSetup& setup) {
  static const opk_soc_v1 soc = chip();
  static Machine machine(soc, 1);
  Tensor x = tensor(kElements), y = tensor(kElements), z = tensor(kElements),
         w = tensor(kElements * 4);
  for (uint32_t i = 0; i < kElements; ++i) {
    x[i] = 0.25f * static_cast<float>(i % 64);
    y[i] = 1.0f + static_cast<float>(i % 16);
  }
  const auto gm = [](Tensor& v, const char* name, bool writable) {
    return GmRange{reinterpret_cast<uint8_t*>(v.data()), v.size() * 4, name, writable, false};
  };
  GmRange ranges[] = {gm(x, "x", false), gm(y, "y", false), gm(z, "z", true),
                      gm(w, "workspace", true)};
  ranges[2].output = setup.whole_output;
  ranges[3].scratch = true;
  void* args[] = {x.data(), y.data(), z.data(), w.data()};
  opk_kernel_v1 kernel = {};
  kernel.struct_size = sizeof kernel;
  kernel.name = "kernel";
  kernel.task_type = setup.task_type;
  kernel.arg_count = 4;
  kernel.aic = cube;
  kernel.aiv = vector;
  Checked checked(setup.options);
  LaunchRequest request;
  request.kernel = &kernel;
  request.block_dim = setup.blocks;
  request.args = args;
  request.gm = ranges;
  request.gm_count = 4;
  request.observer = &checked;
  const LaunchReport launch = machine.launch(request);
  if (setup.z) setup.z->assign(z.begin(), z.end());
  return checked.take_report(launch);
}

CheckedReport run_arguments(opk_kernel_fn vector, const std::vector<Argument>& tensors,
                            uint32_t blocks) {
  static const opk_soc_v1 soc = chip();
  static Machine machine(soc, 1);
  std::vector<GmRange> ranges;
  std::vector<void*> args;
  for (const Argument& t : tensors) {
    args.push_back(t.data);
    ranges.push_back(
        {static_cast<uint8_t*>(t.data), t.bytes, t.name, t.writable, false, t.writable});
  }
  opk_kernel_v1 kernel = {};
  kernel.struct_size = sizeof kernel;
  kernel.name = "kernel";
  kernel.task_type = OPK_TASK_AIV_ONLY;
  kernel.aiv = vector;
  Checked checked;
  LaunchRequest request;
  request.kernel = &kernel;
  request.block_dim = blocks;
  request.args = args.data();
  request.gm = ranges.data();
  request.gm_count = static_cast<uint32_t>(ranges.size());
  request.observer = &checked;
  return checked.take_report(machine.launch(request));
}

std::string marked_line(const std::string& file, const std::string& name) {
  const std::string base = file.substr(file.rfind('/') + 1);
  std::ifstream in(std::string(OPKIT_SOURCE_DIR "/tests/faults/") + base);
  std::string text;
  for (int line = 1; std::getline(in, text); ++line) {
    const size_t at = text.find("// FAULT: " + name);
    if (at != std::string::npos && text.size() == at + 10 + name.size())
      return base + ":" + std::to_string(line);
  }
  return "no line marked FAULT: " + name;
}

std::string all_text(const CheckedReport& report) { return to_text(report, line_of); }

::testing::AssertionResult found_at(const CheckedReport& report, const std::string& code,
                                    const std::string& file, const std::string& name,
                                    const std::string& says) {
  const std::string wanted = marked_line(file, name);
  for (const Finding& finding : report.findings) {
    if (finding.code != code || finding.message.find(says) == std::string::npos) continue;
    if (finding.message.empty() || finding.action.empty())
      return ::testing::AssertionFailure() << code << " says too little";
    if (line_of(finding.at.pc) == wanted) return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure()
         << "wanted " << code << " (" << says << ") at " << wanted << ", got\n"
         << all_text(report);
}

}  // namespace faults
