#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The scripts of carom completion: what a shell offers, for every command and every option that its help knows.
set -eu
carom=$(realpath "${1:-build/carom}")
source=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
command -v bash >/dev/null || {
    echo "SKIPPED: bash is not installed"
    exit 77
}
mkdir bin
ln -s "$carom" bin/carom
PATH="$folder/bin:$PATH"
export CAROM_MODELS="$source/models"
touch mine.yaml other.csv
carom completion bash >completion.bash
cat >offer.bash <<'OFFER'
source ./completion.bash
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_carom
printf '%s\n' "${COMPREPLY[@]}"
OFFER
offers() { # word ... : what must be among the offers is the last
    for wanted in "$@"; do :; done
    words=
    while [ $# -gt 1 ]; do
        words="$words '$1'"
        shift
    done
    eval "bash offer.bash carom $words" >offers
    grep -qx -- "$wanted" offers || {
        echo "carom$words: does not offer '$wanted' but: $(tr '\n' ' ' <offers)"
        exit 1
    }
}
nothing() {
    bash offer.bash carom "$@" >offers
    [ -z "$(tr -d '\n' <offers)" ] || { echo "carom $*: offers $(tr '\n' ' ' <offers)"; exit 1; }
}
offers ru run
offers --v --version
offers run slider-cr slider-crank
offers run mi mine.yaml
offers run --sch --scheme
offers run --scheme event event_driven
offers run --solver new newton
offers run mine.yaml -o oth other.csv
offers run mine.yaml --lim --limit
offers list sch schemes
offers contact so solve
offers help swe sweep
offers completion z zsh
nothing nothing x
nothing run --step ''
nothing run --scheme zzz
# every command, and every option of its help
carom --help | sed -n 's/^  carom \([a-z]*\) .*/\1/p' >commands
[ "$(wc -l <commands)" -gt 15 ]
while read -r command; do
    offers "$command" "$command"
    carom "$command" --help | sed -n 's/^ *\(-[a-z], \)\{0,1\}\(--[a-z-]*\).*/\2/p' >options
    [ -s options ] || { echo "$command: its help has no options"; exit 1; }
    bash offer.bash carom "$command" -- >offers
    while read -r option; do
        grep -qx -- "$option" offers || { echo "carom $command: $option is not offered"; exit 1; }
    done <options
done <commands
carom completion zsh >_carom
if command -v zsh >/dev/null; then
    zsh -n _carom
    zsh -fc 'autoload -U compinit; compinit -u -d dump; source ./_carom; [ "$_comps[carom]" = _carom ]'
fi
for option in $(carom run --help | sed -n 's/^ *\(-[a-z], \)\{0,1\}\(--[a-z-]*\).*/\2/p'); do
    grep -q -- "'\**$option\[" _carom || { echo "zsh: $option is missing"; exit 1; }
done
! carom completion fish 2>message
grep -q 'bash or zsh' message
