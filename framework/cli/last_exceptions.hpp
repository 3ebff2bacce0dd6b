#pragma once
/// \file Exceptions out of a destructor, or while libraries are unloaded, which cannot be caught: std::terminate() is
/// called. Finished work stays finished, and the exit code shows it.

namespace scree::cli {

/// Makes std::terminate() report the faulty plugin, and end the program with kInternalError.
void name_plugins_at_terminate();

/// Records that all results are written: from now on std::terminate() ends the program with this exit code.
void note_done(int exit_code);

}  // namespace scree::cli
