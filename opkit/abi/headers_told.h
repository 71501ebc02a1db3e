/* What a block's first words to an observer say of the headers that its kernel was built with: that
 * the kernel calls materialize before it reads what instructions leave in registers. It is an
 * OPK_B_GET of buffer 0, which no observer looks at, whose depth is this. */
#ifndef OPKIT_ABI_HEADERS_TOLD_H_
#define OPKIT_ABI_HEADERS_TOLD_H_

#define OPK_DEPTH_OF_HEADERS 255

#endif /* OPKIT_ABI_HEADERS_TOLD_H_ */
