/* A plugin of one op with one kernel. The build overrides single values to make bad ones. */
#include <stddef.h>

#include "opkit/abi/core.h"
#include "opkit/abi/plugin.h"

#ifndef FAKE_TYPE
#define FAKE_TYPE "AddRelu"
#endif
#ifndef FAKE_VERSION
#define FAKE_VERSION "1.0.0"
#endif
#ifndef FAKE_LIES
#define FAKE_LIES "shape: \"N\", format: ND"
#endif
#ifndef FAKE_ABI
#define FAKE_ABI OPK_ABI_VERSION
#endif
#ifndef FAKE_HEADER_SIZE
#define FAKE_HEADER_SIZE sizeof(opk_plugin_v1)
#endif
#ifndef FAKE_SANITIZER
#if defined(__SANITIZE_ADDRESS__)
#define FAKE_SANITIZER OPK_SANITIZER_ADDRESS
#elif defined(__SANITIZE_THREAD__)
#define FAKE_SANITIZER OPK_SANITIZER_THREAD
#else
#define FAKE_SANITIZER OPK_SANITIZER_NONE
#endif
#endif
#ifndef FAKE_EXTENSION
#define FAKE_EXTENSION &ops
#endif
#ifndef FAKE_OP_COUNT
#define FAKE_OP_COUNT 1
#endif
#ifndef FAKE_ENTRY
#define FAKE_ENTRY run
#endif
#ifndef FAKE_TILE
#define FAKE_TILE tile
#endif
#ifndef FAKE_ANSWER
#define FAKE_ANSWER &header
#endif
#ifndef FAKE_KERNELS
#define FAKE_KERNELS 1
#endif
#ifndef FAKE_FIELDS
#define FAKE_FIELDS 0
#endif
#ifndef FAKE_FIELD_LIST
#define FAKE_FIELD_LIST NULL
#endif
#ifndef FAKE_CONTRACT_END
#define FAKE_CONTRACT_END ""
#endif
#ifndef FAKE_ADDEND
#define FAKE_ADDEND 0
#endif
#ifndef FAKE_TILED
#define FAKE_TILED OPK_OK
#endif
#ifndef FAKE_FAULT
#define FAKE_FAULT 0
#endif
#ifndef FAKE_SYMBOL
#define FAKE_SYMBOL opkit_plugin_query
#endif

/* The text that packages.cpp writes as op_contract.yaml. */
static const char contract[] = "op: " FAKE_TYPE "\nversion: \"" FAKE_VERSION
                               "\"\n"
                               "inputs:\n"
                               "  x: {dtype: T, " FAKE_LIES
                               "}\n"
                               "outputs:\n"
                               "  y: {dtype: T, " FAKE_LIES
                               "}\n"
                               "types: {T: [float16, float32]}\n"
                               "reference:\n"
                               "  - {op: Relu, in: [x], out: y}\n"
                               "soc: [Ascend910B, Ascend310B4]\n" FAKE_CONTRACT_END;

/* y = x + FAKE_ADDEND, in one block. */
static void run(opk_core* core, void* const* args) {
  const float* const x = args[0];
  float* const y = args[1];
  const int64_t n = *(const int64_t*)args[3];
  if (FAKE_FAULT) core->isa->fault(core, "EK1101", "a fault on purpose");
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] + FAKE_ADDEND;
}

#define FAKE_KEY 18446744073709551614u

static int32_t tile(const opk_call_v1* call, opk_tiling_v1* tiling) {
  if (tiling->data_capacity < sizeof(int64_t)) return OPK_E_CAPACITY;
  const opk_tensor_v1* const x = call->inputs[0]->tensors[0];
  int64_t* const elements = tiling->data;
  *elements = 1;
  for (uint32_t i = 0; i < x->rank; ++i) *elements *= x->dims[i];
  tiling->data_size = sizeof(int64_t);
  tiling->block_dim = 1;
  tiling->tiling_key = FAKE_KEY;
  return FAKE_TILED;
}

static const opk_kernel_v1 kernel = {
    sizeof(opk_kernel_v1), 1, FAKE_KEY, "add_relu", OPK_TASK_AIV_ONLY, 4, NULL, FAKE_ENTRY, NULL};
static const opk_kernel_v1* const kernels[] = {&kernel};

// Names of the tiling data's fields, as FAKE_FIELDS and FAKE_FIELD_LIST say.
static const opk_tiling_field_v1 nameless = {sizeof(opk_tiling_field_v1), OPK_INT32, NULL, 0, 0, 0};
static const opk_tiling_field_v1* const fields[] = {&nameless};

static const opk_op_v1 op = {
    sizeof(opk_op_v1), FAKE_TYPE, contract, sizeof(contract) - 1, NULL, NULL, FAKE_TILE,
    FAKE_KERNELS,      kernels,   NULL,                 FAKE_FIELDS, FAKE_FIELD_LIST};
static const opk_op_v1* const op_list[] = {&op, &op};
static const opk_ops_v1 ops = {sizeof(opk_ops_v1), FAKE_OP_COUNT, op_list};

static const void* get_extension(const char* id) {
  const char* wanted = OPK_EXT_OPS;
  for (; *id != '\0' && *id == *wanted; ++id) ++wanted;
  return *id == *wanted ? (const void*)FAKE_EXTENSION : NULL;
}

static const opk_plugin_v1 header = {FAKE_HEADER_SIZE, FAKE_ABI,       "fake",
                                     FAKE_VERSION,     FAKE_SANITIZER, get_extension};

const opk_plugin_v1* FAKE_SYMBOL(uint32_t max_abi);

__attribute__((visibility("default"))) const opk_plugin_v1* FAKE_SYMBOL(uint32_t max_abi) {
  (void)max_abi;
  (void)&header;
  (void)&tile;
  (void)&fields;
  (void)&ops;
  return FAKE_ANSWER;
}
