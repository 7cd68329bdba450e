import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HallError } from "../../src/contract/errors.ts";
import { startDaemon } from "../../src/daemon.ts";
import { startHall, temporaryFolder } from "../harness/daemon.ts";
import { guildhall } from "../harness/guildhall.ts";

const SECRET = "CANARY-7f3a";

interface Case {
  name: string;
  text: string;
  line?: number;
  /** What the message must name. */
  key: string;
}

const refused: Case[] = [
  { name: "a server for every network", text: '{"server":{"host":"0.0.0.0"}}', key: "server.host" },
  { name: "the same in the other family", text: 'server:\n  host: "::"\n', line: 2, key: "server.host" },
  {
    name: "a server for one network",
    text: "server:\n  port: 5000\n  host: 192.168.0.10\n",
    line: 3,
    key: "server.host",
  },
  {
    name: "consent without the right word",
    text: 'server:\n  host: 0.0.0.0\n  allowNetwork: "yes"\n',
    line: 3,
    key: "allowNetwork",
  },
  { name: "an empty token and every network", text: '{"server":{"host":"0.0.0.0","token":""}}', key: "server.token" },
  { name: "a port beyond the last", text: '{"server":{"port":65536}}', key: "server.port" },
  { name: "a port of the system", text: "server:\n  port: 80\n", line: 2, key: "server.port" },
  { name: "a port in words", text: "server:\n  port: eighty\n", line: 2, key: "server.port" },
  { name: "a port with a fraction", text: "server:\n  port: 4777.5\n", line: 2, key: "server.port" },
  { name: "a version of the future", text: "version: 999\n", key: "version" },
  { name: "a misspelt key", text: "# mine\n\nserverr: {}\n", line: 3, key: "serverr" },
  { name: "a misspelt key further down", text: "server:\n  hots: 127.0.0.1\n", line: 2, key: "server.hots" },
  { name: "a negative budget", text: '{"budget":{"daily_usd":-1}}', key: "budget" },
  { name: "a million at once", text: '{"concurrency":1000000}', key: "concurrency" },
  { name: "no time at all", text: '{"timeouts":{"exec_ms":0}}', key: "timeouts" },
  { name: "a workspace at home", text: '{"workspace":"~"}', key: "workspace" },
  { name: "a workspace of the system", text: '{"workspace":"/proc"}', key: "workspace" },
  { name: "a prototype", text: '{"__proto__":{"polluted":true}}', key: "__proto__" },
  {
    name: "a prototype further down",
    text: '{"server":{"__proto__":{"allowNetwork":true},"host":"0.0.0.0"}}',
    key: "server",
  },
  { name: "a key twice", text: "server: {}\nserver: {}\n", line: 2, key: "unique" },
  { name: "a list", text: "- a\n", key: "keys to values" },
  { name: "a word", text: "yes\n", key: "keys to values" },
  { name: "two documents", text: "version: 1\n---\nversion: 1\n", key: "more than one YAML document" },
  { name: "an open bracket", text: "server: {\n", key: "not YAML" },
  { name: "a bomb of aliases", text: `a: &a [x]\n${"b: [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"}`, key: "alias" },
];

/** Settings that carry a secret where the hall has no place for one. */
const secrets: [name: string, text: string][] = [
  ["an api key", `{"providers":{"anthropic":{"apiKey":"${SECRET}"}}}`],
  ["a password in an address", `{"queue":{"url":"postgres://u:${SECRET}@db/x"}}`],
  ["a token of one's own", `server:\n  token: ${SECRET}\n`],
  ["a key where a section belongs", `server: ${SECRET}\n`],
  ["a key where an address belongs", `server:\n  host: ${SECRET}\n`],
  ["a key where a number belongs", `server:\n  port: ${SECRET}\n`],
  ["a password that reads as an alias", `password: *${SECRET}\n`],
  ["a password that reads as a tag", `password: !${SECRET}\n`],
  ["a password that reads as a block", `password: |${SECRET}\n`],
  ["a password that reads as an escape", `password: "\\${SECRET}"\n`],
  ["a password and something after it", `password: "${SECRET}" and more\n`],
  ["a quote that is not closed", `password: "${SECRET}\n`],
  ["a key twice", `${SECRET}: 1\n${SECRET}: 2\n`],
];

describe("config.yml", () => {
  it.each(refused)("with $name stops the start and says where", async ({ text, line, key }) => {
    const failure = await failureOf(text);
    expect(failure).toMatchObject({
      code: "config_invalid",
      exit: 7,
      file: "config.yml",
      line: line ?? expect.any(Number),
    });
    expect(failure.message).toContain(key);
  });

  it.each(secrets)("with %s is refused without telling it", async (_name, text) => {
    const failure = await failureOf(text);
    expect(failure.code).toBe("config_invalid");
    expect(failure.line).toBeGreaterThanOrEqual(text.slice(0, text.indexOf(SECRET)).split("\n").length);
    expect(`${failure.message} ${JSON.stringify(failure.hint)} ${failure.stack}`).not.toContain(SECRET);
  });

  it("is refused on the command line with an exit code, the file, the line and the key, and no secret", async () => {
    const workspace = workspaceWith(`version: 1\nproviders:\n  anthropic:\n    apiKey: ${SECRET}\n`);
    for (const args of [["up"], ["up", "--json"], ["up", "--port", "0"], ["doctor"]]) {
      const { code, stdout, stderr } = await guildhall(args, { workspace, env: { GUILDHALL_DEBUG: "1" } });
      expect(code, args.join(" ")).toBe(7);
      expect(stdout + stderr).toMatch(/config\.yml/);
      expect(stdout + stderr).toContain("providers");
      expect(stdout + stderr).not.toContain(SECRET);
    }
    expect(textsBelow(join(workspace, ".guildhall"))).not.toContain(SECRET);
  });

  it("that is refused leaves nobody listening and nothing made", async () => {
    const workspace = workspaceWith("server:\n  host: 0.0.0.0\n");
    expect((await guildhall(["up"], { workspace })).code).toBe(7);
    expect(readdirSync(workspace).sort()).toEqual([".guildhall", "config.yml"]);
    expect(readFileSync(join(workspace, "config.yml"), "utf8")).toBe("server:\n  host: 0.0.0.0\n");
  });

  it.each([
    ["nothing", ""],
    ["only comments", "# nothing yet\n"],
    ["the loopback address of the other family", 'server:\n  host: "::1"\n'],
    ["every key", "version: 1\nserver:\n  host: 127.0.0.1\n  port: 0\n  allowNetwork: false\n"],
  ])("with %s starts the hall on this machine only", async (_name, text) => {
    const hall = await startHall(workspaceWith(text));
    expect(hall.url).toMatch(/^http:\/\/(?:127\.0\.0\.1|\[::1\]):\d+$/);
    expect((await hall.call("GET", "/api/health")).status).toBe(200);
  });
});

function workspaceWith(config: string): string {
  const workspace = join(temporaryFolder(), "workspace");
  mkdirSync(workspace);
  writeFileSync(join(workspace, "config.yml"), config);
  return workspace;
}

async function failureOf(config: string): Promise<HallError> {
  const started = startDaemon({ workspace: workspaceWith(config), log: () => undefined });
  const failure = await started.then(
    (daemon) => daemon.stop().then(() => undefined),
    (error: unknown) => error,
  );
  if (!(failure instanceof HallError)) throw new Error(`expected a refusal, got ${failure}`);
  return failure;
}

function textsBelow(folder: string): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "latin1"))
    .join("\n");
}
