#pragma once
/// \file An exception out of a destructor, or while libraries are unloaded, can be caught by nobody: std::terminate()
/// is called. What was done by then is done, and the exit code says so.

namespace scree::cli {

/// From now on std::terminate() tells which plugin is at fault, and ends the program with kInternalError.
void name_plugins_at_terminate();

/// All results are written: from now on std::terminate() ends the program with this exit code.
void note_done(int exit_code);

}  // namespace scree::cli
