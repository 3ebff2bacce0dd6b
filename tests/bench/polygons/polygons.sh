# shellcheck shell=bash disable=SC2154,SC2034
# Regular polygons with round corners: their beds and how both programs describe them. SI units.
#
#   $work/bed   rows "x y angle" of the centre of each polygon and its first corner
#
# polygon_case NAME sets corners, circumradius, n, lx (box, square), steps (timed), settling (steps before them).

radius=0.00025   # of the disc that sweeps
thickness=0.004
density=2500     # of the core polygon: LAMMPS takes mass and moment from it
dt=1e-5
skin=0.0005
gravity=9.81
stiffness=1e4 damping=0.1 shear_damping=0.05 friction=0.5

# A loose lattice, 7 mm apart: places moved by up to 0.1 mm, any orientation. Lehmer's generator with 48271.
lattice() {  # per row and column, seed
  awk -v n="$1" -v seed="$2" '
    function draw() { seed = seed * 48271 % 2147483647; return seed / 2147483647 }
    BEGIN { for (j = 0; j < n; ++j) for (i = 0; i < n; ++i)
      printf "%.9g %.9g %.9g\n", 0.007 * (i + 0.5) + 2e-4 * (draw() - 0.5), 0.007 * (j + 0.5) + 2e-4 * (draw() - 0.5),
        8 * atan2(1, 1) * draw() }'
}

polygon_case() {  # [falling-]squares or [falling-]hexagons
  case $1 in
    *squares) corners=4 circumradius=0.00282842712 per_row=20 lx=0.14 steps=5000 seed=777 ;;
    *hexagons) corners=6 circumradius=0.0025 per_row=30 lx=0.21 steps=4000 seed=778 ;;
  esac
  n=$((per_row * per_row))
  case $1 in
    falling-*) settling=20000; lattice "$per_row" "$seed" >"$work/bed" ;;
    *) settling=2000; grep -v '^#' "$here/settled_$1.txt" >"$work/bed" ;;
  esac
}

# Mass and moment of a body: of its core for LAMMPS, of the swept polygon for scree, whose density makes the masses equal.
bodies_properties() {
  awk -v nv="$corners" -v c="$circumradius" -v r="$radius" -v rho="$density" -v t="$thickness" 'BEGIN {
    pi = atan2(0, -1); side = 2 * c * sin(pi / nv); apothem = c * cos(pi / nv)
    core = nv / 2 * c * c * sin(2 * pi / nv); swept = core + nv * side * r + pi * r * r
    mass = rho * t * core
    of_core = mass * c * c / 6 * (1 + 2 * cos(pi / nv)^2)
    # The sweep adds a strip along each side and a sector of a disc, of opening 2 pi/nv, at each corner.
    strips = nv * side * r * ((apothem + r / 2)^2 + side^2 / 12 + r^2 / 12)
    sector = r * r * pi / nv                             # its area
    middle = 2 * r * sin(pi / nv) / (3 * pi / nv)        # distance of its centre from the corner
    sectors = nv * sector * (r^2 / 2 + c^2 + 2 * c * middle)
    printf "%.12g %.12g %.12g %.6g\n", mass, of_core, mass / (swept * t),
      (of_core / mass * core + strips + sectors) / swept * mass / of_core }'
}
