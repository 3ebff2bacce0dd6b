# shellcheck shell=bash disable=SC2154,SC2034
# The settled pile of 3154 crosses of `scree_bench` as a scene. Rows of its file: x y theta vx vy omega in mm, rad, s.

make_stars() {
  dt=1e-4 steps=1000
  {
    printf '{"dimension": 2, "gravity": [0, -9.81], "damping": {"angular": 1e-8},\n'
    printf '"materials": {"grain": {"density": 1180}, "wall": {}},\n'
    printf '"shapes": {"grain": {"type": "star", "coefficients": {"a0": 2, "sin": {"4": 1}}, "radius": 0.00437, "thickness": 0.003}, "floor": {"type": "half-plane", "normal": [0, 1]},\n'
    printf '  "left": {"type": "half-plane", "normal": [1, 0]}, "right": {"type": "half-plane", "normal": [-1, 0]}},\n'
    printf '"bodies": [{"name": "grains", "shape": "grain", "material": "grain", "packing": {"type": "list", "places": [\n'
    awk '{ printf "%s{\"position\": [%.17g, %.17g], \"orientation\": %s, \"velocity\": [%.17g, %.17g], \"angular_velocity\": %s}", (NR > 1 ? ",\n" : ""), $1 / 1000, $2 / 1000, $3, $4 / 1000, $5 / 1000, $6 }' \
      "$root/tests/bench/cross_pile_3154.txt"
    printf ']}}'
    local wall name x y
    for wall in 'floor 0.3 0.01' 'left 0.02 0.3' 'right 0.58 0.3'; do
      read -r name x y <<<"$wall"
      printf ',\n{"name": "%s", "shape": "%s", "material": "wall", "fixed": true, "position": [%s, %s]}' "$name" "$name" "$x" "$y"
    done
    printf '],\n"interactions": [{"between": ["*", "*"], "law": {"type": "linear", "normal_stiffness": 1000, "normal_damping": 0.1,\n'
    printf '  "tangential_stiffness": 500, "friction": 0.5}}],\n'
    printf '"integrator": {"type": "symplectic-euler", "dt": %s}, "output": {"writers": []}, "run": {"duration": %s, "max_initial_overlap": 0.1}}\n' "$dt" "$(seconds "$steps")"
  } >"$work/scene.json"
}
