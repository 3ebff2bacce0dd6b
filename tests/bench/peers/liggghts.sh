# shellcheck shell=bash disable=SC2154
# LIGGGHTS: a data file of spheres; or clumps, for which it has no file: each is inserted by a fix of its own, into a
# region of a nanometre, with its orientation.

liggghts_has() { command -v liggghts >/dev/null; }

# The bed for LIGGGHTS and LAMMPS: id, type, diameter, density, place; velocity and spin.
data_file() {
  printf 'bed\n\n%d atoms\n1 atom types\n\n0 %s xlo xhi\n0 %s ylo yhi\n-0.002 %s zlo zhi\n\nAtoms\n\n' \
    "$(wc -l <"$work/bed")" "$lx" "$ly" "$lz"
  awk -v rho="$density" '{ printf "%d 1 %.12g %s %s %s %s\n", NR, 2 * $4, rho, $1, $2, $3 }' "$work/bed"
  printf '\nVelocities\n\n'
  awk '{ print NR, $5, $6, $7, 0, 0, 0 }' "$work/bed"
}

liggghts_setup() {
  if [ "$kind" = spheres ]; then
    data_file >"$work/bed.data"
    return
  fi
  awk -v d="$corner" 'BEGIN { split("1 1 1 1 -1 -1 -1 1 -1 -1 -1 1", v, " ")
    for (q = 0; q < 4; ++q) print d * v[3*q+1], d * v[3*q+2], d * v[3*q+3], 0.001 }' >"$work/tetrapod"
  awk -v e=5e-10 -v seed=32452843 '
    { printf "region r%d block %.11f %.11f %.11f %.11f %.11f %.11f units box volume_limit 1e-40\n", NR, $1-e, $1+e, $2-e, $2+e, $3-e, $3+e
      printf "fix i%d all insert/pack seed %d distributiontemplate kinds insert_every once overlapcheck no all_in no ", NR, seed
      printf "orientation constant %s %s %s %s vel constant 0 0 0 region r%d particles_in_region 1 ntry_mc 1001\n", $4, $5, $6, $7, NR }' \
    "$work/clumps" >"$work/insert"
  awk '{ printf "unfix i%d\nregion r%d delete\n", NR, NR }' "$work/clumps" >"$work/inserted"
}

# Runs a deck of LIGGGHTS or LAMMPS; the last timed loop is what counts.
run_deck() {  # program, deck, cores, steps
  local -a command=("$1" -log none -in "$here/decks/$2" -var steps "$4" -var lx "$lx" -var ly "$ly" -var lz "$lz"
    -var dt "$dt" -var skin "$skin" -var mass "$tetrapod_mass" -var inertia "$tetrapod_inertia")
  [ "$3" = 1 ] || command=(mpirun --allow-run-as-root --oversubscribe -np "$3" "${command[@]}")
  (cd "$work" && rm -f end && OMP_NUM_THREADS=1 "${command[@]}") >"$work/log" 2>&1 && [ -s "$work/end" ]
}
deck_rate() {
  awk -v n="$n" '/^Loop time of/ { for (i = 1; i < NF; ++i) { if ($i == "of") t = $(i + 1); if ($i == "for") s = $(i + 1) } }
    /^Neighbor list builds =/ { builds = $NF }
    END { if (t > 0) printf "%.6g %d\n", n * s / t, builds }' "$work/log"
}
deck_end() {
  awk 'rows { print } /^ITEM: ATOMS/ { rows = 1 }' "$work/end" >"$work/rows"
  look_at "$work/rows"
}

liggghts_rate() { run_deck liggghts "liggghts_$kind.in" "$1" "$steps" && deck_rate; }
liggghts_settled() { run_deck liggghts "liggghts_$kind.in" "$(nproc)" "$settling" && deck_end; }
