/* What the cores of one architecture execute, as plain tables. Filled by the host from
 * opkit/soc/archs; the engine refuses what is missing (EK1215). */
#ifndef OPKIT_ABI_ARCH_H_
#define OPKIT_ABI_ARCH_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A set of opk_dtype: bit d = type d. */
typedef uint32_t opk_types;

typedef enum opk_arch_call {
#define X(id, name, what) OPK_A_##id,
#include "opkit/abi/arch_calls.inc"
#undef X
  OPK_A_COUNT_
} opk_arch_call;

/* A call of the library or of the system, which no instruction of the engine tells. */
typedef struct opk_named_call {
  const char* name;    /* "SoftMax" */
  const char* instead; /* what to do instead, or NULL */
  uint32_t exists;
} opk_named_call;

typedef struct opk_arch_v1 {
  uint32_t struct_size;
  uint32_t npu_arch;
  const char* name;        /* "Ascend 310P" */
  uint32_t lacks_nothing;  /* says whether the chip has everything that this engine has */
  uint32_t vector_count;   /* counts the entries of vector and vector_instead */
  const opk_types* vector; /* holds destination types by opk_vector_op; 0 = does not exist */
  const char* const* vector_instead; /* what to do instead, or NULL */
  uint32_t call_count;               /* counts the entries of has and instead */
  uint32_t named_count;
  const uint8_t* has;                     /* says by opk_arch_call whether it exists: 1 or 0 */
  const char* const* instead;             /* what to do instead, or NULL */
  const opk_named_call* named;            /* calls that differ from named_rest, or have an advice */
  uint32_t named_rest;                    /* whether the calls that are not in named exist */
  opk_types cast[32];                     /* holds destination types by source type */
  opk_types copy, atomic_add, load, mmad; /* element types */
  /* Every architecture that the host knows, this one included: for messages. */
  const struct opk_arch_v1* const* known;
  uint32_t known_count;
} opk_arch_v1;

#ifdef __cplusplus
}
#endif

#endif /* OPKIT_ABI_ARCH_H_ */
