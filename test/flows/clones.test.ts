import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandLine } from "../harness/command-line.ts";
import { eventually, startHall, temporaryFolder } from "../harness/daemon.ts";
import { gitServer } from "../harness/git-server.ts";
import { hallOver, repository, repositoryAt, writing } from "../harness/repository.ts";
import { PROJECT, spawnBody, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import { refused, wanted } from "../harness/workspace.ts";

const SECRET = "tok-en-that-nobody-may-see";

/** A folder with bare repositories `shop.git` and `empty.git`, and one to clone into. */
function places() {
  const served = temporaryFolder();
  const person = repository({ "a.txt": "a\n", "with space/ä.txt": "b\n" });
  person.git("clone", "--quiet", "--bare", person.root, join(served, "shop.git"));
  person.git("init", "--quiet", "--bare", join(served, "empty.git"));
  return { served, into: join(temporaryFolder(), "Über folder/🚀") };
}

it("a project starts from an address, with its credentials used once and kept nowhere", async () => {
  const { served, into } = places();
  const server = await gitServer(served, { password: SECRET });
  const hall = await startHall();
  const url = server.url.replace("//", `//pat:${SECRET}@`);
  const body = { id: "shop", name: "Shop", repoUrl: `${url}/shop.git`, workdir: into };
  const { project } = await wanted(201, hall.call("POST", "/api/projects", body));
  expect(project).toMatchObject({ workdir: into, config: { repoUrl: `${server.url}/shop.git` } });
  expect(readFileSync(join(into, "with space/ä.txt"), "utf8")).toBe("b\n");
  expect(server.seen.some((header) => header !== undefined)).toBe(true);
  expect(readdirSync(join(into, "..")).sort()).toEqual(["🚀"]);
  const config = readFileSync(join(into, ".git/config"), "utf8");
  expect(config).toContain(`url = ${server.url}/shop.git`);
  expect(existsSync(join(into, ".git/hooks"))).toBe(false);
  const stored = readFileSync(join(hall.workspace, "projects/shop/PROJECT.json"), "utf8");
  for (const text of [config, stored, JSON.stringify(project)]) expect(text).not.toContain(SECRET);
  expect((await hall.call("GET", "/api/projects/shop/workdir")).body.state).toBe("ok");

  await refused("already_exists", hall.call("POST", "/api/projects", { ...body, id: "two" }));
  await refused("already_exists", hall.call("POST", "/api/projects", { ...body, workdir: `${into}2` }));
  const wrong = await refused(
    "clone_failed",
    hall.call("POST", "/api/projects", { name: "Three", repoUrl: `${server.url}/shop.git`, workdir: `${into}3` }),
  );
  expect(wrong.message).toBe("The server refused access.");
  expect(existsSync(`${into}3`)).toBe(false);
});

it("shows where it clones to, can be canceled, and says what failed", async () => {
  const { served, into } = places();
  const server = await gitServer(served, { held: true });
  const hall = await startHall();
  const url = `${server.url}/shop.git`;
  const preview = await wanted(200, hall.call("GET", `/api/clones/preview?url=${encodeURIComponent(url)}`));
  expect(preview).toMatchObject({
    url,
    name: "shop",
    folder: expect.stringMatching(/\/guildhall-projects\/shop(-\d+)?$/),
  });
  const { clone } = await wanted(201, hall.call("POST", "/api/clones", { url, folder: into }));
  expect(clone).toMatchObject({ state: "running", phase: "connecting", percent: 0, folder: into });
  await refused("already_exists", hall.call("POST", "/api/clones", { url, folder: into }));
  const cancelled = await wanted(200, hall.call("DELETE", `/api/clones/${clone.id}`));
  expect(cancelled.clone.state).toBe("cancelled");
  expect(readdirSync(join(into, ".."))).toEqual([]);
  await refused("clone_not_found", hall.call("GET", "/api/clones/none"));

  server.release();
  const failure = async (url: string) => {
    const { clone } = await wanted(201, hall.call("POST", "/api/clones", { url, folder: into }));
    const asked = () => hall.call("GET", `/api/clones/${clone.id}`);
    const ended = await eventually(asked, ({ body }) => body.clone.state !== "running");
    return ended.body.clone.failure?.code;
  };
  expect(await failure(`${server.url}/nothing.git`)).toBe("not_found");
  expect(await failure(join(served, "none"))).toBe("not_found");
  expect(await failure("http://127.0.0.1:1/shop.git")).toBe("network");
  expect(readdirSync(join(into, ".."))).toEqual([]);
});

const HOSTILE = [
  "ext::sh -c 'touch /tmp/owned'",
  "ext::sh",
  "--upload-pack=touch /tmp/owned",
  "-u./evil",
  "ssh://-oProxyCommand=touch/x",
  "http://example.org/x",
  "git://example.org/x",
  "file://host/x",
];

it("refuses addresses that name a program, an option or an unencrypted transport before anything is run", async () => {
  const hall = await startHall();
  for (const url of HOSTILE) {
    await refused("invalid", hall.call("POST", "/api/clones", { url, folder: join(temporaryFolder(), "x") }));
    await refused("invalid", hall.call("POST", "/api/projects", { name: "X", repoUrl: url }));
  }
});

it("runs nothing that the repository brings, and fetches no submodules", async () => {
  const { served } = places();
  const marker = join(temporaryFolder(), "ran");
  const evil = repository({
    ".gitattributes": "* filter=evil\n",
    ".gitmodules": `[submodule "sub"]\n\tpath = sub\n\turl = ${join(served, "shop.git")}\n`,
    "a.txt": "a\n",
  });
  evil.git("update-index", "--add", "--cacheinfo", `160000,${evil.git("rev-parse", "HEAD")},sub`);
  evil.git("commit", "--quiet", "-m", "Submodule");
  for (const hook of ["post-checkout", "pre-upload-pack", "post-index-change"]) {
    writeFileSync(evil.at(`.git/hooks/${hook}`), `#!/bin/sh\ntouch ${marker}\n`);
    chmodSync(evil.at(`.git/hooks/${hook}`), 0o755);
  }
  evil.git("config", "filter.evil.smudge", `touch ${marker}; cat`);
  evil.git("config", "core.fsmonitor", `touch ${marker}`);
  const hall = await startHall();
  const into = join(temporaryFolder(), "clone");
  await wanted(201, hall.call("POST", "/api/projects", { name: "Evil", repoUrl: evil.root, workdir: into }));
  expect(existsSync(marker)).toBe(false);
  expect(readdirSync(join(into, "sub"))).toEqual([]);
  expect(existsSync(join(into, ".git/modules"))).toBe(false);
});

it("the command line clones with progress; an empty repository gets its first commit on request", async () => {
  const { served, into } = places();
  const server = await gitServer(served);
  const hall = await startHall();
  const at = { workspace: hall.workspace };
  const made = await commandLine(
    ["project", "create", "Shop", "--clone", `${server.url}/shop.git`, "--workdir", into],
    at,
  );
  expect(made, made.stderr).toMatchObject({ code: 0 });
  expect(made.stderr).toContain(`Cloning ${server.url}/shop.git into ${into}`);
  expect(made.stdout).toContain(`Code: ${into}`);
  expect((await hall.call("GET", "/api/projects/shop")).body.project).toMatchObject({
    workdir: into,
    requiresReview: true,
    config: { repoUrl: `${server.url}/shop.git` },
  });
  const missing = ["project", "create", "Gone", "--clone", `${server.url}/gone.git`, "--workdir", `${into}2`];
  const failed = await commandLine(missing, at);
  expect(failed.code).toBe(4);
  expect(failed.stderr).toMatch(/There is no repository at this address[\s\S]*hint: Check the address/);

  const empty = ["project", "create", "Empty", "--clone", `${server.url}/empty.git`, "--workdir", `${into}3`];
  expect((await commandLine(empty, at)).stdout).toContain("Create the first commit: ");
});

it("agents start in a repository that had no commit after the person created the first one", async () => {
  const root = join(temporaryFolder(), "new");
  mkdirSync(root);
  const person = repositoryAt(root);
  person.git("init", "--quiet", "--initial-branch=trunk");
  for (const path of ["a.txt", ".env", ".env.example", "deep/server.key", "ignored.log"]) person.write(path, "x\n");
  person.write(".gitignore", "*.log\n");
  const playbooks = { play: writing({ "new.txt": "new\n" }) };
  const hall = await hallOver(await startHall(), { root, playbooks });
  const error = await refused("repository_empty", hall.call("POST", "/api/team/spawn", spawnBody("play", "Do it")));
  expect(error.hint).toContain(`project first-commit ${PROJECT}`);
  const answer = await wanted(200, hall.call("POST", `/api/projects/${PROJECT}/first-commit`));
  expect(answer).toMatchObject({ branch: "trunk", files: 3, omitted: [".env", "deep/server.key"] });
  expect(person.git("ls-tree", "-r", "--name-only", "HEAD").split("\n").sort()).toEqual([
    ".env.example",
    ".gitignore",
    "a.txt",
  ]);
  await refused("illegal_move", hall.call("POST", `/api/projects/${PROJECT}/first-commit`));
  await untilOver(hall, await spawnRun(hall, "play", "Do it"));
  expect(person.text("new.txt")).toBe("new\n");
});
