# SPDX-FileCopyrightText: 2026 The causal_conv1d authors
# SPDX-License-Identifier: BSD-3-Clause

# What the project's own tests, examples and benchmarks are built with; nothing here reaches a user of the library.
#
# CAUSAL_CONV1D_HAS_CUDA        TRUE if the CUDA language is enabled
# causal_conv1d_development     interface target with warnings and sanitizers

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CUDA_EXTENSIONS OFF)

# Sets CAUSAL_CONV1D_HAS_CUDA, or leaves it and says why.
set(CAUSAL_CONV1D_HAS_CUDA FALSE)
if(NOT CAUSAL_CONV1D_ENABLE_CUDA)
  set(reason "CAUSAL_CONV1D_ENABLE_CUDA is off")
elseif(NOT CUDAToolkit_FOUND)
  set(reason "no CUDA toolkit was found")
elseif(CUDAToolkit_VERSION VERSION_LESS 12.0)
  set(reason "the CUDA toolkit ${CUDAToolkit_VERSION} is older than 12.0")
else()
  # A toolkit in its usual place is often not on the PATH; CUDAToolkit looks there, the language does not.
  if(NOT DEFINED CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND CUDAToolkit_NVCC_EXECUTABLE)
    set(ENV{CUDACXX} "${CUDAToolkit_NVCC_EXECUTABLE}")
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
      set(CMAKE_CUDA_ARCHITECTURES 90)
    endif()
    enable_language(CUDA)
    set(CAUSAL_CONV1D_HAS_CUDA TRUE)
  else()
    set(reason "the CUDA toolkit ${CUDAToolkit_VERSION} has no compiler that works here")
  endif()
endif()
if(NOT CAUSAL_CONV1D_HAS_CUDA)
  message(STATUS "What runs on a GPU is not built: ${reason}")
endif()

add_library(causal_conv1d_development INTERFACE)

if(MSVC)
  target_compile_options(causal_conv1d_development INTERFACE $<$<COMPILE_LANGUAGE:CXX>:/W4>)
  if(CAUSAL_CONV1D_WARNINGS_AS_ERRORS)
    target_compile_options(causal_conv1d_development INTERFACE $<$<COMPILE_LANGUAGE:CXX>:/WX>)
  endif()
else()
  # nvcc's own output is not pedantic C++, so its host compiler gets fewer warnings. GoogleTest's macros use what
  # clang calls an extension.
  target_compile_options(
    causal_conv1d_development
    INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic>
              $<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:-Wno-gnu-zero-variadic-macro-arguments>
              $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=-Wall,-Wextra>)
  if(CAUSAL_CONV1D_WARNINGS_AS_ERRORS)
    target_compile_options(
      causal_conv1d_development INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>
                                          $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Werror=all-warnings;-Xcompiler=-Werror>)
  endif()
endif()

if(CAUSAL_CONV1D_SANITIZE)
  # One flag for each: nvcc would split "-Xcompiler=-fsanitize=address,undefined" at the comma.
  string(REPLACE "," ";" sanitizers "${CAUSAL_CONV1D_SANITIZE}")
  foreach(sanitizer IN LISTS sanitizers)
    target_compile_options(
      causal_conv1d_development INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${sanitizer}>
                                          $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=-fsanitize=${sanitizer}>)
    target_link_options(causal_conv1d_development INTERFACE
                        $<HOST_LINK:-fsanitize=${sanitizer}>)
  endforeach()
  target_compile_options(
    causal_conv1d_development
    INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer;-fno-sanitize-recover=all;-g>)
endif()
