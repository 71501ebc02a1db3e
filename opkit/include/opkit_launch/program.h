/* What a stand-alone program and the runtime library say to each other. C11. */
#ifndef OPKIT_INCLUDE_OPKIT_LAUNCH_PROGRAM_H_
#define OPKIT_INCLUDE_OPKIT_LAUNCH_PROGRAM_H_

#include "opkit/abi/plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A kernel as `opkit cc` found it in the sources. */
typedef struct opkit_kernel_kind_v1 {
  const char* name;  /* without namespaces and template arguments */
  int32_t task_type; /* opk_task_type */
} opkit_kernel_kind_v1;

typedef struct opkit_program_v1 {
  uint32_t struct_size;
  const char* soc; /* a name of kSocTable */
  const opkit_kernel_kind_v1* kernels;
  uint32_t kernel_count;
  const char* const* parameters; /* lists for each kernel the names, "x,y,tiling" */
} opkit_program_v1;

typedef struct opkit_launch_v1 {
  uint32_t struct_size;
  const char* name; /* is as written at the launch */
  const char* key;  /* names the instantiation; the same in the cube and the vector pass */
  opk_kernel_fn aiv;
  void* arguments; /* what the entry gets as args[0] */
  void* stream;
  int64_t blocks;
  uint32_t unit_test; /* ICPU_RUN_KF: takes the kernel mode and tiling key that were set; a fault
                         ends the process */
  /* The arguments in order: what a pointer points to, NULL for all else. */
  const void* const* pointers;
  uint32_t pointer_count;
  /* Gives `arguments` back: called once, when the launch is done, on the thread that did it. NULL:
   * they end with the call. */
  void (*release)(void* arguments);
} opkit_launch_v1;

/* Called before main, once by a program or by each of its objects. The tables live as long as the
 * program; the chip of the first one with kernels counts. */
void opkit_program_describe(const opkit_program_v1* program);
void opkit_program_add_cube_entry(const char* key, opk_kernel_fn entry);
/* Gives the kernel to its stream; a unit test's is done when this returns. */
void opkit_program_launch(const opkit_launch_v1* launch);

/* What `opkit cc --kernels` builds is a shared object with one symbol, opkit_binary. */
typedef struct opkit_parameter_v1 {
  uint32_t offset, size; /* bytes of the block of arguments */
} opkit_parameter_v1;

typedef struct opkit_binary_kernel_v1 {
  const char* name;
  int32_t task_type; /* opk_task_type */
  uint32_t parameter_count;
  const opkit_parameter_v1* parameters;
  opk_kernel_fn aiv, aic; /* args[0] is the block of arguments; NULL: no such code */
} opkit_binary_kernel_v1;

typedef struct opkit_binary_v1 {
  uint32_t struct_size;
  uint32_t kernel_count;
  const char* soc; /* a name of kSocTable */
  const opkit_binary_kernel_v1* kernels;
  const char* const* parameters; /* lists for each kernel the names, "x,y,tiling" */
} opkit_binary_v1;

/* Inside such an object: its sources tell their kernels before the object is in use. core: opk_core
 * kind of the pass. */
void opkit_binary_add(const char* name, int32_t core, opk_kernel_fn entry,
                      const opkit_parameter_v1* parameters, uint32_t parameter_count);

/* tikicpulib.h. mode: 0 mixed, 1 cube cores, 2 vector cores. */
void* opkit_gm_alloc(uint64_t bytes);
void opkit_gm_free(void* memory);
void opkit_set_kernel_mode(int32_t mode);
void opkit_set_tiling_key(uint64_t key);

#ifdef __cplusplus
}
#endif

#endif /* OPKIT_INCLUDE_OPKIT_LAUNCH_PROGRAM_H_ */
