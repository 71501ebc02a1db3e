# What authors' sources are compiled with: OPKIT_OP_COMPILE_OPTIONS. opkit_add_op adds them to the project's build type;
# the SDK's precompiled headers are made with them (OpkitPrecompile.cmake).

# -g1 lets reports name source lines; kernels type-pun, as on the chip.
# TLS descriptors: the running core is found without a call. Instructions are cleared structs of some hundred bytes, for
# which the compiler's choice, a string instruction, takes longer than plain stores.
# Reports know a place by its return address: no tail calls, no folding of equal functions, no merging of equal ends of
# branches. A section per function: the linker sees what a kernel reaches.
set(OPKIT_OP_COMPILE_OPTIONS -std=gnu++17 -fvisibility=hidden -fvisibility-inlines-hidden -fno-gnu-unique -fno-strict-aliasing
                             -fno-optimize-sibling-calls -fno-ipa-icf -fno-crossjumping -fno-tree-tail-merge -ffunction-sections
                             -g1 -Wall -Wno-unused-parameter)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND OPKIT_OP_COMPILE_OPTIONS -mtls-dialect=gnu2 "-mmemset-strategy=unrolled_loop:1024:noalign,libcall:-1:noalign")
endif()

# Sets the digest of what the files hold; a file that is gone counts as empty.
function(opkit_digest result files)
  set(text "")
  foreach(file ${files})
    set(digest "")
    if(EXISTS ${file})
      file(SHA256 ${file} digest)
    endif()
    string(APPEND text ${digest} "\n")
  endforeach()
  string(SHA256 text "${text}")
  set(${result} ${text} PARENT_SCOPE)
endfunction()
