# shellcheck shell=bash disable=SC2154
# The table of a case. Figures lie in $work/figures, one file per quantity and program.

median() { sort -g "$1" | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

figure() {  # quantity, program: nothing where it was not measured
  [ ! -s "$work/figures/$1.$2" ] || median "$work/figures/$1.$2"
}

row() {  # label, one value per program; an empty one becomes "-"
  printf '  %-50s' "$1"
  shift
  printf ' %10s' "${@/#%/-}"
  printf '\n'
}

# A row of a quantity; with an expression, v of the program and s of scree are put together.
figures_row() {  # label, quantity, format, awk expression
  local -a values=()
  local program s v
  s=$(figure "$2" scree)
  for program in "${programs[@]}"; do
    v=$(figure "$2" "$program")
    if [ -n "$v" ] && [ "$v" != - ]; then
      v=$(awk -v v="$v" -v s="$s" -v format="$3" "BEGIN { printf format, ${4:-v} }")
    fi
    values+=("${v:--}")
  done
  row "$1" "${values[@]}"
}

fastest_peer() {  # cores
  local program
  for program in "${programs[@]:1}"; do figure "rate$1" "$program"; done | sort -g | tail -n 1
}

print_speeds() {
  local cores best
  printf '  %-50s %10s %10s %10s %10s\n' '' scree LIGGGHTS LAMMPS Yade
  for cores in $cores_list; do
    figures_row "$cores core(s), 1e6 particle-steps per second" "rate$cores" %.3f v/1e6
    figures_row '  scree / it' "rate$cores" %.2f s/v
  done
  if [[ " $cores_list " == *' 1 '* ]] && [[ " $cores_list " == *' 2 '* ]]; then
    local program
    for program in "${programs[@]}"; do
      [ ! -s "$work/figures/rate1.$program" ] || [ ! -s "$work/figures/rate2.$program" ] ||
        awk -v one="$(figure rate1 "$program")" -v two="$(figure rate2 "$program")" 'BEGIN { print two / (2 * one) }' \
          >"$work/figures/efficiency.$program"
    done
    figures_row 'efficiency on 2 cores [-]' efficiency %.2f
  fi
  figures_row "rebuilds of the neighbour lists in $steps steps" rebuilds %.0f
  for cores in $cores_list; do
    best=$(fastest_peer "$cores")
    awk -v cores="$cores" -v s="$(figure "rate$cores" scree)" -v best="$best" \
      'BEGIN { printf "  scree / fastest peer on %s core(s): %.2f\n", cores, s / best }'
  done
}

# \return 1 where a peer differs by more than a percent
print_physics() {
  local program quantity verdict=0
  printf '  after %s steps of %s s, from the same state:\n' "$settling" "$dt"
  figures_row '  height of the centre of mass [mm]' height %.3f 1e3*v
  figures_row '  coordination number, walls counted [-]' coordination %.3f
  figures_row '  it / scree - 1, height [%]' height %.2f '100*(v/s-1)'
  figures_row '  it / scree - 1, coordination [%]' coordination %.2f '100*(v/s-1)'
  for program in "${programs[@]:1}"; do
    for quantity in height coordination; do
      [ ! -s "$work/figures/$quantity.$program" ] ||
        awk -v s="$(figure $quantity scree)" -v v="$(figure $quantity "$program")" \
          'BEGIN { d = v / s - 1; exit !(d < 0.01 && d > -0.01) }' || verdict=1
    done
  done
  if [ $verdict = 0 ]; then printf '  same physics within 1 %%: yes\n'; else printf '  same physics within 1 %%: NO\n'; fi
  return $verdict
}
