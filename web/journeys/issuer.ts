/** An issuer of OpenID Connect, which asks before it signs anybody in. It is another site than the service. */
import { type ChildProcess, spawn } from "node:child_process";
import { root, python } from "./service";

export class Issuer {
  url = "";
  #process: ChildProcess | null = null;

  async start(): Promise<void> {
    const started = spawn(python, ["-m", "tests.faces.server.issuer"], { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
    this.#process = started;
    this.url = await new Promise((found, failed) => {
      started.stdout.once("data", (told: Buffer) => found(told.toString().trim()));
      started.once("exit", (code) => failed(new Error(`The issuer ended with ${code}.`)));
    });
  }

  /** Settings of a service whose users it signs in. */
  get settings(): Record<string, string> {
    return {
      QUAERE_AUTH: "oidc",
      QUAERE_OIDC_ISSUER: this.url,
      QUAERE_OIDC_CLIENT_ID: "quaere-web",
      QUAERE_OIDC_CLIENT_SECRET: "a secret: nobody may/read it",
    };
  }

  async stop(): Promise<void> {
    const ending = this.#process;
    this.#process = null;
    if (!ending) return;
    const ended = new Promise((done) => ending.once("exit", done));
    ending.stdin!.end();
    await ended;
  }
}
