import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { eventually, type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { repository } from "../harness/repository.ts";
import { refused, wanted } from "../harness/workspace.ts";

const PASSWORD = "pass-word-that-stays-here";

async function listening(answer: RequestListener) {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(`${request.url} ${request.headers.authorization ?? ""}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

async function cloned(hall: Hall, url: string, folder: string) {
  const { clone } = await wanted(201, hall.call("POST", "/api/clones", { url, folder }));
  const state = async () => (await wanted(200, hall.call("GET", `/api/clones/${clone.id}`))).clone;
  return eventually(state, (now) => now.state !== "running");
}

it("credentials of an address are not sent where its server redirects to", async () => {
  const hall = await startHall();
  const ask: RequestListener = (_, response) =>
    response.writeHead(401, { "www-authenticate": 'Basic realm="x"' }).end();
  const other = await listening(ask);
  const first = await listening((request, response) =>
    request.headers.authorization === undefined
      ? ask(request, response)
      : response.writeHead(302, { location: `http://${other.host}${request.url}` }).end(),
  );
  const folder = join(temporaryFolder(), "shop");
  const clone = await cloned(hall, `http://ada:${PASSWORD}@${first.host}/shop.git`, folder);
  expect(clone).toMatchObject({ state: "failed", failure: { code: "auth" } });
  const sent = Buffer.from(`ada:${PASSWORD}`).toString("base64");
  expect(first.heard.join("\n")).toContain(sent);
  expect(other.heard.join("\n")).not.toMatch(/Basic/);
  expect(JSON.stringify(clone)).not.toContain(PASSWORD);
  expect(existsSync(folder)).toBe(false);
});

it("no part of an ssh address is an option or a command, however it is encoded", async () => {
  const hall = await startHall();
  const folder = temporaryFolder();
  const marker = join(folder, "marker");
  const command = `touch%20${encodeURIComponent(marker)}`;
  for (const [at, url] of [
    `ssh://%2DoProxyCommand=${command}/x`,
    `ssh://%2DoProxyCommand=${command}@127.0.0.1/x`,
    `ssh://127.0.0.1:1/%2D%2Dupload-pack=${command}`,
    `ssh://127.0.0.1:1/$(touch%20${marker})`,
  ].entries()) {
    const answer = await hall.call("POST", "/api/clones", { url, folder: join(folder, `c${at}`) });
    if (answer.status === 201)
      expect(await cloned(hall, url, join(folder, `d${at}`))).toMatchObject({ state: "failed" });
    else expect(answer.body.error?.code).toBe("invalid");
  }
  expect(existsSync(marker)).toBe(false);
});

it("a clone goes into no folder of the workspace, through no link, and over no file", async () => {
  const hall = await startHall();
  const { root } = repository({ "a.txt": "a\n" });
  const folder = temporaryFolder();
  symlinkSync(hall.workspace, join(folder, "link"));
  symlinkSync(join(folder, "nowhere"), join(folder, "dangling"));
  mkdirSync(join(folder, "full"));
  writeFileSync(join(folder, "full/mine.txt"), "mine");
  writeFileSync(join(folder, "file"), "mine");
  const start = (into: string) => hall.call("POST", "/api/clones", { url: root, folder: into });
  for (const into of [`${hall.workspace}/x`, `${folder}/link/x`, `${folder}/x/../link/x`])
    await refused("invalid", start(into));
  for (const into of ["dangling", "full", "file"]) await refused("already_exists", start(join(folder, into)));
  for (const into of ["relative/x", "", "~/x"]) expect((await start(into)).status).toBe(422);
  expect(readdirSync(folder).sort()).toEqual(["dangling", "file", "full", "link"]);
});
