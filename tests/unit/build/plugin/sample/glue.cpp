// What opkit_add_op generates for a plugin, written by hand.
#include "opkit_host/plugin_table.h"
#include "opkit_host/tiling_struct.h"

namespace {

constexpr char kContract[] = "op: AddCustom\n";

void run_nothing(opk_core*, void* const*) {}

const opk_kernel_v1 kKeyed[] = {
    {sizeof(opk_kernel_v1), 0, 1, "add_custom", OPK_TASK_AIV_ONLY, 5, nullptr, run_nothing},
    {sizeof(opk_kernel_v1), 1, 2, "add_custom", OPK_TASK_AIV_ONLY, 5, nullptr, run_nothing},
};
const opk_kernel_v1 kAnyKey = {sizeof(opk_kernel_v1), OPK_ANY_COLUMN,   OPK_ANY_TILING_KEY,
                               "scale_relu",          OPK_TASK_MIX_1_2, 5,
                               run_nothing,           run_nothing};
const opk_kernel_v1 kZero = {sizeof(opk_kernel_v1),
                             OPK_ANY_COLUMN,
                             0,
                             "misbehaves",
                             OPK_TASK_AIV_ONLY,
                             3,
                             nullptr,
                             run_nothing};
const opk_kernel_v1* const kAddKernels[] = {&kKeyed[0], &kKeyed[1]};
const opk_kernel_v1* const kScaleKernels[] = {&kAnyKey};
const opk_kernel_v1* const kMisbehavesKernels[] = {&kZero};

const opkit_host::OpEntry kOps[] = {
    {"AddCustom", kContract, sizeof kContract - 1, kAddKernels, 2},
    {"ScaleRelu", "", 0, kScaleKernels, 1},
    {"Misbehaves", "", 0, kMisbehavesKernels, 1},
    {"MatmulAct", "", 0, nullptr, 0},
    {"ShortColumns", "", 0, nullptr, 0},
    {"FollowsNobody", "", 0, nullptr, 0},
    {"NoDefault", "", 0, nullptr, 0},
    {"StartsUntyped", "", 0, nullptr, 0},
    {"StartsTooOften", "", 0, nullptr, 0},
    {"StartsUnevenly", "", 0, nullptr, 0},
    {"Throws", "", 0, nullptr, 0},
    {"FollowsInput", "", 0, kMisbehavesKernels, 1},
    {"LastFunction", "", 0, nullptr, 0},
    {"LastRule", "", 0, nullptr, 0},
    {"NothingRegistered", "", 0, nullptr, 0},
};

}  // namespace

OPKIT_PLUGIN("host_sample", "1.2.3", kOps)

// For the test of the struct writer.
extern "C" __attribute__((visibility("default"))) const char* host_sample_structs() {
  static const std::string text = opkit_host::tiling_header("AddCustom");
  return text.c_str();
}
