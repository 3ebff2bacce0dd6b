# shellcheck shell=bash disable=SC2154
# What a cow costs beside a disc of its area and a clump of its outline, and how the cost grows with their number.

cow_outline=$root/plugins/spheropolygon/cow62.json
cow_radius=0.1

# The cow's figures as its file tells them: area, polar second moment, x and y of the centre of mass.
cow_figure() { awk -v key="\"$1\":" -v which="${2:-1}" '
  $1 == key && $2 != "[" { sub(",", ""); print $2; exit } inside && ++k == which { sub(",", ""); print $1; exit } $1 == key { inside = 1 }' "$cow_outline"; }

# Discs along the edges, each edge cut into equal parts, so close that the outline dents by less than 4.5 % of
# their radius between two of them. \return rows "x y r" about the centre of mass
cow_discs() {
  awk -v r=$cow_radius -v dent=0.045 -v cx="$(cow_figure centroid 1)" -v cy="$(cow_figure centroid 2)" '
    /"vertices"/ { inside = 1; next }
    inside && $1 ~ /^-?[0-9]/ { sub(",", ""); v[m++] = $1 }
    END { longest = 2 * r * sqrt(1 - (1 - dent)^2)
      for (k = 0; k < m / 2; ++k) {
        x = v[2*k]; y = v[2*k+1]; dx = v[(2*k+2) % m] - x; dy = v[(2*k+3) % m] - y; length_ = sqrt(dx^2 + dy^2)
        parts = int(length_ / longest) + 1
        for (p = 0; p < parts; ++p) printf "%.9g %.9g 0 %s\n", x + dx * p / parts - cx, y + dy * p / parts - cy, r } }' "$cow_outline"
}

herd_shape() {  # cow, disc or clump
  local area moment
  area=$(cow_figure spheropolygon_area) moment=$(cow_figure polar_second_moment_centroid)
  case $1 in
    cow) printf '"type": "spheropolygon", "file": "%s", "radius": %s, "position_of": "centre-of-mass"' "$cow_outline" $cow_radius ;;
    disc) awk -v a="$area" 'BEGIN { printf "\"type\": \"sphere\", \"thickness\": 1, \"radius\": %.9g", sqrt(a / atan2(0, -1)) }' ;;
    clump) printf '"type": "clump", "file": "discs.txt", "thickness": 1, "mass": %s, "centre_of_mass": [0, 0], "inertia": [%s]' "$area" "$moment" ;;
  esac
}

# Density 1 kg/m^2. In a box of walls bodies have weight, in a periodic cell none.
herd_scene() {  # shape, file of places, walls or cell, its width, height of the cell
  local walls='' wall_bodies='' space
  if [ "$3" = walls ]; then
    space='"gravity": [0, -10]' walls=", $(scree_walls)" wall_bodies=$(scree_wall_bodies "$4")
  else
    space='"gravity": [0, 0], "periodic": {"x": [0, '"$4"'], "y": [0, '"$5"']}'
  fi
  cat <<END
{"dimension": 2, $space, "materials": {"grain": {"density": 1}, "wall": {}},
"shapes": {"grain": {$(herd_shape "$1")}$walls},
"bodies": [{"name": "grains", "shape": "grain", "material": "grain", "packing": {"type": "csv", "file": "$2"}}$wall_bodies],
"interactions": [{"between": ["*", "*"], "law": {"type": "linear", "normal_stiffness": 1e7, "normal_damping": $herd_damping, "friction": $herd_friction}}],
"integrator": {"type": "velocity-verlet", "dt": $dt}, "output": {"writers": []}, "run": {"duration": 1}}
END
}

# Discs of the cow's area fall from a lattice into the same box.
disc_places() {  # number per row
  awk -v n="$1" 'BEGIN { for (k = 0; k < 400; ++k) printf "%.9g,%.9g,0\n", 1.7 + 3 * (k % n) + (int(k / n) % 2) * 0.7, 1.6 + 2.95 * int(k / n) }'
}

beside_discs_and_clumps() {
  local dt=4e-5 herd_damping=500 herd_friction=0.5 width=76 n=400 round shape seconds
  local -A timed=([cow]=2000 [disc]=20000 [clump]=200) before=([cow]=1000 [disc]=100000 [clump]=800)
  cow_discs >"$work/discs.txt"
  { echo x,y,theta; grep -v '^#' "$here/settled_cows.txt" | tr ' ' ,; } | tee "$work/cow.csv" >"$work/clump.csv"
  { echo x,y,theta; disc_places 24; } >"$work/disc.csv"
  for shape in disc cow clump; do
    [ -z "$given_steps" ] || timed[$shape]=$given_steps
    [ -z "$given_settling" ] || before[$shape]=$given_settling
    herd_scene $shape $shape.csv walls $width >"$work/$shape.json"
    scree_relax $shape "${before[$shape]}" || failed scree
    rm -f "$work/$shape.seconds"
  done
  for ((round = 0; round < rounds; ++round)); do
    for shape in disc cow clump; do
      seconds=$(scree_seconds $shape 1 "${before[$shape]}" "${timed[$shape]}") || failed scree
      awk -v cpu="${seconds#* }" -v steps="${timed[$shape]}" 'BEGIN { printf "%.9g\n", cpu / steps }' >>"$work/$shape.seconds"
      printf '%s %s\n' "$(of_metrics touching_pairs)" "$(of_metrics contacts)" >"$work/$shape.contacts"
    done
  done
  printf 'cows: %s at rest in a box, one thread, processor time, median of %s round(s); the clump has %s discs\n' $n "$rounds" "$(wc -l <"$work/discs.txt")"
  printf '  %-28s %12s %14s %12s %12s %14s\n' '' 'ms per step' 'us/body/step' 'ratio to cow' 'pairs/body' 'contacts/body'
  for shape in disc cow clump; do
    awk -v n=$n -v name=$shape -v t="$(median "$work/$shape.seconds")" -v cow="$(median "$work/cow.seconds")" '
      { printf "  %-28s %12.4f %14.3f %12.4g %12.2f %14.2f\n", name, 1e3 * t, 1e6 * t / n, t / cow, $1 / n, $2 / n }' "$work/$shape.contacts"
  done
  awk -v disc="$(median "$work/disc.seconds")" -v cow="$(median "$work/cow.seconds")" -v clump="$(median "$work/clump.seconds")" \
    'BEGIN { printf "  a disc is %.0f times faster than a cow (paper: 50), a cow %.0f times faster than a clump (paper: 40)\n", cow / disc, clump / cow }'
}

# Cows on a lattice of 3.3 m by 2.85 m, upright or turned by half a circle, that fly at 5 m/s in any direction.
flying_herd() {  # columns, rows
  awk -v columns="$1" -v rows="$2" -v cx="$(cow_figure centroid 1)" -v cy="$(cow_figure centroid 2)" '
    function draw() { seed = seed * 48271 % 2147483647; return seed / 2147483647 }
    BEGIN { seed = 779; pi = atan2(0, -1); print "x,y,theta,vx,vy,omega"
      for (j = 0; j < rows; ++j) for (i = 0; i < columns; ++i) { half = draw() < 0.5; way = 2 * pi * draw(); s = half ? -1 : 1
        # The middle of the bounding box, (1.5, 1.27661), sits on the lattice.
        printf "%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", 3.3 * (i + 0.5) + s * (cx - 1.5), 2.85 * (j + 0.5) + s * (cy - 1.27661),
          half ? pi : 0, 5 * cos(way), 5 * sin(way), 2 * draw() - 1 } }'
}

scaling() {
  local dt=1e-4 herd_damping=0 herd_friction=0 columns rows n round seconds steps settling=${given_settling:-2000}
  local -A timed=([100]=20000 [1000]=2000 [10000]=200)
  for n in 100 1000 10000; do
    rows=$((n == 1000 ? 25 : n == 100 ? 10 : 100)) columns=$((n / rows))
    flying_herd $columns $rows >"$work/herd$n.csv"
    herd_scene cow "herd$n.csv" cell "$(awk -v n=$columns 'BEGIN { print 3.3 * n }')" "$(awk -v n=$rows 'BEGIN { print 2.85 * n }')" \
      >"$work/herd$n.json"
    scree_relax "herd$n" "$settling" || failed scree
    rm -f "$work/herd$n.seconds"
  done
  for ((round = 0; round < rounds; ++round)); do
    for n in 100 1000 10000; do
      steps=${given_steps:-${timed[$n]}}
      seconds=$(scree_seconds "herd$n" 1 "$settling" "$steps") || failed scree
      awk -v cpu="${seconds#* }" -v steps="$steps" 'BEGIN { printf "%.9g\n", cpu / steps }' >>"$work/herd$n.seconds"
      of_summary_mean contacts >"$work/herd$n.contacts"
    done
  done
  printf 'scaling: cows that fly in a periodic cell and fill 0.69 of it, one thread, processor time, median of %s round(s)\n' "$rounds"
  printf '  %10s %14s %14s %14s\n' cows 'ms per step' 'us/body/step' 'contacts/body'
  for n in 100 1000 10000; do
    awk -v n=$n -v t="$(median "$work/herd$n.seconds")" -v c="$(cat "$work/herd$n.contacts")" \
      'BEGIN { printf "  %10d %14.4f %14.3f %14.3f\n", n, 1e3 * t, 1e6 * t / n, c / n }'
    awk -v n=$n -v t="$(median "$work/herd$n.seconds")" 'BEGIN { print log(n), log(t) }' >>"$work/slope"
  done
  awk '{ ++m; x += $1; y += $2; xx += $1^2; xy += $1 * $2 }
    END { printf "  cost per step grows with their number to the power %.3f\n", (m * xy - x * y) / (m * xx - x^2) }' "$work/slope"
}
