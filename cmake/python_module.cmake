# The nanobind modules. nanobind itself is found through the Python that is being built for.
#
# jimbot._engine is the engine as the package uses it. jimbot._engine_dev holds benchmarks and the conformance battery;
# it is built and installed only with JIMBOT_TESTS, and so is not in wheels.

find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module OPTIONAL_COMPONENTS
             Development.SABIModule)
if(NOT DEFINED nanobind_ROOT)
    execute_process(COMMAND "${Python_EXECUTABLE}" -m nanobind --cmake_dir OUTPUT_STRIP_TRAILING_WHITESPACE
                    OUTPUT_VARIABLE nanobind_ROOT COMMAND_ERROR_IS_FATAL ANY)
endif()
find_package(nanobind CONFIG REQUIRED)

function(jimbot_add_module target package)
    file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/engine/${package}/*.cpp")
    nanobind_add_module(${target} STABLE_ABI NB_STATIC NOMINSIZE ${sources})
    jimbot_own_flags(${target})
    # Headers that are not ours are system headers: their warnings are not our errors.
    target_include_directories(${target} SYSTEM PRIVATE "${NB_DIR}/include" ${Python_INCLUDE_DIRS})
    install(TARGETS ${target} LIBRARY DESTINATION jimbot COMPONENT python)
endfunction()

jimbot_add_module(_engine bindings)
target_link_libraries(_engine PRIVATE jimbot_engine jimbot_learn)

if(JIMBOT_TESTS)
    jimbot_add_module(_engine_dev bench)
    target_link_libraries(_engine_dev PRIVATE jimbot_engine jimbot_fuzz)
endif()

# What `jimbot doctor` tells about this build.
set_source_files_properties(
    "${CMAKE_CURRENT_SOURCE_DIR}/engine/bindings/build_info.cpp"
    PROPERTIES
        COMPILE_DEFINITIONS
        "JIMBOT_VERSION=\"${PROJECT_VERSION}\";JIMBOT_OPTIMIZATION=\"${JIMBOT_OPTIMIZATION}\";JIMBOT_LTO=$<BOOL:${JIMBOT_LTO}>;JIMBOT_SANITIZED=$<BOOL:${JIMBOT_SANITIZED}>;JIMBOT_NATIVE=$<BOOL:${JIMBOT_NATIVE}>"
)
