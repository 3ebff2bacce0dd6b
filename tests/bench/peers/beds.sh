# shellcheck shell=bash disable=SC2154,SC2034
# The initial states, the same for all programs. Rows are in SI units.
#
#   $work/bed     spheres: x y z radius vx vy vz
#   $work/clumps  tetrapods only: x y z of the centre, quaternion w x y z; their spheres are in $work/bed, four by four
#
# Sets, per case: n (particles), what, lx ly lz (box), dt, steps (timed), settling (steps before heights are compared).

density=2500
skin=0.0003
gravity=9.81
corner=0.000707460335  # a tetrapod's spheres of 1 mm sit at (+-corner, ...), 1 um apart, so that no volume counts twice
tetrapod_mass=$(awk -v rho=$density 'BEGIN { printf "%.12g", 4 * rho * 4 / 3 * atan2(0, -1) * 1e-9 }')
tetrapod_inertia=$(awk -v m="$tetrapod_mass" -v c=$corner 'BEGIN { printf "%.12g", m * (2 / 5 * 1e-6 + 2 * c * c) }')

# Radii in steps of 2 um: a shape of scree is shared by all bodies of its size.
settled_spheres() {
  awk '{ printf "%.9g %.9g %.9g %.6f 0 0 0\n", $1, $2, $3, 2e-6 * int($4 / 2e-6 + 0.5) }' "$here/settled_spheres.txt"
}

# Five by two copies, mirrored, so that what leaned on a wall leans on its image.
tiled() {
  awk -v lx="$1" -v ly="$2" '{ for (i = 0; i < 5; ++i) for (j = 0; j < 2; ++j)
    printf "%.9g %.9g %.9g %s 0 0 0\n", (i % 2 ? lx - $1 : $1) + i * lx, (j % 2 ? ly - $2 : $2) + j * ly, $3, $4 }'
}

# A vortex that fills the bed, or one in each copy, which turns against the next ones: 0.5 m/s along floor and top: it moves by half a skin in 30 steps. Friction takes
# thousands of steps to stop it.
stirred() {
  awk -v lx="$1" -v speed=0.5 '
    { x[NR] = $1; z[NR] = $3; row[NR] = $1 " " $2 " " $3 " " $4; if ($3 > h) h = $3 }
    END { pi = atan2(0, -1)
      for (i = 1; i <= NR; ++i) { a = pi * x[i] / lx; b = pi * z[i] / h
        printf "%s %.9g 0 %.9g\n", row[i], speed * sin(a) * cos(b), -speed * h / lx * cos(a) * sin(b) } }'
}

tetrapod_spheres() {
  awk -v d=$corner '
    BEGIN { split("1 1 1 1 -1 -1 -1 1 -1 -1 -1 1", v, " ") }
    { w = $4; a = $5; b = $6; c = $7
      for (q = 0; q < 4; ++q) { x = d * v[3*q+1]; y = d * v[3*q+2]; z = d * v[3*q+3]
        printf "%.12g %.12g %.12g 0.001 0 0 0\n", $1 + (1 - 2*(b*b + c*c))*x + 2*(a*b - c*w)*y + 2*(a*c + b*w)*z,
          $2 + 2*(a*b + c*w)*x + (1 - 2*(a*a + c*c))*y + 2*(b*c - a*w)*z,
          $3 + 2*(a*c - b*w)*x + 2*(b*c + a*w)*y + (1 - 2*(a*a + b*b))*z } }' "$work/clumps"
}

make_bed() {  # case
  lx=0.046 ly=0.046 lz=0.08 dt=1e-5 kind=spheres
  case $1 in
    10k)
      what='spheres at rest' steps=600 settling=2000
      settled_spheres >"$work/bed" ;;
    100k)
      what='spheres at rest' steps=150 settling=200
      settled_spheres | tiled $lx $ly >"$work/bed"
      lx=0.23 ly=0.092 ;;
    flowing)
      what='stirred spheres' steps=600 settling=12000
      settled_spheres | stirred $lx >"$work/bed" ;;
    100k-flowing)
      what='stirred spheres' steps=150 settling=200
      settled_spheres | tiled $lx $ly | stirred $lx >"$work/bed"
      lx=0.23 ly=0.092 ;;
    tetrapods)
      what='tetrapods at rest' steps=1000 settling=5000
      lx=0.05 ly=0.05 lz=0.11 kind=clumps
      awk '!/^#/ { n = sqrt($4^2 + $5^2 + $6^2 + $7^2)
        printf "%s %s %s %.17g %.17g %.17g %.17g\n", $1, $2, $3, $4 / n, $5 / n, $6 / n, $7 / n }' \
        "$here/settled_tetrapods.txt" >"$work/clumps"
      tetrapod_spheres >"$work/bed" ;;
    *)
      echo "case $1: unknown. Allowed: 10k, 100k, flowing, 100k-flowing, tetrapods." >&2
      exit 2 ;;
  esac
  n=$(wc -l <"$work/bed")
  [ $kind = spheres ] || n=$((n / 4))
}

# Height of the centre of mass [m] and coordination number of rows "x y z radius". A contact is an overlap, of two
# spheres or of a sphere with a wall: coordination = 2 contacts / particles, as far as positions tell.
look_at() {  # rows
  awk -v lx="$lx" -v ly="$ly" -v n="$n" '
    function touches(i, list,    m, k, j, d) { m = split(list, k, " "); d = 0
      for (j = 1; j <= m; ++j) if ((x[i]-x[k[j]])^2 + (y[i]-y[k[j]])^2 + (z[i]-z[k[j]])^2 < (r[i]+r[k[j]])^2) ++d
      return d }
    NF == 4 { ++N; x[N] = $1; y[N] = $2; z[N] = $3; r[N] = $4; m = $4^3; mass += m; moment += m * $3
      if ($3 < $4) ++contacts
      if ($1 < $4) ++contacts
      if ($2 < $4) ++contacts
      if (lx - $1 < $4) ++contacts
      if (ly - $2 < $4) ++contacts
      a = int($1 / 0.0023); b = int($2 / 0.0023); c = int($3 / 0.0023)
      for (i = a - 1; i <= a + 1; ++i) for (j = b - 1; j <= b + 1; ++j) for (k = c - 1; k <= c + 1; ++k)
        if ((i, j, k) in cell) contacts += touches(N, cell[i, j, k])
      cell[a, b, c] = cell[a, b, c] " " N }
    END { if (N) printf "%.6g %.5g\n", moment / mass, 2 * contacts / n }' "$1"
}
