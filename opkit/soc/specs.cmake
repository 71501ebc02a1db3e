# Writes the YAML files of opkit/soc into one generated source of the library opkit_soc.

# opkit_embed_chips(<source> <folder>...): writes a source that holds specs/*.yaml and archs/*.yaml of the folders, in
# their order, and other_chips.yaml of the first one. Tests add a folder with chips of their own.
function(opkit_embed_chips source)
  set(text "// Generated from the YAML files of opkit/soc.\n#include \"opkit/soc/embedded.h\"\n\nnamespace opkit {\n\n")
  foreach(kind specs archs)
    string(APPEND text "const std::vector<EmbeddedSpec>& embedded_${kind}() {\n  static const std::vector<EmbeddedSpec> files = {\n")
    foreach(folder ${ARGN})
      file(GLOB files CONFIGURE_DEPENDS ${folder}/${kind}/*.yaml)
      foreach(file ${files})
        opkit_embedded_entry(entry ${file})
        string(APPEND text "      ${entry},\n")
      endforeach()
    endforeach()
    string(APPEND text "  };\n  return files;\n}\n\n")
  endforeach()
  list(GET ARGN 0 folder)
  opkit_embedded_entry(entry ${folder}/other_chips.yaml)
  string(APPEND text "const EmbeddedSpec& embedded_other_chips() {\n  static const EmbeddedSpec file = ${entry};\n"
                     "  return file;\n}\n\n}  // namespace opkit\n")
  file(CONFIGURE OUTPUT ${source} CONTENT "${text}" @ONLY)
endfunction()

# Sets the variable to a file as an initialiser: {"opkit/soc/specs/ascend910b1.yaml", R"yaml(...)yaml"}.
function(opkit_embedded_entry variable file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${file})
  set(${variable} "{\"${name}\", R\"yaml(${text})yaml\"}" PARENT_SCOPE)
endfunction()

set(generated ${CMAKE_CURRENT_BINARY_DIR}/soc/embedded.cpp)
opkit_embed_chips(${generated} ${CMAKE_CURRENT_LIST_DIR})
target_sources(opkit_soc PRIVATE ${generated})
if(TARGET precompiled_formatted_rare) # it joins the layer behind opkit_use_precompiled
  set_property(SOURCE ${generated} APPEND PROPERTY OBJECT_DEPENDS ${OPKIT_PRECOMPILED_FOLDER}/formatted_rare.h.gch)
endif()

# `ninja soc_table` writes the header for programs that link nothing of opkit.
add_executable(opkit_soc_table EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/tool/soc_table_main.cpp)
target_link_libraries(opkit_soc_table PRIVATE opkit_soc)
add_custom_target(soc_table COMMAND opkit_soc_table ${CMAKE_CURRENT_LIST_DIR}/../include/opkit_host/soc_table.h)
