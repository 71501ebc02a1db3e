/* The kernel side of the waist: the hot state of one emulated core, which inlined kernel code reads
 * and writes, and the instructions that the engine executes for it. Everything here is called
 * inside a running kernel [kernel].
 *
 * An instruction arrives as one plain struct that says what it computes and what it touches.
 * Whether somebody watches (Timed, Checked) is the engine's business. The engine may refuse an
 * instruction: it then reports and does not return to the kernel (the block ends), or returns
 * without effect when the observer asked to go on.
 *
 * Calls marked [yield] may suspend the block and resume it later on the same host thread. */
#ifndef OPKIT_ABI_CORE_H_
#define OPKIT_ABI_CORE_H_

#include <stdint.h>

#include "opkit/abi/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct opk_core opk_core;

/* A tensor operand of an instruction. */
typedef struct opk_operand {
  void* address;  /* host address of the first element */
  uint64_t bytes; /* counts up to the end of the tensor; bounds are checked against it */
  /* The strides of a GM operand hold the lowest 32 bits of the address that SetGlobalBuffer was
   * given, or 0. */
  uint16_t
      block_stride; /* 32-byte units from block to block inside one repeat (vector form only) */
  uint16_t repeat_stride; /* 32-byte units from repeat to repeat (vector form only) */
  uint8_t dtype;          /* opk_dtype */
  uint8_t memory;         /* opk_memory */
  uint16_t buffer; /* id of the TPipe buffer it was cut from, 0 = none; in GM: 1 = bypasses L2 */
} opk_operand;

/* Which elements of an operation take part. */
typedef enum opk_lanes_form {
  OPK_LANES_COUNT = 0,   /* the first `count` elements, contiguous */
  OPK_LANES_MASK = 1,    /* `repeat` iterations of 256 bytes under mask[] (bit i = element i) */
  OPK_LANES_REGISTER = 2 /* follows the core's mask register and mask mode; `repeat` iterations */
} opk_lanes_form;

typedef enum opk_vector_op {
#define X(id, ...) OPK_V_##id,
#include "opkit/abi/vector_ops.inc"
#undef X
  OPK_V_COUNT_
} opk_vector_op;

/* One vector instruction. operand[0] is the destination, sources follow; a second destination of an
 * instruction is documented at its wrapper. Unused fields are zero. */
#define OPK_VECTOR_OPERANDS 6
typedef struct opk_vector_v1 {
  uint16_t op;           /* opk_vector_op */
  uint8_t form;          /* opk_lanes_form */
  uint8_t operand_count; /* destination included */
  uint16_t repeat;       /* iterations, at most 255; reductions of a whole operand: 65534 */
  uint8_t mode;          /* round mode, compare mode, select mode, reduce order, pattern: by op */
  uint8_t flags;         /* holds bits that each op reads in its own way */
  uint32_t count;        /* elements, for OPK_LANES_COUNT */
  int32_t param[5];      /* strides and sizes that are not operand strides: by op */
  uint64_t mask[2];      /* OPK_LANES_MASK: low and high word */
  uint64_t scalar[2];    /* bit patterns of scalar operands in the operand's dtype */
  uint64_t* result;      /* scalar results (e.g. the number of elements kept), or NULL */
  opk_operand operand[OPK_VECTOR_OPERANDS];
} opk_vector_v1;

/* Copies between GM and local memories and between local memories. Block b of matrix m is moved;
 * all units are bytes. src/dst pitch = start-to-start distance of blocks. */
typedef enum opk_copy_op {
  OPK_C_LINEAR = 0, /* block_count blocks of block_bytes, pitches in bytes */
  OPK_C_PAD_IN = 1, /* GM -> UB, every block padded to 32 bytes: left/right elements of pad_value */
  OPK_C_PAD_OUT = 2, /* UB -> GM, blocks start on 32-byte boundaries in UB */
  OPK_C_ND2NZ = 3,   /* GM -> L1 (UB) with the row-major to FRACTAL_NZ change */
  OPK_C_NZ2ND = 4,   /* UB -> GM, the reverse */
  OPK_C_BIAS = 5,    /* L1 -> BT; half bias widens to float */
  OPK_C_FILL = 6     /* repeated constant into L1/L0 (InitConstValue); src.address = NULL */
} opk_copy_op;

typedef struct opk_copy_v1 {
  uint16_t op;   /* opk_copy_op */
  uint8_t pipe;  /* opk_pipe the vendor issues it on */
  uint8_t flags; /* OPK_C_PAD_IN: bit 0 = isPad; OPK_C_PAD_IN, OPK_C_PAD_OUT: bit 1 = the length
                    came in 16 bits; OPK_C_LINEAR: bit 0 = a count below 32 bytes */
  uint32_t block_count;
  uint64_t block_bytes;
  int64_t src_pitch, dst_pitch; /* bytes */
  uint8_t pad_left, pad_right;  /* elements */
  uint16_t reserved; /* OPK_C_LINEAR by count: bytes that rounding the count down leaves behind */
  uint32_t matrix_count;                  /* ND2NZ / NZ2ND */
  uint32_t rows, columns;                 /* elements */
  uint32_t nd_row_pitch;                  /* elements, row-major side */
  uint64_t nd_matrix_pitch;               /* elements, row-major side */
  uint32_t nz_column_pitch, nz_row_pitch; /* 32-byte units, fractal side */
  uint64_t nz_matrix_pitch;               /* elements, fractal side */
  uint64_t value;                         /* pad or fill value, bit pattern of dtype */
  opk_operand dst, src;
} opk_copy_v1;

/* L1 -> L0A/L0B/BT moves of whole fractals and im2col. */
typedef enum opk_load_op {
  OPK_L_2D = 0,
  OPK_L_TRANSPOSE = 1,
  OPK_L_3D = 2,
  OPK_L_SPARSE = 3 /* index fractals of 128 bytes for the B fractals at dst in L0B */
} opk_load_op;

typedef struct opk_load_v1 {
  uint16_t op; /* opk_load_op */
  uint8_t transpose;
  uint8_t descending; /* 2D: addresses fall (addrMode 1) */
  uint32_t start_index, repeat, src_stride, dst_gap, dst_fractal_gap; /* fractals */
  uint8_t pad[4];                                                     /* left, right, top, bottom */
  uint16_t l1_h, l1_w, channel_size;
  uint16_t k_extension, m_extension, k_start, m_start;
  uint8_t stride_w, stride_h;
  uint16_t filter_w, filter_h;
  uint8_t dilation_w, dilation_h;
  uint64_t pad_value; /* bit pattern of dtype */
  opk_operand dst, src;
} opk_load_v1;
/* 3D: `repeat` windows (0 counts as 1), `src_stride` apart along M in 16 rows or, with
 * `descending`, along K in 32 bytes; `dst_fractal_gap` is the boundary in bytes. */

/* How Mmad's operands lie along K in L0A and L0B. */
typedef enum opk_k_layout {
  OPK_K_PLAIN = 0,
  OPK_K_PADDED_16 = 1, /* float: padded to 16 elements instead of 8 */
  OPK_K_SPARSE = 2     /* int8: B is 4:2 sparse, it holds half of the values */
} opk_k_layout;

typedef struct opk_mmad_v1 {
  uint16_t m, n, k;
  uint8_t init;      /* 0: start from zero, 1: add to the old C, 2: start from the bias operand */
  uint8_t unit_flag; /* 0, 2, 3 */
  uint8_t hf32;      /* 0 off, 1 nearest even, 2 nearest with ties away from zero */
  uint8_t k_layout;  /* opk_k_layout */
  opk_operand c, a, b, bias;
} opk_mmad_v1;

typedef enum opk_quant {
  OPK_Q_NONE = 0,
  OPK_Q_F32_F16 = 1,
  OPK_Q_F32_BF16 = 2,
  OPK_Q_F32_B8 = 3,     /* scalar word */
  OPK_Q_F32_B8_VEC = 4, /* one word per column */
  OPK_Q_S32_F16 = 5,
  OPK_Q_S32_F16_VEC = 6,
  OPK_Q_S32_B8 = 7,
  OPK_Q_S32_B8_VEC = 8
} opk_quant;

typedef struct opk_fixpipe_v1 {
  uint32_t n, m;       /* columns, rows */
  uint32_t src_stride; /* rows from panel to panel in L0C (16-element units) */
  uint32_t dst_stride; /* ND: elements per row; NZ: 32-byte units per panel */
  uint16_t nd_count, src_nd_stride;
  uint32_t dst_nd_stride;
  uint8_t quant; /* opk_quant */
  uint8_t relu, unit_flag, channel_split;
  uint8_t to_nd; /* 1: row-major output, 0: FRACTAL_NZ */
  uint8_t reserved[3];
  uint64_t quant_word; /* scalar modes */
  opk_operand dst, src, quant_vector;
} opk_fixpipe_v1;

/* A matrix that a Matmul object reads in place. The stored matrix is row-major (ND) or FRACTAL_NZ;
 * transposed: element (i, j) of the operand is element (j, i) of the stored matrix. */
typedef struct opk_matrix {
  opk_operand data;
  uint64_t pitch;      /* ND: elements per stored row; NZ: stored rows, rounded up to 16 */
  uint32_t row0, col0; /* say where in the operand the part that takes part begins */
  uint8_t nz, transposed;
  uint8_t reserved[6];
} opk_matrix;

/* How a Matmul object cuts its work into steps, in elements and base blocks (TCubeTiling). Only
 * times depend on it; 0 = not told. */
typedef struct opk_matmul_steps {
  uint32_t base_m, base_n, base_k;
  uint32_t single_m, single_n;     /* give the size of the whole matrix that the object computes */
  uint16_t step_m, step_n;         /* base blocks of A and B that reach L1 with one copy ... */
  uint16_t step_ka, step_kb;       /* ... along M or N, and along K */
  uint16_t buffers_a1, buffers_b1; /* copies that L1 has room for */
  uint8_t db_l0a, db_l0b, db_l0c;  /* buffers in L0 */
  uint8_t restart;                 /* the first block after the operands were set */
  uint8_t wait;                    /* the caller goes on when the object has nothing left to do */
  /* Bits: functions of the author's move 1 A, 2 B, 4 C. Then the block starts from its bias or
   * from zero, and the object neither reads nor stores; the author's functions do, in the memories
   * that the object lends. */
  uint8_t own_copies;
  /* In a call without a block: 1, the object lends L1 and L0C to the core; 2, it takes them back.
   * In between, what the core does there counts as the object's work. */
  uint8_t lend;
  uint8_t reserved[5];
} opk_matmul_steps;

/* What follows quant_vector. */
typedef enum opk_matmul_tail {
  OPK_MATMUL_ENDS = 0,
  OPK_MATMUL_HAS_STEPS = 1,
  OPK_MATMUL_HAS_STEPS_AND_INDEX = 2 /* it is an opk_sparse_matmul_v1 */
} opk_matmul_tail;

/* One block of a Matmul object: computed, stored, or both. The engine keeps a computed block per
 * owner until the owner computes another one. A call without a block (m = 0) only waits. */
typedef struct opk_matmul_v1 {
  uint64_t owner; /* tells the Matmul objects of a core apart */
  uint32_t m, n, k;
  uint8_t compute, store;
  uint8_t accumulate; /* add to the block computed before */
  uint8_t hf32;       /* means what it means in opk_mmad_v1 */
  uint8_t quant;      /* opk_quant */
  uint8_t to_nd;
  uint8_t tail; /* opk_matmul_tail */
  uint8_t reserved;
  uint64_t quant_word;
  uint64_t c_pitch; /* ND: elements per row; NZ: rows per panel */
  opk_matrix a, b;
  opk_operand bias; /* n elements; address NULL = none */
  opk_operand c;    /* the block's first element */
  opk_operand quant_vector;
  opk_matmul_steps steps;
} opk_matmul_v1;

typedef enum opk_scalar_access {
  OPK_SCALAR_READ = 0,
  OPK_SCALAR_WRITE = 1,
  OPK_SCALAR_REFERENCE = 2, /* operator() gave out a C++ reference: read, and perhaps written */
  /* DataCacheCleanAndInvalid: the line of the address, or every line of the core */
  OPK_SCALAR_CLEAN_LINE = 3,
  OPK_SCALAR_CLEAN_ALL = 4
} opk_scalar_access;

typedef enum opk_sync_op { OPK_SYNC_SET = 0, OPK_SYNC_WAIT = 1 } opk_sync_op;
/* Bits of sync_all's argument. */
typedef enum opk_sync_all_bits {
  OPK_SYNC_ALL_AIV = 1, /* vector cores only */
  OPK_SYNC_ALL_SOFT = 2 /* the form with work memory in GM */
} opk_sync_all_bits;

/* What TPipe and queues tell an observer. Sent when core->observed is set, INIT always. */
typedef enum opk_buffer_op {
  OPK_B_INIT = 0, /* reserves bytes at offset; the engine refuses what does not fit */
  OPK_B_ALLOC = 1,
  OPK_B_FREE = 2,
  OPK_B_ENQUE = 3,
  OPK_B_DEQUE = 4,
  OPK_B_RESET = 5, /* all buffers of the pipe are gone */
  OPK_B_GET = 6,   /* TBuf::Get */
  /* AllocEventID, ReleaseEventID, FetchEventID: the id is `buffer`, the event set_src to set_dst */
  OPK_B_EVENT_ALLOC = 7,
  OPK_B_EVENT_RELEASE = 8,
  OPK_B_EVENT_FETCH = 9
} opk_buffer_op;

typedef struct opk_buffer_v1 {
  uint16_t op;               /* opk_buffer_op */
  uint8_t memory;            /* opk_memory */
  uint8_t position;          /* vendor's TPosition of the queue's source side */
  uint8_t position_to;       /* TPosition of the consumer side */
  uint8_t depth;             /* tells the queue's depth; 0 for a TBuf */
  uint16_t count;            /* buffers of the queue */
  uint32_t offset, bytes;    /* say which bytes of the memory the buffer has */
  uint16_t queue;            /* id within the pipe, from 1 */
  uint16_t buffer;           /* id within the pipe, from 1 */
  uint16_t set_src, set_dst; /* pipes of the event that this operation sets or waits for */
} opk_buffer_v1;

/* The engine's entry points. Each checks its operands, tells the observer, computes. */
typedef struct opk_isa_v1 {
  uint32_t struct_size;
  void (*vector)(opk_core*, const opk_vector_v1*);
  void (*copy)(opk_core*, const opk_copy_v1*);
  void (*load)(opk_core*, const opk_load_v1*);
  void (*mmad)(opk_core*, const opk_mmad_v1*);
  void (*fixpipe)(opk_core*, const opk_fixpipe_v1*);
  /* 16 + 16 block addresses (TransDataTo5HD); v carries dtype, repeat, strides in param[]. */
  void (*transpose16)(opk_core*, const opk_vector_v1* v, void* const* dst, void* const* src);
  void (*flag)(opk_core*, uint32_t sync_op, uint32_t src_pipe, uint32_t dst_pipe, int32_t id);
  void (*barrier)(opk_core*, uint32_t pipe);
  /* mode 0, 1, 2 as CrossCoreSetFlag documents. [yield] for OPK_SYNC_WAIT */
  void (*cross_flag)(opk_core*, uint32_t sync_op, uint32_t mode, uint32_t pipe, uint32_t id);
  void (*sync_all)(opk_core*, uint32_t bits); /* [yield] opk_sync_all_bits */
  /* how: opk_scalar_access. where->bytes 0, local: behind the tensor where[1]. Told if watched. */
  void (*scalar)(opk_core*, const opk_operand* where, uint32_t how);
  void (*buffer)(opk_core*, const opk_buffer_v1*);
  /* Misuse noticed by the kernel-side API. code: stable, e.g. "EK1203". Does not return unless an
   * observer asked to go on. */
  void (*fault)(opk_core*, const char* code, const char* text);
  void (*print)(opk_core*, const char* text, uint64_t bytes);
  int64_t (*system_cycle)(opk_core*);
  /* Point-to-point block synchronisation over GM words (IBSet/IBWait, soft SyncAll). [yield] for
   * WAIT: returns when *word >= value. */
  void (*gm_word)(opk_core*, uint32_t sync_op, int32_t* word, int32_t value);
  /* Guarantees that bytes of a local memory are really there before the kernel reads them through a
   * raw pointer (Fast mode may keep a view of GM instead of a copy). */
  void (*materialize)(opk_core*);
  void (*matmul)(opk_core*, const opk_matmul_v1*);
  /* A call of the library or the system begins: refused where the architecture lacks it. What the
   * library issues until core->library is 0 again stands where this was called. Called outside the
   * library only; of a call of the system only when core->lacks_calls. */
  void (*named_call)(opk_core*, const char* name);
  /* The kernel looks at GM itself, perhaps until another core has written: what this core has
   * written is there, and every other core that can go on has a turn. [yield] */
  void (*poll)(opk_core*);
} opk_isa_v1;

typedef enum opk_atomic {
  OPK_ATOMIC_NONE = 0,
  OPK_ATOMIC_ADD = 1,
  OPK_ATOMIC_MAX = 2,
  OPK_ATOMIC_MIN = 3
} opk_atomic;

/* opk_core.observed; 0 is nobody. */
typedef enum opk_observed { OPK_OBSERVED = 1, OPK_OBSERVED_STRICT = 2 } opk_observed;

/* The hot state. The layout is ABI: tests/abi holds its dump. */
struct opk_core {
  uint32_t struct_size;
  uint32_t npu_arch;
  const opk_isa_v1* isa;
  uint8_t* memory[OPK_MEM_COUNT];      /* host base of each local memory; [OPK_MEM_GM] = NULL */
  uint32_t memory_size[OPK_MEM_COUNT]; /* usable bytes */
  uint32_t block_idx;                  /* what GetBlockIdx() answers */
  uint32_t block_num;
  uint16_t sub_block_idx, sub_block_num; /* the latter: vector cores of a block, at least 1 */
  uint8_t task_ratio;
  uint8_t kind;      /* opk_core_kind */
  uint8_t observed;  /* scalar accesses and queue operations must be told to the engine;
                        OPK_OBSERVED_STRICT: and what the vendor's pages exclude is refused */
  uint8_t mask_mode; /* 0 normal, 1 counter */
  uint64_t tiling_key;
  uint64_t mask[2]; /* vector mask register: low, high; counter mode: [0] = elements */
  uint64_t ctrl;    /* control register; bit 48: 0 saturate float results, 1 keep inf and nan */
  uint64_t cmp_mask[2];
  uint32_t atomic; /* opk_atomic */
  int32_t atomic_dtype;
  void* pipe; /* the current TPipe, owned by the kernel */
  uint8_t* system_workspace;
  uint64_t reduce_value; /* bits left by the last ReduceSum/Max/Min, in the dtype of its source */
  uint64_t reduce_index;
  float deq_scale;
  uint32_t deq_offset_sign; /* low 16 bits offset, bit 16 = signed */
  uint64_t pad_value;       /* SetPadValue */
  uint64_t load_pad_value;  /* SetLoadDataPaddingValue */
  uint16_t fmatrix[2][2];   /* [left/right]{l1H, l1W} */
  uint8_t fmatrix_pad[2][4];
  uint64_t fixpipe_word;      /* SetFixpipePreQuantFlag */
  opk_operand fixpipe_vector; /* SetFixPipeConfig */
  uint16_t fixpipe_nd[2];     /* ndNum, srcNdStride */
  uint32_t fixpipe_dst_nd;
  uint8_t hf32;
  uint8_t hf32_trans;       /* 1: ties away from zero */
  uint16_t merge_counts[4]; /* GetMrgSortResult */
  uint8_t scalar_watch;     /* report scalar accesses to local memory to the engine */
  uint8_t library;          /* depth of library calls: inside, no rule of the chip is judged */
  uint8_t load_repeat_mode; /* SetLoadDataRepeat: 0 along M, 1 along K */
  uint8_t load_repeat_time;
  uint16_t load_repeat_stride;
  /* Older engines lack these fields: read them only when struct_size covers them. */
  uint64_t gather_mask_count; /* elements that the last GatherMask kept */
  uint32_t load_boundary;     /* SetLoadDataBoundary, bytes; 0 = none */
  uint32_t lacks_calls; /* 1: the architecture lacks calls of these headers: named_call says */
  uint64_t lib_api_workspace; /* bytes at the start of a workspace that are the system's */
};

#ifdef __cplusplus
}
#endif

#endif /* OPKIT_ABI_CORE_H_ */
