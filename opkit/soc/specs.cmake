# Writes opkit/soc/specs/*.yaml into one generated source of the library opkit_soc.
file(GLOB soc_specs CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/specs/*.yaml)
set(soc_source "// Generated from opkit/soc/specs.\n#include \"opkit/soc/embedded.h\"\n\nnamespace opkit {\n\n")
string(APPEND soc_source "const std::vector<EmbeddedSpec>& embedded_specs() {\n  static const std::vector<EmbeddedSpec> specs = {\n")
foreach(spec ${soc_specs})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${spec})
  file(READ ${spec} text)
  get_filename_component(file ${spec} NAME)
  string(APPEND soc_source "      {\"opkit/soc/specs/${file}\", R\"yaml(${text})yaml\"},\n")
endforeach()
string(APPEND soc_source "  };\n  return specs;\n}\n\n}  // namespace opkit\n")
set(generated ${CMAKE_CURRENT_BINARY_DIR}/soc/embedded.cpp)
file(CONFIGURE OUTPUT ${generated} CONTENT "${soc_source}" @ONLY)
target_sources(opkit_soc PRIVATE ${generated})

# `ninja soc_table` writes the header for programs that link nothing of opkit.
add_executable(opkit_soc_table EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/tool/soc_table_main.cpp)
target_link_libraries(opkit_soc_table PRIVATE opkit_soc)
add_custom_target(soc_table COMMAND opkit_soc_table ${CMAKE_CURRENT_LIST_DIR}/../include/opkit_host/soc_table.h)
