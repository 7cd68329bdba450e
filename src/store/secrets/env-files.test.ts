import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cpuTimer } from "../../../test/harness/cpu-time.ts";
import { temporaryFolder } from "../../../test/harness/daemon.ts";
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

it("keeps knowing what a person's env files hold, however many others a command makes beside them", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "zz-api"));
  writeFileSync(join(folder, "zz-api/.env"), "TOKEN=deep-value-1\n");
  writeFileSync(join(folder, ".env.zz"), "TOKEN=near-value-1\n");
  untilLaterThan(join(folder, ".env.zz"));
  const many = Array.from({ length: 400 }, (_, at) => at);
  for (const at of many) mkdirSync(join(folder, `made-${at}`));
  for (const at of many) writeFileSync(join(folder, `.env.${at}`), `TOKEN=made-up-${at}\n`);
  const values = envSecrets({ folders: [folder], named: [] }).map(({ value }) => value);
  expect(values).toEqual(expect.arrayContaining(["near-value-1", "deep-value-1"]));
});

/** File systems count time in steps of some milliseconds, in which hundreds of files can be made. */
function untilLaterThan(path: string): void {
  const probe = join(temporaryFolder(), "probe");
  do {
    rmSync(probe, { force: true });
    writeFileSync(probe, "");
  } while (statSync(probe).birthtimeMs <= statSync(path).birthtimeMs);
}

it("has what very many values hold at hand without keeping anybody waiting", () => {
  const folder = temporaryFolder();
  const lines = Array.from({ length: 10_000 }, (_, at) => `A${at}_KEY=v${at.toString(36)}zz${at * 7919}`);
  for (const at of [1, 2, 3, 4, 5, 6, 7, 8]) writeFileSync(join(folder, `.env.${at}`), lines.join(`${at}\n`));
  const computed = cpuTimer();
  const redactor = new Redactor(envSecrets({ folders: [folder], named: [] }));
  expect(redactor.text("it is v9zz712711.")).toBe("it is [secret: A9_KEY].");
  expect(computed()).toBeLessThan(5_000);
});

it("takes from the daemon's environment what is named as a secret and looks like one", () => {
  const secrets = {
    OPENAI_API_KEY: "k-1234567",
    AWS_ACCESS_KEY_ID: "AKIA-not-really",
    AWS_SECRET_ACCESS_KEY: "/aJal/rXUtnFEMI7K9DENG2bPxRf3CYzL8qW",
    GITHUB_TOKEN: "gh-98765432",
    PGPASSWORD: "opensesame",
    DB_PWD: "tulips-and-windmills",
    GPG_PASSPHRASE: "two words",
    REDIS_AUTH: "r3dis-gate",
    SENTRY_DSN: "https://abcdef@o1.example/2",
    SLACK_WEBHOOK: "https://hooks.example/T0/B1/x9",
    GOOGLE_CREDENTIALS: '{"type":"service"}',
    MAPS_APIKEY: "maps-4711-aa",
    npmAuthToken: "npm-4711-aa",
  };
  expect(Object.fromEntries(namedSecrets(secrets).map(({ name, value }) => [name, value]))).toEqual(secrets);
});

it("takes nothing from the daemon's environment that is an everyday name or value", () => {
  const everyday = {
    HOME: "/home/someone",
    PWD: "/home/someone/work",
    OLDPWD: "/home/someone/else",
    SSH_AUTH_SOCK: "/run/agent.sock",
    XAUTHORITY: "/run/user/1000/.Xauthority",
    GIT_AUTHOR_NAME: "Somebody Else",
    AUTHOR: "Somebody Else",
    KEYBOARD_LAYOUT: "german-dvorak",
    TOKENIZERS_PARALLELISM: "parallel-1",
    MAX_TOKENS: "128000000",
    PASSENGER_APP_ENV: "staging-2",
    MONKEY_NAME: "george-the-3rd",
    SSH_KEY: "/home/someone/.ssh/id_ed25519",
    API_KEY_FILE: "some/place.txt",
    CACHE_KEY: "default",
    USE_TOKEN: "true",
    CSRF_TOKEN_NAME: "authenticity",
    TOKEN_LIMIT: "100000000",
    SECRET_PLACE: process.cwd(),
    SECRET_USER: userInfo().username,
  };
  expect(namedSecrets(everyday)).toEqual([]);
});

it("takes the password out of an address in the daemon's environment, whatever its name", () => {
  const found = namedSecrets({ DATABASE_URL: "postgres://u:tulips-9@db/x", SITE_URL: "https://example.org/a" });
  expect(found).toEqual([{ name: "DATABASE_URL", value: "tulips-9" }]);
});

it("leaves trivial values of an env file readable, even of one that the project names", () => {
  const folder = temporaryFolder();
  const trivial = [
    "DEBUG=true",
    "PORT=8080",
    "HOST=localhost",
    "NODE_ENV=production",
    "APP_NAME=guildhall",
    "BASE=http://localhost:3000/api",
    "LANG=en_US.UTF-8",
    `ROOT=${folder}`,
    "BIND=0.0.0.0:8080",
  ];
  writeFileSync(join(folder, "prod.vars"), [...trivial, "PLACE=Amsterdam-West", "DB_PASSWORD=opensesame"].join("\n"));
  const found = envSecrets({ folders: [folder], named: ["prod.vars"] });
  expect(found.map(({ value }) => value)).toEqual(["Amsterdam-West", "opensesame"]);
});

it("does not look into folders that it is told to pass over, and looks into all others", () => {
  const folder = temporaryFolder();
  for (const name of ["ARTIFACTS/2026-01-02", "CONTEXT"]) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "ARTIFACTS/2026-01-02/.env"), "TOKEN=passed-over-1");
  writeFileSync(join(folder, "CONTEXT/.env"), "TOKEN=looked-into-1");
  const found = envSecrets({ folders: [folder], named: [], passedOver: [join(folder, "ARTIFACTS")] });
  expect(found).toEqual([{ name: "TOKEN", value: "looked-into-1" }]);
});

it("takes numbers, values that look like paths, values of several lines and keys of few letters from env files", () => {
  const folder = temporaryFolder();
  const lines = [
    "DB_PASSWORD=4815162342",
    "ACCOUNT=481516234299887",
    "SIGNING_SECRET=/kestrel/over/water",
    `DIGEST=${"cafe".repeat(8)}`,
    `STORAGE=wJalr/${"AAAA".repeat(8)}Kx`,
    'CERTIFICATE_KEY="first line of the key',
    "second line of the key",
    'third" # the end',
    "AFTER_TOKEN='one line'",
  ];
  writeFileSync(join(folder, ".env"), lines.join("\n"));
  const found = envSecrets({ folders: [folder], named: [] });
  expect(Object.fromEntries(found.map(({ name, value }) => [name, value]))).toEqual({
    DB_PASSWORD: "4815162342",
    ACCOUNT: "481516234299887",
    SIGNING_SECRET: "/kestrel/over/water",
    DIGEST: "cafe".repeat(8),
    STORAGE: `wJalr/${"AAAA".repeat(8)}Kx`,
    CERTIFICATE_KEY: "first line of the key\nsecond line of the key\nthird",
    AFTER_TOKEN: "one line",
  });
  const redactor = new Redactor(found);
  expect(redactor.text("a second line of the key, 4815162342")).toBe(
    "a [secret: CERTIFICATE_KEY], [secret: DB_PASSWORD]",
  );
});

it("leaves amounts, places and names in env files readable", () => {
  const folder = temporaryFolder();
  const lines = [
    "TOKEN_TTL_MS=86400123",
    "TOKEN_LIMIT=123456789",
    "PASSWORD_MIN_LENGTH=123456",
    "CACHE_BYTES=1073741824",
    "BUILD=20260101",
    "SECRET_STORE=/var/lib/secrets/app",
    "LOCK_FILE=/some/where/else",
    "TEMPLATE=a-long-name-of-lowercase-words-joined-by-lines",
    'GREETING="an open quote',
    "PORT=8080",
  ];
  writeFileSync(join(folder, ".env"), lines.join("\n"));
  expect(envSecrets({ folders: [folder], named: [] })).toEqual([]);
});
