"""Solves problem files with one solver of Siconos, on one thread; a line of JSON for each as it is done.

siconos_side.py SOLVER TOLERANCE SWEEPS REPEATS FILE...       impulses go beside each FILE, as FILE.SOLVER.npy
siconos_side.py --check                                       ends with 0 where everything needed can be imported
"""

import json
import sys
import time
import warnings

import numpy as np
import scipy.sparse
import siconos.numerics as sn

from friction_problem import Problem

warnings.simplefilter("ignore")  # of storage that Siconos converts before the clock starts


def gauss_seidel(local):
    """Stops by the full error, every five sweeps, on W in blocks: the fastest of its own ways to reach a tolerance."""

    def set_up(options):
        options.iparam[sn.SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = sn.SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL
        options.iparam[sn.SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION_FREQUENCY] = 5
        sn.solver_options_update_internal(options, 0, local)

    return sn.SICONOS_FRICTION_3D_NSGS, set_up, in_blocks, None


def alone(solver, most=None):
    return solver, lambda options: None, by_columns, most


def by_columns(problem):
    W = scipy.sparse.csc_matrix(problem.W)
    return (sn.FrictionContactProblem(3, problem.contacts, W, problem.q, problem.mu),)


def in_blocks(problem):
    """Everything that Siconos keeps pointers to is returned, to be kept alive."""
    rows = 3 * problem.contacts
    status_and_blocks = sn.SBM_from_csparse(3, scipy.sparse.csc_matrix(problem.W))
    matrix = sn.NM_create(sn.NM_SPARSE_BLOCK, rows, rows)
    matrix.matrix1 = status_and_blocks[1]
    (whole,) = by_columns(problem)
    replaced, whole.M = whole.M, matrix
    return whole, replaced, matrix, status_and_blocks


SOLVERS = {
    "gs-hybrid": lambda: gauss_seidel(sn.SICONOS_FRICTION_3D_ONECONTACT_NSN_GP_HYBRID),
    "gs-projection": lambda: gauss_seidel(sn.SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration),
    "gs-quartic": lambda: gauss_seidel(sn.SICONOS_FRICTION_3D_ONECONTACT_QUARTIC),
    "nsn-ac": lambda: alone(sn.SICONOS_FRICTION_3D_NSN_AC, 200),
    "admm": lambda: alone(sn.SICONOS_FRICTION_3D_ADMM),
}


def solve(problem, solver, tolerance, sweeps, repeats):
    name, set_up, convert, most = SOLVERS[solver]()
    parts = convert(problem)
    times = []
    for _ in range(repeats):
        options = sn.SolverOptions(name)
        options.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
        options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = min(sweeps, most or sweeps)
        set_up(options)
        r, u = np.zeros(3 * problem.contacts), np.zeros(3 * problem.contacts)
        start = time.process_time()
        sn.fc3d_driver(parts[0], r, u, options)
        times.append(time.process_time() - start)
    return r, {"sweeps": int(options.iparam[sn.SICONOS_IPARAM_ITER_DONE]), "ms": 1e3 * float(np.median(times))}


def main():
    if sys.argv[1:] == ["--check"]:
        return
    solver, tolerance, sweeps, repeats = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    for path in sys.argv[5:]:
        r, outcome = solve(Problem(path), solver, tolerance, sweeps, repeats)
        np.save(f"{path}.{solver}.npy", r)
        print("outcome " + json.dumps({"file": path, **outcome}), flush=True)


main()
