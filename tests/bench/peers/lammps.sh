# shellcheck shell=bash disable=SC2154
# LAMMPS: a data file of spheres, with the clump of each where there are clumps. Shares functions with liggghts.sh.

lammps_has() { command -v lmp >/dev/null; }

lammps_setup() {
  data_file >"$work/bed.data"
  [ "$kind" = spheres ] || {
    printf '\nMolecules\n\n'
    awk '{ print NR, int((NR + 3) / 4) }' "$work/bed"
  } >>"$work/bed.data"
}

lammps_rate() { run_deck lmp "lammps_$kind.in" "$1" "$steps" && deck_rate; }
lammps_settled() { run_deck lmp "lammps_$kind.in" "$(nproc)" "$settling" && deck_end; }
