# shellcheck shell=bash disable=SC2154
# Yade: OpenMP threads. Ten times slower than the others, so that it is timed over a fifth of the steps.

yade_has() { command -v yade >/dev/null; }
yade_setup() { :; }

run_yade() {  # cores, steps
  (cd "$work" && rm -f end &&
    BED=$work/bed KIND=$kind LX=$lx LY=$ly DENSITY=$density DT=$dt SKIN=$skin STEPS=$2 yade -n -x "-j$1" "$here/decks/yade.py") \
    >"$work/log" 2>&1 </dev/null && [ -s "$work/end" ]
}

yade_rate() {
  run_yade "$1" $((steps / 5)) &&
    awk -v n="$n" '/^timed/ { printf "%.6g -\n", n * $2 / $3 }' "$work/log"
}
yade_settled() { run_yade "$(nproc)" "$settling" && look_at "$work/end"; }
