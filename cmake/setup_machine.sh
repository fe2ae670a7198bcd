# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The causal_conv1d authors
# SPDX-License-Identifier: BSD-3-Clause

# Sourced by the commands of this project: brings a Debian 12, Ubuntu 24.04 or newer machine to where it can build.
# What is missing is installed by apt-get where that is possible and named exactly where it is not. Nothing is asked of
# the network if nothing is missing. A CUDA toolkit or driver is used if it is there and never installed.

readonly oldest_cmake=3.25

has_command() { command -v "$1" >/dev/null 2>&1; }
has_header() { printf '#include <%s>\n' "$1" | g++ -E -x c++ - >/dev/null 2>&1; }

# Names a python3 that has matplotlib. The first on the PATH is often not the one that Debian's package is for.
python_with_matplotlib() {
  local candidate
  for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c 'import matplotlib' >/dev/null 2>&1; then
      echo "$candidate"
      return
    fi
  done
  return 1
}

# Whether what a Debian package is needed for is there, from a package manager or not.
has_package() {
  case "$1" in
    g++ | clang | cmake | git | ccache | shellcheck | clang-format | clang-tidy | pkg-config) has_command "$1" ;;
    ninja-build) has_command ninja ;;
    python3) has_command python3 ;;
    libgtest-dev) has_header gtest/gtest.h ;;
    libbenchmark-dev) has_header benchmark/benchmark.h ;;
    libsndfile1-dev) has_header sndfile.h ;;
    alsa-utils) [ -e /usr/share/sounds/alsa/Front_Center.wav ] ;;
    python3-matplotlib) python_with_matplotlib >/dev/null ;;
    *) echo "setup_machine.sh does not know the package $1" >&2 && return 1 ;;
  esac
}

# Sets `missing` to those of the packages that are not there.
find_missing() {
  missing=()
  local package
  for package in "$@"; do
    has_package "$package" || missing+=("$package")
  done
}

# Runs apt-get as root, or fails where that is not possible without a question on a terminal.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    env DEBIAN_FRONTEND=noninteractive "$@"
  elif has_command sudo && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  else
    return 1
  fi
}

try_to_install() {
  find_missing "$@"
  if [ "${#missing[@]}" -eq 0 ] || ! has_command apt-get; then
    return
  fi
  echo "Installing ${missing[*]}" >&2
  as_root apt-get update -qq >&2 || true
  # One by one: a package that this release does not have must not keep the others away.
  local package
  for package in "${missing[@]}"; do
    as_root apt-get install -y -qq --no-install-recommends "$package" >/dev/null || true
  done
}

# Packages without which the command can not run.
require_packages() {
  try_to_install "$@"
  find_missing "$@"
  if [ "${#missing[@]}" -ne 0 ]; then
    echo "error: this machine lacks what these Debian packages provide: ${missing[*]}" >&2
    echo "error: as root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  require_cmake
}

# Packages without which a part of the command is left out.
want_packages() {
  try_to_install "$@"
  find_missing "$@"
  if [ "${#missing[@]}" -ne 0 ]; then
    echo "note: not installed, so a part is left out: ${missing[*]}" >&2
  fi
}

require_cmake() {
  local found
  found=$(cmake --version | sed -n 's/^cmake version \([0-9.]*\).*/\1/p')
  if [ "$(printf '%s\n' "$oldest_cmake" "$found" | sort -V | head -n 1)" != "$oldest_cmake" ]; then
    echo "error: CMake $oldest_cmake or newer is needed, but $(command -v cmake) is CMake $found" >&2
    exit 1
  fi
}

# Sets `nvcc` and `gpu` to what is found, empty if nothing, and settles how the build uses them.
find_gpu_tools() {
  nvcc=""
  local candidate
  for candidate in "${CUDACXX:-}" nvcc "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" /usr/local/cuda/bin/nvcc; do
    if [ -n "$candidate" ] && has_command "$candidate"; then
      nvcc=$(command -v "$candidate")
      export CUDACXX=$nvcc
      break
    fi
  done

  gpu=""
  if has_command nvidia-smi; then
    gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1) || gpu=""
  fi
  if [ -z "${CUDAARCHS:-}" ]; then
    if [ -n "$gpu" ]; then
      export CUDAARCHS=native
    else
      export CUDAARCHS=90
    fi
  fi

  if [ -z "$nvcc" ]; then
    echo "What runs on a GPU is not built: nvcc is neither on the PATH nor in /usr/local/cuda/bin."
  elif [ -z "$gpu" ]; then
    echo "What runs on a GPU is built by $nvcc but can not run: nvidia-smi names no GPU."
  else
    echo "What runs on a GPU is built by $nvcc and runs on: $gpu."
  fi
}

# Compilations are cached and tests run side by side, unless the caller has settled that.
use_machine_well() {
  if has_command ccache; then
    export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
    export CMAKE_CUDA_COMPILER_LAUNCHER=${CMAKE_CUDA_COMPILER_LAUNCHER-ccache}
  fi
  export CTEST_PARALLEL_LEVEL=${CTEST_PARALLEL_LEVEL:-$(nproc)}
}
