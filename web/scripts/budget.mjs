// Says how much a first visit loads, and fails where that is more than it may be.
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const built = fileURLToPath(new URL("../../src/quaere/faces/server/static/", import.meta.url));
const KB = 1000;
const MOST = { first: 140 * KB, style: 15 * KB, later: 45 * KB };

const weigh = (name) => gzipSync(readFileSync(built + name), { level: 9 }).length;
const page = readFileSync(`${built}index.html`, "utf8");
const first = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map((found) => found[1]);
const styles = readdirSync(`${built}assets`).filter((name) => name.endsWith(".css")).map((name) => `assets/${name}`);
const later = readdirSync(`${built}assets`)
  .filter((name) => name.endsWith(".js") && !first.includes(`assets/${name}`))
  .map((name) => `assets/${name}`);

// What a watched run loads at once, too: the screen itself is in the first script.
const rows = [
  ["first load, script", first.reduce((sum, name) => sum + weigh(name), 0), MOST.first],
  ["styles", styles.reduce((sum, name) => sum + weigh(name), 0), MOST.style],
  ...later.map((name) => [name, weigh(name), MOST.later]),
];
for (const [name, bytes, most] of rows) {
  console.log(`${bytes <= most ? "ok  " : "OVER"} ${(bytes / KB).toFixed(1).padStart(7)} of ${most / KB} kB  ${name}`);
}
process.exitCode = rows.some(([, bytes, most]) => bytes > most) ? 1 : 0;
