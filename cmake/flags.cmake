# Compiler flags of the project's own sources. Scores must be bit-equal on every machine, so floating point is strict
# everywhere: no contraction into fused operations, no reassociation.

include(CheckIPOSupported)
set(JIMBOT_LTO OFF)
if(NOT JIMBOT_SANITIZE AND CMAKE_BUILD_TYPE STREQUAL "Release")
    check_ipo_supported(RESULT JIMBOT_LTO OUTPUT JIMBOT_LTO_REASON LANGUAGES CXX)
    if(NOT JIMBOT_LTO)
        message(STATUS "Link-time optimisation is off: ${JIMBOT_LTO_REASON}")
    endif()
endif()

if(JIMBOT_SANITIZE AND MSVC)
    message(FATAL_ERROR "JIMBOT_SANITIZE needs GCC or Clang")
endif()

set(JIMBOT_OPTIMISATION "-O3")
if(MSVC)
    set(JIMBOT_OPTIMISATION "/O2")
elseif(JIMBOT_SANITIZE)
    set(JIMBOT_OPTIMISATION "-O1")
elseif(CMAKE_BUILD_TYPE STREQUAL "Debug")
    set(JIMBOT_OPTIMISATION "-O0")
endif()

set(JIMBOT_SANITIZER_FLAGS -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all
                           -fno-omit-frame-pointer)

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

# Strictness, optimisation and warnings for one of our own targets.
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
                                             -Werror -ffp-contract=off ${JIMBOT_OPTIMISATION} ${JIMBOT_BLOCKS})
    target_link_options(${target} PRIVATE -ffp-contract=off ${JIMBOT_BLOCKS})
    if(JIMBOT_NATIVE)
        target_compile_options(${target} PRIVATE -march=native)
    else()
        target_compile_options(${target} PRIVATE ${JIMBOT_PROCESSOR})
    endif()
    if(JIMBOT_SANITIZE)
        target_compile_options(${target} PRIVATE -g ${JIMBOT_SANITIZER_FLAGS})
        target_link_options(${target} PRIVATE ${JIMBOT_SANITIZER_FLAGS})
    endif()
endfunction()

# Networks are not scores: their sums may be fused. On x86 their loops are compiled for several generations of
# processors, of which engine/learn/loops.cpp takes the best that is there.
function(jimbot_network_flags target)
    if(MSVC)
        return()
    endif()
    set(loops "${CMAKE_CURRENT_SOURCE_DIR}/engine/learn/loops")
    set(freedom -ffp-contract=fast -fno-math-errno -fno-trapping-math -fopenmp-simd)
    set_source_files_properties("${loops}.cpp" PROPERTIES COMPILE_OPTIONS "${freedom}")
    if(JIMBOT_PROCESSOR)
        target_compile_definitions(${target} PRIVATE JIMBOT_MANY_PROCESSORS)
        set_source_files_properties("${loops}_avx2.cpp" PROPERTIES COMPILE_OPTIONS "-march=haswell;${freedom}")
        set_source_files_properties(
            "${loops}_avx512.cpp" PROPERTIES COMPILE_OPTIONS
                                             "-march=skylake-avx512;-mprefer-vector-width=512;${freedom}")
    endif()
endfunction()
