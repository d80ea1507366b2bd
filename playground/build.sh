#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the playground: the engine by emscripten, the page by npm's esbuild. Usage: build.sh [FOLDER] (build-playground)
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-$source/build-playground}
page=$out/page
# a node that is not Debian's does not look where Debian puts what emscripten needs
[ ! -d /usr/share/nodejs/acorn ] || export NODE_PATH="/usr/share/nodejs${NODE_PATH:+:$NODE_PATH}"

mkdir -p "$page"
[ -f "$out/engine/build.ninja" ] || emcmake cmake -S "$source" --preset wasm -B "$out/engine" >"$out/configure.log" 2>&1 ||
    { cat "$out/configure.log"; exit 1; }
cmake --build "$out/engine" --target engine >"$out/engine.log" 2>&1 || { tail -40 "$out/engine.log"; exit 1; }

if ! cmp -s "$source/playground/package-lock.json" "$page/package-lock.json" || [ ! -d "$page/node_modules" ]; then
    cp "$source/playground/package.json" "$source/playground/package-lock.json" "$page"
    (cd "$page" && npm ci --prefer-offline --ignore-scripts --no-audit --no-fund --loglevel=error)
fi
rm -rf "$page/src" "$page/viewer"
mkdir -p "$page/viewer"
cp -r "$source/playground/src" "$source/playground/build.mjs" "$source/playground/tsconfig.json" "$page"
cp -r "$source/viewer/src" "$page/viewer/src"
node "$page/build.mjs" "$out/engine" "$source" "$out"
