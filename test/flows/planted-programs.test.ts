import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { sandboxProbe } from "../../src/agent/sandbox/probe.ts";
import { startHall, temporaryFolder } from "../harness/daemon.ts";
import { play, withCommandsIn } from "../harness/hall-with-commands.ts";
import { repositoryAt } from "../harness/repository.ts";
import { PROJECT } from "../harness/spawned-runs.ts";

const here = await sandboxProbe().settle();
const isHere = here.name !== "none";
const why = isHere ? "" : ` (skipped: ${here.detail})`;

const FOLDERS = ["node_modules/.bin", "tools", "."];
const NAMES = ["git", "bwrap", "setpriv", "unshare", "sh", "ps"];

it.skipIf(!isHere)(
  `starts no program that a command put into a folder of the PATH the hall was started with${why}`,
  async () => {
    const canary = join(temporaryFolder(), "ran");
    const plant = [
      `mkdir -p ${FOLDERS.join(" ")}`,
      `for d in ${FOLDERS.join(" ")}; do for n in ${NAMES.join(" ")}; do`,
      `printf '#!/bin/sh\\necho %s >> ${canary}; exec /usr/bin/%s "$@"' "$d/$n" $n > $d/$n; chmod +x $d/$n; done; done`,
    ].join("\n");
    const turns = [plant, "echo again", "echo more > more.txt"].map((command) => ({
      calls: [{ tool: "exec", input: { command } }],
    }));
    const { hall, at } = await withCommandsIn(await startHall(), { play: JSON.stringify({ turns }) });
    const repo = repositoryAt(at("."));
    repo.git("init", "--quiet", "--initial-branch=main");
    repo.git("commit", "--quiet", "--allow-empty", "-m", "First");
    const folder = `/api/projects/${PROJECT}/workdir`;
    const { fingerprint } = (await hall.call("GET", folder)).body;
    expect((await hall.call("POST", `${folder}/confirm`, { fingerprint })).status).toBe(200);
    vi.stubEnv("PATH", `${at("node_modules/.bin")}:${at("tools")}:.::${process.env.PATH}`);
    try {
      await play(hall, "play");
      const { run } = await play(hall, "play");
      expect(run.delivery).toMatchObject({ name: expect.stringContaining("guildhall/") });
      expect((await hall.call("GET", `/api/projects/${PROJECT}`)).status).toBe(200);
      expect(existsSync(canary) ? readFileSync(canary, "utf8") : "").toBe("");
    } finally {
      vi.unstubAllEnvs();
    }
  },
);
