#pragma once
/// \file What a target of the fuzzers defines, and what its driver offers it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Reads one input. It may throw nothing, must end within seconds, and must not need a gibibyte: errors that the reader
/// is meant to report (InputError) are caught inside.
/// \return 0
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

/// Seeds that stand in no file. A target that has some defines it; drive.cpp alone asks.
std::vector<std::string> fuzz_seeds() __attribute__((weak));
