# liblacuna-runtime: records bundles of `lacuna export` in programs' command buffers (graph/door/lacuna/runtime.h). It has
# the sources of the runtime that need neither compilers nor modules, and no library but the C++ library and zlib.

file(GLOB runtime_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/graph/vk/*.cpp ${CMAKE_SOURCE_DIR}/graph/record/*.cpp)
list(REMOVE_ITEM runtime_sources ${CMAKE_SOURCE_DIR}/graph/vk/compile_ahead.cpp)
foreach(source config/diagnostics config/lexer config/text frame/arena_plan frame/barriers frame/limits frame/place
    module/description nodes/module_graph nodes/module_graph_values passes/image_format passes/roles shader/cache_file values/image_type
    values/mosaic_pattern door/runtime)
  list(APPEND runtime_sources ${CMAKE_SOURCE_DIR}/graph/${source}.cpp)
endforeach()
add_library(lacuna_runtime SHARED ${runtime_sources})
target_link_libraries(lacuna_runtime PRIVATE lacuna_options fmt::fmt-header-only Vulkan::Headers ZLIB::ZLIB Threads::Threads ${CMAKE_DL_LIBS})
target_include_directories(lacuna_runtime PRIVATE ${CMAKE_SOURCE_DIR}/graph/door
  INTERFACE $<INSTALL_INTERFACE:include> $<INSTALL_INTERFACE:include/lacuna>)
target_compile_definitions(lacuna_runtime PRIVATE VK_NO_PROTOTYPES XXH_INLINE_ALL)
# What a file has beside its functions for bundles is left out.
target_compile_options(lacuna_runtime PRIVATE $<$<CONFIG:Release>:-Os> -ffunction-sections -fdata-sections)
set(runtime_exports ${CMAKE_SOURCE_DIR}/graph/door/runtime.map)
target_link_options(lacuna_runtime PRIVATE LINKER:--gc-sections LINKER:--exclude-libs,ALL LINKER:--as-needed LINKER:--version-script=${runtime_exports}
  $<$<NOT:$<BOOL:${LACUNA_SANITIZE}>>:LINKER:--no-undefined> $<$<CONFIG:Release>:LINKER:--strip-all>)
set_property(TARGET lacuna_runtime PROPERTY LINK_DEPENDS ${runtime_exports})
# Names that a source keeps to itself differ within a library, not between those that these sources are from.
set_target_properties(lacuna_runtime PROPERTIES OUTPUT_NAME lacuna-runtime EXPORT_NAME runtime UNITY_BUILD_MODE GROUP
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
foreach(source ${runtime_sources})
  get_filename_component(folder ${source} DIRECTORY)
  get_filename_component(folder ${folder} NAME)
  set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${folder})
endforeach()
