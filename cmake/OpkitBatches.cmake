# Several files of a layer compiled as one: from nothing, reading the same headers and instantiating the same templates
# again for every file was most of the time.
#   opkit_batch(<target>)   the target's files so far, OPKIT_BATCH of them at a time; one by one when that is 1
# A change to one file compiles its whole batch again, so the preset `dev` leaves the files apart. Files share a batch
# only if what they name in anonymous namespaces is unique within the layer; the compiler says when it is not.
set(OPKIT_BATCH 1 CACHE STRING "How many files of a layer are compiled together")

function(opkit_batch target)
  if(OPKIT_BATCH LESS 2)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(SORT sources)
  set(text "")
  set(held 0)
  set(number 1)
  foreach(source ${sources})
    get_filename_component(path ${source} ABSOLUTE)
    file(RELATIVE_PATH inside ${PROJECT_SOURCE_DIR} ${path})
    string(APPEND text "#include \"${inside}\"\n")
    math(EXPR held "${held} + 1")
    if(held EQUAL OPKIT_BATCH)
      opkit_write_batch(${target} ${number} "${text}")
      math(EXPR number "${number} + 1")
      set(held 0)
      set(text "")
    endif()
  endforeach()
  if(text)
    opkit_write_batch(${target} ${number} "${text}")
  endif()
  set_source_files_properties(${sources} PROPERTIES HEADER_FILE_ONLY ON)
endfunction()

function(opkit_write_batch target number text)
  set(file ${PROJECT_BINARY_DIR}/batches/${target}/${number}.cpp)
  file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
  target_sources(${target} PRIVATE ${file})
endfunction()
