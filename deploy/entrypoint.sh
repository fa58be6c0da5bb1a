#!/bin/sh
# Runs quaere with its secrets, of which each is a file: /run/secrets/OPENAI_API_KEY holds that setting.
set -eu
for file in "${SECRETS_DIR:-/run/secrets}"/*; do
    name=${file##*/}
    case $name in
        *[!A-Z0-9_]* | [0-9]*) continue ;; # a README, or what Kubernetes keeps there itself
    esac
    [ -f "$file" ] || continue
    if [ ! -r "$file" ]; then
        echo "The secret $name cannot be read by user $(id -u)." >&2
        exit 1
    fi
    export "$name=$(cat "$file")"
done
exec quaere "$@"
