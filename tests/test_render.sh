#!/usr/bin/env bash
# cordage render from outside: exit statuses, messages, files that are whole or not there, interruption.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0

fail() {
    echo "FAILED: $1" >&2
    failures=$((failures + 1))
}

# expect STATUS PATTERN ARGUMENT...: the exit status, and that standard output or error matches.
expect() {
    local status=$1 pattern=$2 got=0
    shift 2
    "$CORDAGE_COMMAND" render "$@" >out.txt 2>err.txt || got=$?
    [ "$got" -eq "$status" ] || fail "render $*: exit status $got instead of $status: $(cat err.txt)"
    cat out.txt err.txt | grep -qE -- "$pattern" || fail "render $*: no '$pattern' in: $(cat out.txt err.txt)"
}

# the files here, without what the test itself makes
files() { find . -type f -not -path './run/*' -not -name '*.txt' -not -name '*.yaml' | sort | tr '\n' ' '; }

cat >scene.yaml <<'YAML'
cordage: 1
title: Two rods fall
simulation: {duration: 0.5 s, step: 2 ms}
output: {every: 50 ms}
materials:
  rubber: {young_modulus: 1 MPa, density: 1100 kg/m^3}
rods:
  - name: thick
    material: rubber
    section: {circle: {radius: 5 mm}}
    centerline: {line: {from: [0, 0, 0], to: [1, 0, 0]}}
    elements: 12
  - name: thin
    material: rubber
    section: {circle: {radius: 0.1 mm}}
    centerline: {line: {from: [0, 0.2, 0], to: [1, 0.2, 0]}}
    elements: 12
supports:
  - clamp: thick.start
  - clamp: thin.start
YAML
"$CORDAGE_COMMAND" run scene.yaml -o run -q
small=(--size 160x90 --quality draft)

# ---- what should work
expect 0 'shot.png: 160 x 90, 1 picture' run -o shot.png "${small[@]}"
expect 0 'thicker' run -o shot.png "${small[@]}" # the thin rod
expect 0 'time +0 s' run/run.h5 -o first.png "${small[@]}" --frame 0 --plain --no-ground --background dark
expect 0 'tension' run -o field.png "${small[@]}" --color tension --time 0.125 --camera 'orbit=20,5 zoom=1.2'
expect 0 'sheet.png: 160 x 90, 4 pictures' run -o sheet.png "${small[@]}" --sheet 2x2 --stripe
expect 0 'film.mp4: 160 x 90, 15 pictures' run -o film.mp4 "${small[@]}"
expect 0 'film.webm: 160 x 90, 5 pictures' run -o film.webm "${small[@]}" --fps 10
expect 0 'film.gif: 160 x 90, 5 pictures' run -o film.gif "${small[@]}" --fps 10 --color tension
[ "$(head -c 6 film.gif)" = GIF89a ] || fail "film.gif is no GIF"
expect 0 '"pictures": *1' run -o json.png "${small[@]}" --json
python3 -c 'import json; d = json.load(open("out.txt")); assert d["outcome"] == "finished" and d["thickened"] > 1' ||
    fail "the JSON document"
[ "$(files)" = "./field.png ./film.gif ./film.mp4 ./film.webm ./first.png ./json.png ./sheet.png ./shot.png " ] ||
    fail "files: $(files)"
"$CORDAGE_COMMAND" render run -o quiet.png "${small[@]}" -q >out.txt 2>&1
[ ! -s out.txt ] || fail "--quiet prints"
"$CORDAGE_COMMAND" render run -o a.png "${small[@]}" -q --threads 1
"$CORDAGE_COMMAND" render run -o b.png "${small[@]}" -q --threads 2
cmp -s a.png b.png || fail "the picture depends on the number of threads"
rm ./*.png ./*.mp4 ./*.webm ./*.gif

# ---- scenes: their start, explained, and nothing left behind
expect 0 'scene.png: 160 x 90, 1 picture' scene.yaml -o scene.png "${small[@]}"
"$CORDAGE_COMMAND" render scene.yaml -o plain.png "${small[@]}" -q --plain
cmp -s scene.png plain.png && fail "a scene's picture explains nothing"
expect 0 'start.png' twisted_cable -o start.png "${small[@]}" --set 'simulation.model=der'
expect 2 'unknown key' scene.yaml -o x.png --set 'simulation.modle=der'
expect 2 'run it first' scene.yaml -o x.mp4
expect 2 'run it first' scene.yaml -o x.png --time 1
expect 2 'is a run' run -o x.png --set 'simulation.model=der'
expect 0 'hidden.png' run -o hidden.png "${small[@]}" --hide thick,thin --no-supports
"$CORDAGE_COMMAND" render run -o shown.png "${small[@]}" -q
cmp -s hidden.png shown.png && fail "--hide hides nothing"
expect 0 'follow.mp4' run -o follow.mp4 "${small[@]}" --fps 10 --camera 'follow=thin view=front'
"$CORDAGE_COMMAND" render run -o still.mp4 "${small[@]}" -q --fps 10 --camera 'fit=moment view=front'
cmp -s follow.mp4 still.mp4 && fail "the camera follows nothing"
rm follow.mp4 still.mp4
expect 2 'follow=thinn' run -o x.mp4 --camera follow=thinn
expect 2 "no rod, body, obstacle or solid 'thik'" run -o x.png --hide thik
[ "$(files)" = "./hidden.png ./plain.png ./scene.png ./shown.png ./start.png " ] || fail "files: $(files)"
rm ./*.png

if command -v ulimit >/dev/null; then # a full disk
    got=0
    (ulimit -f 1 && trap '' XFSZ && "$CORDAGE_COMMAND" render run -o full.png --size 640x360 -q) >out.txt 2>err.txt || got=$?
    [ "$got" -eq 1 ] || fail "full disk: exit status $got: $(cat err.txt)"
    [ ! -e full.png ] || fail "full disk: a file is left"
fi

# ---- what should be refused, with the cure
expect 2 'needs a file to write' run
expect 2 'nothing-there' nothing-there -o x.png
mkdir empty
expect 2 'run.h5' empty -o x.png
expect 2 'end in .png' run -o x.jpg
expect 2 'end in .png' run -o png
expect 2 'directory does not exist' run -o no/such/x.png "${small[@]}"
expect 2 '16 to 16384' run -o x.png --size 0x0
expect 2 '16 to 16384' run -o x.png --size 20000x100
expect 2 '16 to 16384' run -o x.png --size large
expect 2 'must be even' run -o x.mp4 --size 161x90
expect 2 'from 0 to 0.5 s' run -o x.png --time 0.6
expect 2 'from 0 to 0.5 s' run -o x.png --time -1
expect 2 'is a time' run -o x.png --time soon
expect 2 'outputs 0 to 10' run -o x.png --frame 11
expect 2 'choose one picture' run -o x.mp4 --frame 1
expect 2 'curvature' run -o x.png --color colour
expect 2 'two numbers' run -o x.png --color twist --range 3
expect 2 'add --color' run -o x.png --range 0:3
expect 2 'unknown key' run -o x.png --camera 'form=1,2,3'
expect 2 '4x3' run -o x.png --sheet 4
expect 2 'fps' run -o x.mp4 --fps 0
expect 2 'speed' run -o x.mp4 --speed -1
expect 2 'draft, normal' run -o x.png --quality best
expect 2 'light, white, dark' run -o x.png --background pink
expect 2 'leave one out' run -o x.png --ground --no-ground
expect 2 'unknown option' run -o x.png --colour rod
for size in 0 100 3000; do
    mkdir -p cut
    head -c "$size" run/run.h5 >cut/run.h5
    expect 2 'cut' cut -o x.png "${small[@]}"
done
rm -r cut empty
[ "$(files)" = "" ] || fail "left behind: $(files)"

# ---- an old file survives failure and interruption
echo old >film.mp4
expect 2 'outside' run -o film.mp4.png --time 9
"$CORDAGE_COMMAND" render run -o film.mp4 --size 1280x720 --speed 0.01 >out.txt 2>err.txt &
child=$!
for _ in $(seq 100); do # until the temporary file is there
    [ "$(files | wc -w)" -gt 1 ] && break
    sleep 0.1
done
kill -TERM "$child" # as Ctrl-C, which background jobs ignore
got=0
wait "$child" || got=$?
[ "$got" -eq 1 ] || fail "interrupted: exit status $got"
grep -q 'stopped on request' err.txt || fail "interrupted: $(cat err.txt)"
[ "$(files)" = "./film.mp4 " ] || fail "interrupted: left behind $(files)"
[ "$(cat film.mp4)" = old ] || fail "interrupted: the old film is gone"

[ "$failures" -eq 0 ] || exit 1
echo "all well"
