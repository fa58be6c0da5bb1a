#!/usr/bin/env bash
# Builds the wheel and tries it where there is nothing else: an empty environment, an empty folder, no
# repository and no Node. Needs Python and its package index. A wheel that is given must have the page; one
# built here has it where `make web` was run before.
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
serving=
cleanup() {
    if [ -n "$serving" ]; then kill "$serving" 2>/dev/null || true; fi
    rm -rf "$scratch"
}
trap cleanup EXIT
wheel=${1:+$(realpath "$1")}
page='<html'
if [ -n "$wheel" ] || [ -e src/quaere/faces/server/static/index.html ]; then page=/assets/; fi
python=${PYTHON:-python3}
command -v "$python" >/dev/null || python=python

environment() { # Windows keeps its programs elsewhere
    "$python" -m venv "$1"
    if [ -d "$1/Scripts" ]; then echo "$1/Scripts"; else echo "$1/bin"; fi
}


if [ -z "$wheel" ]; then
    build=$(environment "$scratch/build")
    "$build/python" -m pip install --quiet 'hatchling>=1.25'
    "$build/python" -m hatchling build -t wheel -d "$scratch/dist"
    wheel=$(echo "$scratch"/dist/*.whl)
fi
bin=$(environment "$scratch/empty")
"$bin/python" -m pip install --quiet --upgrade 'pip>=23.3' # older ones fail over lxml's extras
"$bin/python" -m pip install --quiet "$wheel[mcp,server]"
export QUAERE_DATA_DIR=$scratch/data QUAERE_CACHE_DIR=$scratch/cache
mkdir "$scratch/place"
cd "$scratch/place"
mkdir notes
echo "The stone bridge at Lunne was designed by Mara Ilves, who was born in Tartu." >notes/bridge.md

"$bin/quaere" ask "Who designed the stone bridge at Lunne?" --docs notes | tee answer.txt
grep -q "Mara Ilves" answer.txt

PYTHONUNBUFFERED=1 "$bin/quaere" serve --docs notes --port 0 >served.txt 2>&1 &
serving=$!
for _ in $(seq 60); do
    address=$(grep -o 'http://[^ ]*' served.txt | head -n 1 || true)
    if [ -n "$address" ]; then break; fi
    sleep 0.5
done
"$bin/python" - "$address" "$page" <<'PYTHON'
import json, sys, time, urllib.request

def ask(path: str, body: object = None) -> bytes:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(sys.argv[1] + path, data, {"Content-Type": "application/json"})
    return urllib.request.urlopen(request, timeout=60).read()

for _ in range(60):
    try:
        ask("/health/ready")
        break
    except OSError:
        time.sleep(0.5)
assert sys.argv[2].encode() in ask("/"), "The wheel has no page: run make web before it is built."
report = json.loads(ask("/run", {"task": "Who designed the stone bridge at Lunne?"}))
assert "Mara Ilves" in report["final_answer"], report
PYTHON

hello='{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "wheel", "version": "1"}}}'
{ echo "$hello" && sleep 5; } | "$bin/quaere" mcp --docs notes 2>mcp.txt | tee served.json
grep -q '"serverInfo"' served.json
echo "The wheel works."
