# Compiler flags of the project's own sources. Scores must be bit-equal on every machine, so floating point is strict:
# no contraction into fused operations, no reassociation. The one exception is jimbot_kernel_flags below.

if((JIMBOT_SANITIZE OR JIMBOT_THREAD_SANITIZE) AND MSVC)
    message(FATAL_ERROR "JIMBOT_SANITIZE and JIMBOT_THREAD_SANITIZE need GCC or Clang")
endif()
if(JIMBOT_SANITIZE AND JIMBOT_THREAD_SANITIZE)
    message(FATAL_ERROR "JIMBOT_SANITIZE and JIMBOT_THREAD_SANITIZE exclude each other: choose one per build directory")
endif()

# Standard containers check their indices in the sanitizer build. `undefined` leaves out conversions of floats that do
# not fit in an integer, so they are named.
set(JIMBOT_SANITIZED OFF)
set(JIMBOT_SANITIZER_FLAGS "")
set(JIMBOT_SANITIZER_DEFINITIONS "")
if(JIMBOT_SANITIZE)
    set(JIMBOT_SANITIZED ON)
    set(JIMBOT_SANITIZER_FLAGS -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all
                               -fno-omit-frame-pointer)
    set(JIMBOT_SANITIZER_DEFINITIONS _GLIBCXX_ASSERTIONS)
elseif(JIMBOT_THREAD_SANITIZE)
    set(JIMBOT_SANITIZED ON)
    set(JIMBOT_SANITIZER_FLAGS -fsanitize=thread -fno-omit-frame-pointer)
endif()

include(CheckIPOSupported)
set(JIMBOT_LTO OFF)
if(NOT JIMBOT_SANITIZED AND CMAKE_BUILD_TYPE STREQUAL "Release")
    check_ipo_supported(RESULT JIMBOT_LTO OUTPUT JIMBOT_LTO_REASON LANGUAGES CXX)
    if(NOT JIMBOT_LTO)
        message(STATUS "Link-time optimization is off: ${JIMBOT_LTO_REASON}")
    endif()
endif()

# With link-time optimization GCC sees all files at once and finds types and variables that two of them define in
# different ways. tests/test_engine_architecture.py finds the rest by name.
set(JIMBOT_ONE_DEFINITION "")
if(JIMBOT_LTO AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(JIMBOT_ONE_DEFINITION -Werror=odr -Werror=lto-type-mismatch)
endif()

set(JIMBOT_OPTIMIZATION "-O3")
if(MSVC)
    set(JIMBOT_OPTIMIZATION "/O2")
elseif(JIMBOT_SANITIZED)
    set(JIMBOT_OPTIMIZATION "-O1")
elseif(CMAKE_BUILD_TYPE STREQUAL "Debug")
    set(JIMBOT_OPTIMIZATION "-O0")
endif()

# Every x86 processor since 2009 counts bits and rounds by one instruction each; NumPy asks for the same ones.
set(JIMBOT_PROCESSOR "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT CMAKE_OSX_ARCHITECTURES AND NOT MSVC)
    set(JIMBOT_PROCESSOR -march=x86-64-v2)
endif()

# GCC clears and copies blocks of a hundred bytes, of which there are many, by an instruction that is slow to start.
set(JIMBOT_BLOCKS "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(JIMBOT_BLOCKS -mmemset-strategy=unrolled_loop:256:noalign,libcall:-1:noalign
                      -mmemcpy-strategy=unrolled_loop:256:noalign,libcall:-1:noalign)
endif()

# Strictness, optimization and warnings for one of our own targets.
function(jimbot_own_flags target)
    target_compile_features(${target} PRIVATE cxx_std_20)
    set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION ${JIMBOT_LTO})
    if(MSVC)
        target_compile_options(${target} PRIVATE /W4 /WX /fp:precise /utf-8 /permissive-)
        if(JIMBOT_NATIVE)
            target_compile_options(${target} PRIVATE /arch:AVX2)
        endif()
        return()
    endif()
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
                                             -Werror -ffp-contract=off ${JIMBOT_OPTIMIZATION} ${JIMBOT_BLOCKS})
    target_link_options(${target} PRIVATE -ffp-contract=off ${JIMBOT_BLOCKS} ${JIMBOT_ONE_DEFINITION})
    if(JIMBOT_NATIVE)
        target_compile_options(${target} PRIVATE -march=native)
    else()
        target_compile_options(${target} PRIVATE ${JIMBOT_PROCESSOR})
    endif()
    if(JIMBOT_SANITIZED)
        target_compile_options(${target} PRIVATE -g ${JIMBOT_SANITIZER_FLAGS})
        target_compile_definitions(${target} PRIVATE ${JIMBOT_SANITIZER_DEFINITIONS})
        target_link_options(${target} PRIVATE ${JIMBOT_SANITIZER_FLAGS})
    endif()
endfunction()

# Networks are not scores: the products of their kernels may be contracted into fused operations. Which processor a
# kernel needs is said in the source, function by function, and not by a flag for the whole file.
function(jimbot_kernel_flags source)
    if(NOT MSVC)
        set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS
                                                           "-ffp-contract=fast;-fno-math-errno;-fno-trapping-math")
    endif()
endfunction()
