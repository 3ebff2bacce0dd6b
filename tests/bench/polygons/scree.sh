# shellcheck shell=bash disable=SC2154
# scree: spheropolygons of the same outline, mass and law.

scree_walls() {
  printf '"floor": {"type": "half-plane", "normal": [0, 1]}, "left": {"type": "half-plane", "normal": [1, 0]}, "right": {"type": "half-plane", "normal": [-1, 0]}'
}

scree_wall_bodies() {  # width of the box
  local wall
  for wall in 'floor 0' 'left 0' "right $1"; do
    printf ',\n{"name": "%s", "shape": "%s", "material": "wall", "fixed": true, "position": [%s, 0]}' "${wall% *}" "${wall% *}" "${wall#* }"
  done
}

# Friction as the peer has it: a dashpot under Coulomb's cap, without memory; k_t dt is its coefficient.
scree_scene() {
  local own_density
  read -r _ _ own_density _ < <(bodies_properties)
  { echo x,y,theta; tr ' ' , <"$work/bed"; } >"$work/bed.csv"
  cat <<END
{"dimension": 2, "gravity": [0, -$gravity], "materials": {"grain": {"density": $own_density}, "wall": {}},
"shapes": {"grain": {"type": "spheropolygon", "radius": $radius, "thickness": $thickness, "vertices": [
  $(awk -v nv="$corners" -v c="$circumradius" 'BEGIN { for (k = 0; k < nv; ++k) { a = 8 * atan2(1, 1) * k / nv
    printf "%s[%.12g, %.12g]", k ? ", " : "", c * cos(a), c * sin(a) } }')]},
  $(scree_walls)},
"bodies": [{"name": "grains", "shape": "grain", "material": "grain", "packing": {"type": "csv", "file": "bed.csv"}}$(scree_wall_bodies "$lx")],
"interactions": [{"between": ["*", "*"], "law": {"type": "linear", "normal_stiffness": $stiffness, "normal_damping": $damping,
  "tangential": "viscous", "tangential_stiffness": $(awk -v c="$shear_damping" -v dt="$dt" 'BEGIN { print c / dt }'), "friction": $friction}}],
"integrator": {"type": "velocity-verlet", "dt": $dt}, "grid": {"skin": $skin},
"output": {"writers": []}, "run": {"duration": 1}}
END
}

# \post $work/out holds the run's summary and metrics
scree_run() {  # scene, cores, steps, options
  local scene=$1 cores=$2 steps=$3
  shift 3
  "$scree" run "$work/$scene.json" --quiet --threads "$cores" --out "$work/out" --set "/run/duration=$(seconds "$steps")" "$@" >"$work/log" 2>&1
}

# A checkpoint to start timed runs from: $work/<scene>.h5
scree_relax() {  # scene, steps
  scree_run "$1" 1 "$2" --set "/output/checkpoint_interval=$(seconds "$2")" || return
  cp "$work/out/checkpoints/$(printf 'checkpoint_%09d.h5' "$2")" "$work/$1.h5"
}

# Processor time of a run from a checkpoint, set-up and all.
scree_cpu() {  # scene, cores, steps
  local TIMEFORMAT='%U %S'
  { time scree_run "$1" "$2" "$3" --resume "$work/$1.h5"; } 2>"$work/cpu" || return
  awk '{ print $1 + $2 }' "$work/cpu"
}

# What the steps after a checkpoint take, set-up left out [s]: wall clock, and processor time, which is the
# difference from a run of one step.
scree_seconds() {  # scene, cores, steps before, steps
  local one all
  one=$(scree_cpu "$1" "$2" $(($3 + 1))) && all=$(scree_cpu "$1" "$2" $(($3 + $4))) || return
  awk -v steps="$4" -v cpu="$all $one" 'split(cpu, c, " ") && sub(/^ *"wall_seconds": /, "") {
    printf "%.9g %.9g\n", $0, (c[1] - c[2]) * steps / (steps - 1) }' "$work/out/summary.json"
}

of_metrics() {  # column: its last value
  awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == name) c = i } END { print $c }' "$work/out/metrics.csv"
}

of_summary_mean() { sed -n "s/^ *\"$1_mean\": \([0-9.e+-]*\),*$/\1/p" "$work/out/summary.json"; }

scree_settle() {
  scree_scene >"$work/polygons.json"
  scree_relax polygons "$settling"
}

# Particle-steps per second of wall clock and per second of processor time; the latter means nothing but on one core.
scree_rate() {  # cores
  local seconds
  seconds=$(scree_seconds polygons "$1" "$settling" "$steps") || return
  awk -v work="$((n * steps))" '{ printf "%.6g %.6g\n", work / $1, work / $2 }' <<<"$seconds"
}

# Height of the centre of mass [m] and contacts per particle where the last timed run ended.
scree_end() {
  local mass
  read -r mass _ < <(bodies_properties)
  awk -v e="$(of_metrics potential_energy_J)" -v c="$(of_metrics contacts)" -v n="$n" -v weight="$(awk -v m="$mass" -v g="$gravity" 'BEGIN { print m * g }')" \
    'BEGIN { printf "%.6g %.4g\n", e / (n * weight), c / n }'
}

# The same two for polygons that lie as $1 tells, counted by the same detector.
scree_looks_at() {  # file of rows like those of the bed
  { echo x,y,theta; tr ' ' , <"$1"; } >"$work/bed.csv"
  scree_run polygons 1 1 && scree_end
}
