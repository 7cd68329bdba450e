import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../harness/daemon.ts";
import { guildhall } from "../harness/guildhall.ts";
import { sharedHall } from "../harness/shared-hall.ts";

const CRITIC = `---
name: critic
description: Looks closely: at everything
tools: Read, Bash
model: opus
---

Judge {{projectName}} as it is.
`;

const hall = sharedHall();
const ask = (...words: string[]) => guildhall(words, { workspace: hall().workspace });

describe("files of .claude/agents", () => {
  beforeAll(async () => {
    await hall().call("POST", "/api/projects", { id: "shop", name: "Shop" });
  });

  it("are imported as roles whose prompt reaches the model as it stands, and not over one that is there", async () => {
    const first = await hall().call("POST", "/api/roles/import", { text: CRITIC });
    expect(first).toMatchObject({
      status: 201,
      body: { role: { id: "critic", version: 1, skills: ["read", "exec"], modelConfig: { model: "default" } } },
    });
    expect(first.body.notes).toEqual([expect.stringMatching(/^The default model is used instead of 'opus': /)]);
    const again = await hall().call("POST", "/api/roles/import", { text: CRITIC });
    expect([again.status, again.body.error.code]).toEqual([409, "already_exists"]);
    const text = CRITIC.replace("Read, Bash", "Read");
    const replaced = await hall().call("POST", "/api/roles/import", { text, replace: true });
    expect(replaced.body.role).toMatchObject({ version: 2, skills: ["read"] });
    const plan = await hall().call("POST", "/api/team/spawn?dryRun=true", {
      ...{ projectId: "shop", roleId: "critic", task: { title: "x" }, overrides: { model: "offline/rehearsal" } },
    });
    expect(plan.body.plan.system).toBe("Judge {{projectName}} as it is.");
    const broken = await hall().call("POST", "/api/roles/import", { text: "Judge." });
    expect([broken.status, broken.body.error.message]).toEqual([
      422,
      expect.stringContaining("line 1: there is no frontmatter"),
    ]);
  });

  it("come and go by folder on the command line, and a broken one does not keep the others out", async () => {
    const agents = join(temporaryFolder(), "agents");
    mkdirSync(agents);
    writeFileSync(join(agents, "poet.md"), "---\nname: poet\ndescription: Rhymes\ntools: Write\n---\nRhyme.\n");
    writeFileSync(join(agents, "bad.md"), "---\nname: [\n---\n");
    writeFileSync(join(agents, "notes.txt"), "no agent");
    const { code, stdout } = await ask("role", "import", agents);
    expect(code).toBe(4);
    expect(stdout).toMatch(/^Imported role poet from \S+poet\.md: write\.\nnot imported: \S+bad\.md {2}text: line \d/);
    const once = await ask("role", "import", join(agents, "poet.md"));
    expect([once.code, once.stderr]).toEqual([4, expect.stringContaining("--replace")]);
    expect((await ask("role", "import", agents)).stdout).toMatch(
      /not imported: \S+poet\.md .*Use --replace to overwrite it\.\n/,
    );
    const out = join(agents, "../out");
    expect(await ask("role", "export", "poet", "--to", out)).toMatchObject({ code: 0, stderr: "" });
    expect(readdirSync(out)).toEqual(["poet.md"]);
    expect(readFileSync(join(out, "poet.md"), "utf8")).toMatch(
      /^---\nname: poet\ndescription: Rhymes\ntools: Write\n[\s\S]*---\n\nRhyme\.\n$/,
    );
    expect(await ask("role", "export", "poet", "--to", out)).toMatchObject({ code: 4 });
    expect(await ask("role", "import", join(out, "poet.md"), "--id", "bard", "--json")).toMatchObject({ code: 0 });
    const [poet, bard] = await Promise.all(["poet", "bard"].map((id) => hall().call("GET", `/api/roles/${id}`)));
    const { id, etag, createdAt, updatedAt, ...same } = poet?.body.role ?? {};
    expect(bard?.body.role).toMatchObject(same);
    expect(await ask("role", "import", join(agents, "gone.md"))).toMatchObject({ code: 2 });
  });
});
