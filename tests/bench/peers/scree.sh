# shellcheck shell=bash disable=SC2154
# scree: one shape and one entry of bodies per radius, or one clump.

scree_has() { :; }

sphere_bodies() {
  sort -k4,4 "$work/bed" >"$work/by_radius"
  echo '"shapes": {'
  awk '$4 != radius { radius = $4; printf "\"r%s\": {\"type\": \"sphere\", \"radius\": %s},\n", radius, radius }' "$work/by_radius"
  printf '\nWALLS\n"bodies": ['
  awk '
    $4 != radius { if (radius) print "]}},"; radius = $4; places = 0
      printf "{\"name\": \"r%s\", \"shape\": \"r%s\", \"material\": \"grain\", ", radius, radius
      printf "\"packing\": {\"type\": \"list\", \"places\": [" }
    { printf "%s{\"position\": [%s,%s,%s], \"velocity\": [%s,%s,%s]}", (places++ ? ",\n" : ""), $1, $2, $3, $5, $6, $7 }
    END { print "]}}," }' "$work/by_radius"
}

clump_bodies() {
  awk -v d="$corner" -v m="$tetrapod_mass" -v i="$tetrapod_inertia" '
    BEGIN { print "\"shapes\": {\"tetrapod\": {\"type\": \"clump\", \"spheres\": ["
      split("1 1 1 1 -1 -1 -1 1 -1 -1 -1 1", v, " ")
      for (q = 0; q < 4; ++q) printf "%s{\"position\": [%s, %s, %s], \"radius\": 0.001}", (q ? "," : ""), d * v[3*q+1], d * v[3*q+2], d * v[3*q+3]
      printf "], \"mass\": %s, \"centre_of_mass\": [0, 0, 0], \"inertia\": [%s, %s, %s]},\n", m, i, i, i
      print "WALLS"
      print "\"bodies\": [{\"name\": \"tetrapods\", \"shape\": \"tetrapod\", \"material\": \"grain\", \"packing\": {\"type\": \"list\", \"places\": [" }
    { printf "%s{\"position\": [%s,%s,%s], \"orientation\": [%s,%s,%s,%s]}\n", (NR > 1 ? "," : ""), $1, $2, $3, $4, $5, $6, $7 }
    END { print "]}}," }' "$work/clumps"
}

scree_setup() {
  local bodies=sphere_bodies
  [ "$kind" = spheres ] || bodies=clump_bodies
  {
    printf '{"dimension": 3, "gravity": [0, 0, -%s],\n' "$gravity"
    printf '"materials": {"grain": {"density": %s, "youngs_modulus": 5e6, "poisson_ratio": 0.3}},\n' "$density"
    $bodies | sed '/^WALLS$/c\
"floor": {"type": "half-space"}, "left": {"type": "half-space", "normal": [1, 0, 0]}, "right": {"type": "half-space", "normal": [-1, 0, 0]},\
"front": {"type": "half-space", "normal": [0, 1, 0]}, "back": {"type": "half-space", "normal": [0, -1, 0]}},'
    local wall name x y comma=''
    for wall in 'floor 0 0' 'left 0 0' "right $lx 0" 'front 0 0' "back 0 $ly"; do
      read -r name x y <<<"$wall"
      printf '%s{"name": "%s", "shape": "%s", "material": "grain", "fixed": true, "position": [%s, %s, 0]}' \
        "$comma" "$name" "$name" "$x" "$y"
      comma=$',\n'
    done
    printf '],\n"interactions": [{"between": ["*", "*"], "law": {"type": "hertz-mindlin", "restitution": 0.5, "friction": 0.5}}],\n'
    printf '"integrator": {"type": "velocity-verlet", "dt": %s}, "grid": {"skin": %s},\n' "$dt" "$skin"
    printf '"output": {"writers": []}, "run": {"duration": %s}}\n' "$(seconds "$steps")"
  } >"$work/scene.json"
}

scree_run() {  # cores, steps
  local -a start=()
  local threads=$1
  [ -z "$ranks" ] || [ "$1" = 1 ] || start=(mpirun --allow-run-as-root --oversubscribe -np "$1") threads=1
  "${start[@]}" "$scree" run "$work/scene.json" --set "/run/duration=$(seconds "$2")" --threads "$threads" --quiet \
    --out "$work/out" >"$work/log" 2>&1
}

of_summary() {  # key
  sed -n "s/^ *\"$1\": \([0-9.e+-]*\),*$/\1/p" "$work/out/summary.json"
}

scree_rate() {  # cores
  scree_run "$1" "$steps"
  awk -v n="$n" -v steps="$steps" -v wall="$(of_summary wall_seconds)" -v rebuilds="$(of_summary rebuilds)" \
    'BEGIN { printf "%.6g %d\n", n * steps / wall, rebuilds }'
}

# The height follows from the potential energy, the contacts are its own count; both in the last row of metrics.csv.
scree_settled() {
  scree_run "$(nproc)" "$settling"
  local mass
  mass=$(awk -v rho="$density" '{ m += rho * 4 / 3 * atan2(0, -1) * $4^3 } END { printf "%.12g", m }' "$work/bed")
  awk -F, -v g="$gravity" -v mass="$mass" -v n="$n" '
    NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
    { height = $column["potential_energy_J"] / (mass * g); z = 2 * $column["contacts"] / n }
    END { printf "%.6g %.5g\n", height, z }' "$work/out/metrics.csv"
}

# What else scree counts in a timed run.
scree_counts() {
  scree_run 1 "$steps"
  awk -F'[:,]' -v n="$n" -v steps="$steps" '
    /"(candidate_pairs_mean|contacts_mean|history_hits_mean)"/ { gsub(/[ "]/, "", $1); sub(/_mean/, "", $1); printf "  scree: %s per particle %.3f\n", $1, $2 / n }
    /"rebuilds"/ { printf "  scree: rebuilds %d in %d steps\n", $2, steps }
    /"peak_overlap_ratio"/ { printf "  scree: largest overlap / smallest radius %.3g\n", $2 }' "$work/out/summary.json"
}
