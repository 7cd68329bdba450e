import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/harness/daemon.ts";
import { envSecrets, namedSecrets } from "./env-files.ts";
import { Redactor } from "./redaction.ts";

it("takes from env files what is named as a secret or looks random, and everything from those the project names", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "packages/api"), { recursive: true });
  const lines = [
    "PORT=3000",
    "NODE_ENV=production",
    'DB_PASSWORD="correct horse"',
    "SESSION=8f3kQ9zLm2Xv7Rt1Bn",
    "DATABASE_URL=postgres://u:tulips-9@db/x",
    "GREETING=hello to everyone who reads this",
    "API_KEY=true",
  ];
  writeFileSync(join(folder, ".env"), lines.join("\n"));
  writeFileSync(join(folder, ".env.example"), "DB_PASSWORD=put-it-here-please");
  writeFileSync(join(folder, "packages/api/.env.local"), "export TOKEN=deep-value-1");
  writeFileSync(join(folder, "prod.vars"), "PLACE=Amsterdam-West\nPORT=8080\n");
  const found = envSecrets({ folders: [folder], named: ["prod.vars", "missing.vars"] });
  expect(Object.fromEntries(found.map(({ name, value }) => [value, name]))).toEqual({
    "Amsterdam-West": "PLACE",
    "correct horse": "DB_PASSWORD",
    "8f3kQ9zLm2Xv7Rt1Bn": "SESSION",
    "tulips-9": "DATABASE_URL",
    "deep-value-1": "TOKEN",
  });
});

it("keeps knowing what a person's env files hold, however many others a command makes beside them [S0-SEC-04]", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "zz-api"));
  writeFileSync(join(folder, "zz-api/.env"), "TOKEN=deep-value-1\n");
  writeFileSync(join(folder, ".env.zz"), "TOKEN=near-value-1\n");
  const many = Array.from({ length: 400 }, (_, at) => at);
  for (const at of many) mkdirSync(join(folder, `made-${at}`));
  for (const at of many) writeFileSync(join(folder, `.env.${at}`), `TOKEN=made-up-${at}\n`);
  const values = envSecrets({ folders: [folder], named: [] }).map(({ value }) => value);
  expect(values).toEqual(expect.arrayContaining(["near-value-1", "deep-value-1"]));
});

it("has what very many values hold at hand without keeping anybody waiting [S0-SEC-04]", () => {
  const folder = temporaryFolder();
  const lines = Array.from({ length: 10_000 }, (_, at) => `A${at}_KEY=v${at.toString(36)}zz${at * 7919}`);
  for (const at of [1, 2, 3, 4, 5, 6, 7, 8]) writeFileSync(join(folder, `.env.${at}`), lines.join(`${at}\n`));
  const begun = performance.now();
  const redactor = new Redactor(envSecrets({ folders: [folder], named: [] }));
  expect(redactor.text("it is v9zz712711.")).toBe("it is [secret: A9_KEY].");
  expect(performance.now() - begun).toBeLessThan(5_000);
});

it("takes from the daemon's environment only what is named as a secret", () => {
  const found = namedSecrets({ HOME: "/home/someone", OPENAI_API_KEY: "k-1234567", SSH_AUTH_SOCK: "/run/agent.sock" });
  expect(found).toEqual([{ name: "OPENAI_API_KEY", value: "k-1234567" }]);
});

it("does not look into folders that it is told to pass over, and looks into all others", () => {
  const folder = temporaryFolder();
  for (const name of ["ARTIFACTS/2026-01-02", "CONTEXT"]) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "ARTIFACTS/2026-01-02/.env"), "TOKEN=passed-over-1");
  writeFileSync(join(folder, "CONTEXT/.env"), "TOKEN=looked-into-1");
  const found = envSecrets({ folders: [folder], named: [], passedOver: [join(folder, "ARTIFACTS")] });
  expect(found).toEqual([{ name: "TOKEN", value: "looked-into-1" }]);
});
