# cmake -DCOMPILER=<g++> -DINCLUDE=<sdk include folder> -DFOLDER=<new folder> -DCMAKE_SYSTEM_PROCESSOR=<name>
#       -P OpkitPrecompile.cmake
#
# Compiles the headers that authors' sources include first. The folder is searched before the SDK's headers; GCC takes a
# compiled header from it when the including source has the same options and macros and was compiled by the same
# compiler, and reads the header itself otherwise. `sources.txt` names the files that were read, `digest.txt` says what
# they held: opkit_add_op leaves the folder out when that has changed. A folder that is up to date stays.
set(CMAKE_CXX_COMPILER_ID GNU)
include(${CMAKE_CURRENT_LIST_DIR}/OpkitOpOptions.cmake)
get_filename_component(INCLUDE ${INCLUDE} ABSOLUTE) # of an installation to a relative prefix, too
set(options -O3 -DNDEBUG -fPIC ${OPKIT_OP_COMPILE_OPTIONS} -isystem ${INCLUDE} -isystem ${INCLUDE}/opkit/include)

execute_process(COMMAND ${COMPILER} --version OUTPUT_VARIABLE compiler)
set(made_with "${compiler}${options}")
if(EXISTS ${FOLDER}/made_with.txt)
  file(READ ${FOLDER}/made_with.txt before)
  file(STRINGS ${FOLDER}/sources.txt sources)
  file(STRINGS ${FOLDER}/digest.txt digest)
  opkit_digest(now "${sources}")
  if(before STREQUAL made_with AND now STREQUAL digest)
    return()
  endif()
endif()

# precompile(<header> <variant> <options...>): a header may be compiled for several sets of macros.
function(precompile header variant)
  file(WRITE ${FOLDER}/${header} "#include_next <${header}>\n")
  file(MAKE_DIRECTORY ${FOLDER}/${header}.gch)
  set(list ${FOLDER}/${header}.gch/${variant}.d)
  execute_process(COMMAND ${COMPILER} ${options} ${ARGN} -MD -MF ${list} -MT x -x c++-header
                          ${INCLUDE}/opkit/include/${header} -o ${FOLDER}/${header}.gch/${variant}
                  RESULT_VARIABLE failed ERROR_VARIABLE errors)
  if(failed)
    message(WARNING "${header} cannot be precompiled; builds of ops will take longer\n${errors}")
    return()
  endif()
  file(READ ${list} text)
  file(REMOVE ${list})
  string(REGEX MATCHALL "/[^ \\\n]+" files "${text}")
  list(JOIN files "\n" text)
  file(APPEND ${FOLDER}/sources.txt "${text}\n")
endfunction()

file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER}/opkit_kernel ${FOLDER}/register)
# The macros of a unit's pass, as opkit/build/codegen/kernel_unit.cpp writes them.
precompile(opkit_kernel/prelude.h aiv -DOPKIT_CORE_PASS=1 -D__DAV_C220_VEC__=1 -DOPKIT_DTYPE_MACROS=1 -DOPKIT_DEVICE_SCALARS=1)
precompile(opkit_kernel/prelude.h aic -DOPKIT_CORE_PASS=0 -D__DAV_C220_CUBE__=1 -DOPKIT_DTYPE_MACROS=1 -DOPKIT_DEVICE_SCALARS=1)
precompile(register/op_impl_registry.h host)
precompile(register/op_def_registry.h host)
if(EXISTS ${FOLDER}/sources.txt)
  file(STRINGS ${FOLDER}/sources.txt sources)
  list(REMOVE_DUPLICATES sources)
  list(JOIN sources "\n" text)
  file(WRITE ${FOLDER}/sources.txt "${text}\n")
  opkit_digest(digest "${sources}")
  file(WRITE ${FOLDER}/digest.txt "${digest}\n")
  file(WRITE ${FOLDER}/made_with.txt "${made_with}")
endif()
