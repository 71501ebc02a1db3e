// What the headers aclnn_<op>.h that `opkit cc` makes ask of the runtime: the two calls of any op.
#ifndef OPKIT_INCLUDE_OPKIT_LAUNCH_NN_CALL_H_
#define OPKIT_INCLUDE_OPKIT_LAUNCH_NN_CALL_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum opkit_nn_kind {
  OPKIT_NN_TENSOR,      /* object: const aclTensor*; NULL: an optional one that is absent */
  OPKIT_NN_TENSOR_LIST, /* object: const aclTensorList* */
  OPKIT_NN_INT_ARRAY,   /* object: const aclIntArray* */
  OPKIT_NN_FLOAT_ARRAY, /* object: const aclFloatArray* */
  OPKIT_NN_BOOL_ARRAY,  /* object: const aclBoolArray* */
  OPKIT_NN_BOOL,        /* integer: 0 or 1 */
  OPKIT_NN_INT,         /* integer */
  OPKIT_NN_FLOAT,       /* number */
  OPKIT_NN_TEXT         /* object: const char* */
};

typedef struct opkit_nn_argument_v1 {
  int32_t kind; /* opkit_nn_kind */
  const void* object;
  int64_t integer;
  double number;
} opkit_nn_argument_v1;

/* Inputs, attributes, outputs, each in the contract's order; an output that takes an input's memory
 * is no argument. Makes the executor of one call, and says how many bytes of device memory it wants
 * to have. */
aclnnStatus opkit_nn_plan(const char* op, const opkit_nn_argument_v1* arguments, uint32_t count,
                          uint64_t* workspaceSize, aclOpExecutor** executor);
/* Gives the call to the stream. */
aclnnStatus opkit_nn_run(const char* op, void* workspace, uint64_t workspaceSize,
                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // OPKIT_INCLUDE_OPKIT_LAUNCH_NN_CALL_H_
