# The nanobind module jimbot._engine. nanobind itself is found through the Python that is being built for.

find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module OPTIONAL_COMPONENTS
             Development.SABIModule)
if(NOT DEFINED nanobind_ROOT)
    execute_process(COMMAND "${Python_EXECUTABLE}" -m nanobind --cmake_dir OUTPUT_STRIP_TRAILING_WHITESPACE
                    OUTPUT_VARIABLE nanobind_ROOT COMMAND_ERROR_IS_FATAL ANY)
endif()
find_package(nanobind CONFIG REQUIRED)

file(GLOB JIMBOT_BINDING_SOURCES CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/engine/bindings/*.cpp")
nanobind_add_module(_engine STABLE_ABI NB_STATIC NOMINSIZE ${JIMBOT_BINDING_SOURCES})
jimbot_own_flags(_engine)
target_link_libraries(_engine PRIVATE jimbot_engine)
# Headers that are not ours are system headers: their warnings are not our errors.
target_include_directories(_engine SYSTEM PRIVATE "${NB_DIR}/include" ${Python_INCLUDE_DIRS})

# What `jimbot doctor` tells about this build.
set_source_files_properties(
    "${CMAKE_CURRENT_SOURCE_DIR}/engine/bindings/build_info.cpp"
    PROPERTIES
        COMPILE_DEFINITIONS
        "JIMBOT_VERSION=\"${PROJECT_VERSION}\";JIMBOT_OPTIMISATION=\"${JIMBOT_OPTIMISATION}\";JIMBOT_LTO=$<BOOL:${JIMBOT_LTO}>;JIMBOT_SANITIZED=$<BOOL:${JIMBOT_SANITIZE}>;JIMBOT_NATIVE=$<BOOL:${JIMBOT_NATIVE}>"
)

install(TARGETS _engine LIBRARY DESTINATION jimbot COMPONENT python)
