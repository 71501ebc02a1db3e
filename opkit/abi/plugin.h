/* The waist where plugins join: one exported query function that returns constant tables.
 *
 * Conventions
 *  1. A plugin exports exactly one symbol, opkit_plugin_query, and links nothing of opkit.
 *  2. Every struct starts with struct_size (bytes, as the producer knew it). Within one ABI number
 *     structs only grow at the tail; a reader checks struct_size before it reads a later field.
 *  3. Growable structs cross as arrays of pointers, never as arrays by value.
 *  4. Strings are UTF-8 and NUL-terminated; they and all tables live as long as the library is
 * loaded.
 *  5. The host owns every buffer. No ownership, exception, FILE*, thread-local or C++ type crosses.
 *  6. Functions return OPK_OK or an OPK_E_* code; the text goes through opk_report_v1 before that.
 *  7. [host] = called by the host on any host thread; [kernel] = called inside an emulated core. */
#ifndef OPKIT_ABI_PLUGIN_H_
#define OPKIT_ABI_PLUGIN_H_

#include <stddef.h>

#include "opkit/abi/core.h"
#include "opkit/abi/soc.h"
#include "opkit/abi/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OPK_QUERY_SYMBOL "opkit_plugin_query"
#define OPK_EXT_OPS "opkit.ops/1"

#define OPK_OK 0
#define OPK_E_FAILED 1      /* the author's function said no; its report holds the reason */
#define OPK_E_EXCEPTION 2   /* an exception reached the boundary; the report holds its text */
#define OPK_E_CAPACITY 3    /* an output buffer of the host was too small */
#define OPK_E_UNSUPPORTED 4 /* the plugin was built without this part */

#define OPK_SANITIZER_NONE 0u
#define OPK_SANITIZER_ADDRESS 1u
#define OPK_SANITIZER_THREAD 2u

/* Where a plugin's code sends its words. severity: 0 debug, 1 info, 2 warning, 3 error. The host
 * copies the text before it returns. `code` may be NULL. */
typedef struct opk_report_v1 {
  uint32_t struct_size;
  void* host;
  void (*report)(void* host, int32_t severity, const char* code, const char* text);
} opk_report_v1;

/* One tensor argument. An absent optional input has present = 0 and no other valid field. */
typedef struct opk_tensor_v1 {
  uint32_t struct_size;
  uint32_t present;
  const char* name;
  int32_t dtype;         /* opk_dtype */
  int32_t format;        /* opk_format: how the bytes lie */
  int32_t origin_format; /* opk_format: how the author of the model sees the shape */
  uint32_t rank;         /* counts dims; 0 = scalar */
  const int64_t* dims;   /* elements; -1 = unknown; a single -2 = unknown rank */
  uint32_t origin_rank;
  const int64_t* origin_dims;
  const void* data; /* host bytes of a value-dependent input, else NULL */
} opk_tensor_v1;

/* An IR input or output and its instances: 1 for required, 0 or 1 for optional, any for dynamic. */
typedef struct opk_port_v1 {
  uint32_t struct_size;
  uint32_t count;
  const char* name;
  const opk_tensor_v1* const* tensors;
} opk_port_v1;

typedef enum opk_attr_kind {
  OPK_ATTR_BOOL = 0,
  OPK_ATTR_INT = 1,
  OPK_ATTR_FLOAT = 2,
  OPK_ATTR_STRING = 3,
  OPK_ATTR_LIST_BOOL = 4,
  OPK_ATTR_LIST_INT = 5,
  OPK_ATTR_LIST_FLOAT = 6,
  OPK_ATTR_LIST_STRING = 7
} opk_attr_kind;

/* One attribute, in the order of the contract. Scalars use element 0. */
typedef struct opk_attr_v1 {
  uint32_t struct_size;
  uint32_t kind; /* opk_attr_kind */
  const char* name;
  uint64_t count;
  const int64_t* ints; /* also bools, as 0 and 1 */
  const float* floats;
  const char* const* strings;
} opk_attr_v1;

/* What every host function of an op is asked with. */
typedef struct opk_call_v1 {
  uint32_t struct_size;
  const char* op_type;
  const char* node_name;
  uint32_t input_count, output_count, attr_count;
  const opk_port_v1* const* inputs;
  const opk_port_v1* const* outputs; /* shapes known for tiling; to be filled for inference */
  const opk_attr_v1* const* attrs;
  const opk_soc_v1* soc; /* NULL in inference */
  const opk_report_v1* report;
  int32_t deterministic;
} opk_call_v1;

#define OPK_MAX_DIMS 25

/* An inferred output. */
typedef struct opk_inferred_v1 {
  uint32_t struct_size;
  int32_t dtype;
  uint32_t rank;
  int64_t dims[OPK_MAX_DIMS]; /* -1 unknown; rank 1 with dims[0] = -2: unknown rank */
} opk_inferred_v1;
#define OPK_RANK_UNSAID 0xffffffffu /* the function did not ask for this output */

#define OPK_MAX_WORKSPACES 8

/* A tiling function's answer. data is the host's buffer of data_capacity bytes. */
typedef struct opk_tiling_v1 {
  uint32_t struct_size;
  uint32_t block_dim; /* blocks to launch; may exceed the number of cores */
  uint64_t tiling_key;
  void* data;
  uint64_t data_capacity; /* bytes */
  uint64_t data_size;     /* bytes used */
  uint32_t workspace_count;
  uint32_t schedule_mode;                  /* 1: all blocks must be resident at once */
  uint64_t workspaces[OPK_MAX_WORKSPACES]; /* bytes each */
  uint32_t local_memory_size;              /* bytes, 0 = unset */
  uint32_t need_atomic;
} opk_tiling_v1;

/* One compiled instantiation of a kernel. A mixed kernel has both entries; a vector-only kernel has
 * aic = NULL and a cube-only kernel has aiv = NULL. args: pointers to GM in the order inputs,
 * outputs, workspace, tiling. [kernel] */
typedef void (*opk_kernel_fn)(opk_core* core, void* const* args);

#define OPK_ANY_TILING_KEY UINT64_MAX
#define OPK_ANY_COLUMN UINT32_MAX

typedef struct opk_kernel_v1 {
  uint32_t struct_size;
  uint32_t column; /* dtype/format column of the contract this was built for, or OPK_ANY_COLUMN */
  uint64_t tiling_key; /* key this was built for, or OPK_ANY_TILING_KEY */
  const char* name;    /* entry point as written in the source */
  int32_t task_type;   /* opk_task_type */
  uint32_t arg_count;  /* including workspace and tiling */
  opk_kernel_fn aic;
  opk_kernel_fn aiv;
  opk_kernel_fn mix; /* runs on chips whose core does both; NULL when not built */
} opk_kernel_v1;

/* An OpDef-style declaration (ops::OpDef, OP_ADD), flattened for the check against the contract.
 * dtypes and formats are columns. */
typedef struct opk_declared_port_v1 {
  uint32_t struct_size;
  const char* name;
  int32_t is_output;
  int32_t param_type; /* 0 required, 1 optional, 2 dynamic */
  uint32_t column_count;
  const int32_t* dtypes;
  const int32_t* formats;
  int32_t value_depend;
  uint32_t has_init_value;   /* an output that is filled with a value before the launch */
  const char* soc;           /* short name whose port this is; NULL: every SoC without its own */
  double init_value;         /* holds for every column, where init_values is NULL or not there */
  const double* init_values; /* one per column */
} opk_declared_port_v1;

typedef struct opk_declared_v1 {
  uint32_t struct_size;
  uint32_t port_count, attr_count, soc_count;
  const opk_declared_port_v1* const* ports;
  const opk_attr_v1* const* attrs; /* count 0 = required attribute without a default */
  const char* const* socs;
  const char* error; /* what makes the declaration useless, or NULL */
} opk_declared_v1;

/* One number of an op's tiling data, or an array of them, where the class that was registered for
 * the op has it. */
typedef struct opk_tiling_field_v1 {
  uint32_t struct_size;
  int32_t dtype;    /* opk_dtype */
  const char* name; /* "cube.baseM" for one of a class in the class */
  uint64_t offset;  /* bytes from the beginning of the data */
  uint64_t count;   /* elements of an array, else 0 */
  /* Names the key of the data; OPK_ANY_TILING_KEY: data of keys without fields of their own. */
  uint64_t tiling_key;
} opk_tiling_field_v1;

/* One operator. Any function may be NULL: the contract's rules are then used (inference) or the op
 * is refused at that step (tiling, kernels). */
typedef struct opk_op_v1 {
  uint32_t struct_size;
  const char* type;     /* CamelCase */
  const char* contract; /* text of op_contract.yaml as embedded at build time */
  uint64_t contract_size;
  int32_t (*infer_shape)(const opk_call_v1* call, opk_inferred_v1* const* outputs); /* [host] */
  int32_t (*infer_dtype)(const opk_call_v1* call, opk_inferred_v1* const* outputs); /* [host] */
  int32_t (*tile)(const opk_call_v1* call, opk_tiling_v1* tiling);                  /* [host] */
  uint32_t kernel_count;
  const opk_kernel_v1* const* kernels;
  const opk_declared_v1* declared; /* NULL when the sources hold no OpDef */
  uint32_t tiling_field_count;     /* 0 when the plugin knows no names */
  const opk_tiling_field_v1* const* tiling_fields;
} opk_op_v1;

typedef struct opk_ops_v1 {
  uint32_t struct_size;
  uint32_t count;
  const opk_op_v1* const* ops;
} opk_ops_v1;

typedef struct opk_plugin_v1 {
  uint32_t struct_size;
  uint32_t abi; /* OPK_ABI_VERSION the plugin was built with */
  const char* name;
  const char* version;
  uint32_t sanitizer;
  const void* (*get_extension)(const char* id); /* NULL for an id the plugin does not know [host] */
} opk_plugin_v1;

/* Returns NULL when the host is too old for this plugin (max_abi < its own). [host] */
typedef const opk_plugin_v1* (*opk_query_fn)(uint32_t max_abi);

#ifdef __cplusplus
}
#endif

#endif /* OPKIT_ABI_PLUGIN_H_ */
