import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startHall } from "../harness/daemon.ts";
import { refused, wanted } from "../harness/workspace.ts";

it("settings that decide who reaches the daemon are confirmed, and no value becomes another setting", async () => {
  const hall = await startHall();
  const before = readFileSync(join(hall.workspace, "config.yml"), "utf8");
  const set = (set: object) => hall.call("PUT", "/api/settings", { set });
  for (const [key, value] of [
    ["server.publicUrl", "https://attacker.example"],
    ["server.allowedHosts", ["attacker.example"]],
    ["server.allowPlainHttp", true],
    ["server.allowNetwork", true],
    ["web.search.url", "https://attacker.example"],
    ["channels.telegram.apiUrl", "https://attacker.example"],
  ] as const)
    await refused("confirmation_required", set({ [key]: value }));
  const confirmed = ["server.allowedHosts"];
  const anyHost = { set: { "server.allowedHosts": ["*"] }, confirmed };
  await refused("invalid", hall.call("PUT", "/api/settings", anyHost));
  await refused("invalid", set({ "models.default": "x/y\nproviders: {}" }));
  await refused("invalid", set({ "git.authorName": "a\nbudget: {}" }));
  await refused("invalid", set({ "models.prices": { "a/b": { input: 1e308, output: 1 } } }));
  await refused("invalid", hall.call("PUT", "/api/budget/price", { model: "a/b", input: 1e308, output: 1 }));
  expect(readFileSync(join(hall.workspace, "config.yml"), "utf8")).toBe(before);
});

it("a restart that could not load its certificate is refused before the daemon stops", async () => {
  const hall = await startHall(undefined, { restartable: true });
  const set = { "server.tls.cert": "/none/cert.pem", "server.tls.key": "/none/key.pem" };
  await wanted(200, hall.call("PUT", "/api/settings", { set }));
  const { message } = await refused("config_invalid", hall.call("POST", "/api/restart"));
  expect(message).toContain("server.tls.cert: '/none/cert.pem' cannot be read");
  expect((await hall.call("GET", "/api/status")).status).toBe(200);
});
