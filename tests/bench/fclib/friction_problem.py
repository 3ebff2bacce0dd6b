"""A discrete Coulomb friction problem in FCLib's local form, and the error by which all solvers are judged."""

import h5py
import numpy as np
import scipy.sparse


class Problem:
    """W in compressed rows, q (N, T, T per contact), mu (one per contact)."""

    def __init__(self, path):
        with h5py.File(path, "r") as file:
            form = file["fclib_local"]
            w = form["W"]
            rows = int(w["m"][0])
            if int(w["nz"][0]) != -2:
                raise ValueError(f"{path}: expected compressed rows, as fclib_solve --save writes them.")
            self.W = scipy.sparse.csr_matrix((w["x"][:], w["i"][:], w["p"][:]), shape=(rows, rows))
            self.q = form["vectors/q"][:]
            self.mu = form["vectors/mu"][:]
            self.r = file["solution/r"][:] if "solution/r" in file else None
        self.contacts = len(self.mu)

    def error(self, r):
        """|r - P_K(r - u^)| / max(|q|, |r|, |u|), u = W r + q, u^ = u + mu |u_T| e_N; 1e99 where r is not finite."""
        if not np.all(np.isfinite(r)):
            return 1e99
        u = self.W @ r + self.q
        z = (r - u).reshape(-1, 3)
        z[:, 0] -= self.mu * np.linalg.norm(u.reshape(-1, 3)[:, 1:], axis=1)
        away = r.reshape(-1, 3) - project_on_cones(z, self.mu)
        scale = max(np.linalg.norm(self.q), np.linalg.norm(r), np.linalg.norm(u))
        return np.linalg.norm(away) / (scale if scale > np.finfo(float).eps else 1)


def project_on_cones(z, mu):
    """The nearest points of the cones |z_T| <= mu z_N, row by row."""
    normal, tangential = z[:, 0], np.linalg.norm(z[:, 1:], axis=1)
    on_rim = (normal + mu * tangential) / (1 + mu**2)
    rim = z * (mu * on_rim / np.maximum(tangential, 1e-300))[:, None]
    rim[:, 0] = on_rim
    inside, polar = tangential <= mu * normal, mu * tangential <= -normal
    return np.where(polar[:, None], 0, np.where(inside[:, None], z, rim))
