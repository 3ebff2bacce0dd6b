# shellcheck shell=bash disable=SC2154
# LAMMPS: bodies of the style rounded/polygon.

lammps_has() { command -v lmp >/dev/null; }

lammps_data() {
  local mass moment
  read -r mass moment _ < <(bodies_properties)
  awk -v n="$n" -v lx="$lx" -v nv="$corners" -v c="$circumradius" -v r="$radius" -v mass="$mass" -v moment="$moment" '
    BEGIN { printf "rounded polygons\n\n%d atoms\n%d bodies\n1 atom types\n\n0 %s xlo xhi\n0 %s ylo yhi\n-0.01 0.01 zlo zhi\n\nAtoms\n\n", n, n, lx, lx }
    { printf "%d 1 1 %s %s %s 0\n", NR, mass, $1, $2; angle[NR] = $3 }
    END { print "\nBodies\n"
      for (i = 1; i <= n; ++i) {
        printf "%d 1 %d\n%d\n%.12g %.12g %.12g 0 0 0\n", i, 7 + 3 * nv, nv, moment / 2, moment / 2, moment
        for (k = 0; k < nv; ++k) { a = angle[i] + 8 * atan2(1, 1) * k / nv; printf "%.12g %.12g 0\n", c * cos(a), c * sin(a) }
        printf "%.12g\n", 2 * r } }' "$work/bed"
}

lammps_deck() {  # cores, options
  local cores=$1 launcher=()
  shift
  [ "$cores" = 1 ] || launcher=(mpirun --allow-run-as-root --oversubscribe -np "$cores")
  "${launcher[@]}" lmp -nocite -log none -in "$here/decks/polygons.in" -var lx "$lx" -var dt "$dt" -var skin "$skin" -var gravity "$gravity" \
    -var kn "$stiffness" -var cn "$damping" -var ct "$shear_damping" -var mu "$friction" -var corners "$work/corners" "$@" >"$work/log" 2>&1
}

# Its own settling, kept in a restart file.
lammps_settle() {
  lammps_data >"$work/bed.data"
  lammps_deck 1 -var start "read_data $work/bed.data" -var end "write_restart $work/settled.restart" -var steps "$settling"
}

lammps_rate() {  # cores
  lammps_deck "$1" -var start "read_restart $work/settled.restart" -var end 'print done' -var steps "$steps" || return
  awk -v n="$n" '/^Loop time of/ { rate = n * $9 / $4 } /CPU use with/ { used = $1 / 100 }
    END { if (!rate) exit 1; printf "%.6g %.6g\n", rate, rate / used }' "$work/log"
}

# Where LAMMPS left the polygons: rows like those of the bed, from the corners it wrote.
lammps_places() {
  awk -v nv="$corners" '
    /^ITEM: TIMESTEP/ { split("", x); split("", y); split("", x0) }
    /^ITEM/ { entries = /ENTRIES index/; next }
    entries { x[$2] += $3 / nv; y[$2] += $4 / nv; if (!($2 in x0)) { x0[$2] = $3; y0[$2] = $4 } }
    END { for (i = 1; i in x; ++i) printf "%.9g %.9g %.9g\n", x[i], y[i], atan2(y0[i] - y[i], x0[i] - x[i]) }' "$work/corners"
}
