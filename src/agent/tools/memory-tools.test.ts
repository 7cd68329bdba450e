import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/daemon.ts";
import { Files } from "../../store/files/files.ts";
import { memoryTools } from "./memory-tools.ts";

/** A project's folder, beside one with a secret, and the tools over its memory. */
function project() {
  const above = temporaryFolder();
  const root = join(above, "project");
  mkdirSync(join(root, "memory/facts"), { recursive: true });
  mkdirSync(join(above, "outside"));
  writeFileSync(join(above, "outside/secret.md"), "canary\n");
  writeFileSync(join(root, "PROJECT.md"), "canary\n");
  let now = new Date("2026-11-15T12:34:56Z");
  const tools = memoryTools({
    files: new Files(root, "private", "refused"),
    clock: () => now,
    redact: (text) => text.replaceAll("hunter2", "[secret]"),
  });
  const call = async (name: string, input: object = {}) => {
    const tool = tools.find(({ spec }) => spec.name === `memory_${name}`);
    return tool?.run(JSON.stringify(input), { callId: "c", signal: new AbortController().signal });
  };
  return {
    above,
    root,
    call,
    at: (path: string) => join(root, "memory", path),
    text: (path: string) => readFileSync(join(root, "memory", path), "utf8"),
    later: (date: string) => {
      now = new Date(date);
    },
  };
}

describe("the memory of a project [S3-TOOL-09 S3-MEM-03]", () => {
  it("is empty, takes facts and episodes, and lists them with their summaries", async () => {
    const { call, text, root } = project();
    expect(await call("list")).toEqual({ output: "(no entries)" });
    expect(
      await call("write", { path: "facts/shop.md", content: "# Shop\n\n> Summary: Opens at nine.\n\nMore.\n" }),
    ).toEqual({
      output: "Created facts/shop.md. Summary: Opens at nine.",
      remembered: "facts/shop.md",
    });
    expect(await call("append", { text: "Mended the door.\n" })).toEqual({
      output: "Added to episodes/2026-11.md.",
      remembered: "episodes/2026-11.md",
    });
    expect(await call("append", { path: "episodes/2026-11.md", text: "And the roof." })).toMatchObject({
      output: /Added/,
    });
    expect(text("episodes/2026-11.md")).toBe(
      "# 2026-11\n\n## 2026-11-15 12:34\n\nMended the door.\n\n## 2026-11-15 12:34\n\nAnd the roof.\n",
    );
    expect(await call("list")).toEqual({ output: "facts/shop.md: Opens at nine.\nepisodes/2026-11.md" });
    expect(await call("read", { path: "memory/facts/shop.md" })).toEqual({ output: text("facts/shop.md") });
    expect(readdirSync(join(root, "memory"))).toEqual(["episodes", "facts"]);
  });

  it("keeps no secret, for every later run is shown it", async () => {
    const { call, text } = project();
    await call("write", { path: "facts/door.md", content: "> Summary: say hunter2\n" });
    await call("append", { text: "Said hunter2." });
    expect(text("facts/door.md") + text("episodes/2026-11.md")).not.toContain("hunter2");
    expect(text("facts/door.md")).toContain("say [secret]");
  });

  it.each([
    ["# Door\n\nIt sticks. Push.\n", "# Door\n\n> Summary: It sticks. Push.\n\nIt sticks. Push.\n"],
    ["- It sticks.\n", "> Summary: It sticks.\n\n- It sticks.\n"],
    ["# Door\nIt sticks.\n", "# Door\n\n> Summary: It sticks.\n\nIt sticks.\n"],
    ["# Door", "# Door\n\n> Summary: Door\n"],
    ["", "> Summary: (empty)\n\n"],
    [`${"long ".repeat(100)}\n`, `> Summary: ${"long ".repeat(40)}…\n\n${"long ".repeat(100)}\n`],
  ])("gives the fact %j a summary where it has none", async (content, expected) => {
    const { call, text } = project();
    await call("write", { path: "facts/door.md", content });
    expect(text("facts/door.md")).toBe(expected);
  });

  it("keeps facts small and episodes to be added to", async () => {
    const { call, later } = project();
    const refused = async (name: string, input: object) => {
      const outcome = await call(name, input);
      expect(outcome?.failed, JSON.stringify(input)).toBe(true);
      return outcome?.output;
    };
    expect(await refused("write", { path: "facts/a.md", content: "ü".repeat(8_000) })).toContain("larger than 15 KB");
    expect(await refused("write", { path: "facts/a.md", content: "x".repeat(20_000) })).toContain("not valid");
    expect(await refused("write", { path: "episodes/2026-11.md", content: "x" })).toContain("memory_append");
    expect(await refused("append", { path: "episodes/2026-10.md", text: "x" })).toContain("episodes/2026-11.md");
    expect(await refused("append", { text: "  " })).toContain("Nothing to add");
    expect(await refused("read", { path: "facts/none.md" })).toContain("There is no file");
    for (let times = 0; times < 2; times++) await call("append", { path: "facts/a.md", text: "x".repeat(7_000) });
    expect(await refused("append", { path: "facts/a.md", text: "x".repeat(7_000) })).toContain("larger than 15 KB");
    later("2026-12-01T00:00:00Z");
    expect(await call("append", { text: "x" })).toEqual({
      output: "Added to episodes/2026-12.md.",
      remembered: "episodes/2026-12.md",
    });
  });

  it("patches one place of a fact, and says why it does not", async () => {
    const { call, text } = project();
    const path = "facts/door.md";
    await call("write", { path, content: "# Door\n\n> Summary: It sticks.\n\nPush. Push hard.\n" });
    expect(await call("patch", { path, old: "It sticks.", new: "Say hunter2." })).toEqual({
      output: "Changed facts/door.md. Summary: Say [secret].",
      remembered: "facts/door.md",
    });
    const kept = "# Door\n\n> Summary: Say [secret].\n\nPush. Push hard.\n";
    expect(text(path)).toBe(kept);
    for (const [old, put, reason] of [
      ["Push", "Pull", /^facts\/door.md: old occurs 2 times \(lines 5\). Add surrounding lines until it is unique\.$/],
      ["Pull", "Push", /^facts\/door.md: old not found/],
      ["Push hard.", "Push hard.", /the same/],
      ["Push hard.", "x".repeat(15_350), /larger than 15 KB/],
    ] as const) {
      const outcome = await call("patch", { path, old, new: put });
      expect(outcome).toMatchObject({ failed: true });
      expect(outcome?.output).toMatch(reason);
    }
    expect(await call("patch", { path: "facts/none.md", old: "a", new: "b" })).toMatchObject({ failed: true });
    expect(await call("patch", { path: "episodes/2026-11.md", old: "a", new: "b" })).toMatchObject({
      output: expect.stringContaining("memory_append"),
    });
    expect(text(path)).toBe(kept);
    expect(await call("patch", { path, old: "> Summary: Say [secret].\n", new: "" })).toMatchObject({
      output: "Changed facts/door.md. Summary: Push. Push hard.",
      remembered: "facts/door.md",
    });
  });

  it("has what several agents add at once", async () => {
    const { call, text } = project();
    await Promise.all(Array.from({ length: 20 }, (_, at) => call("append", { text: `entry ${at}.` })));
    for (let at = 0; at < 20; at++) expect(text("episodes/2026-11.md")).toContain(`entry ${at}.`);
  });

  it.each(
    [
      "../PROJECT.md",
      "facts/../../PROJECT.md",
      "PROJECT.md",
      "/etc/passwd",
      "facts/.env",
      "facts/.md",
      "facts/x.txt",
    ].concat(
      ["facts/Big.md", "facts/sub/x.md", "episodes/2026-13.md", "episodes/../facts/x.md", "facts//x.md", "facts", ""],
      ["memory/memory/facts/x.md", "facts/x.md\n", "facts/x.md\u0000", "facts\\x.md", "facts/%2e%2e.md"],
    ),
  )("refuses the path %j", async (path) => {
    const { call, above } = project();
    for (const [name, more] of [
      ["read", {}],
      ["write", { content: "x" }],
      ["append", { text: "x" }],
      ["patch", { old: "canary", new: "x" }],
    ] as const) {
      const outcome = await call(name, { path, ...more });
      expect(outcome).toMatchObject({ failed: true });
      expect(outcome?.output).not.toContain("canary");
    }
    expect(readdirSync(above, { recursive: true }).filter((name) => String(name).includes("x.md"))).toEqual([]);
  });

  it.each<[string, (own: ReturnType<typeof project>) => void]>([
    ["a link", ({ above, at }) => symlinkSync(join(above, "outside/secret.md"), at("facts/x.md"))],
    ["a hard link", ({ above, at }) => linkSync(join(above, "outside/secret.md"), at("facts/x.md"))],
    ["a link to the project's own file", ({ at }) => symlinkSync("../../PROJECT.md", at("facts/x.md"))],
    ["a folder", ({ at }) => mkdirSync(at("facts/x.md"))],
    [
      "in a folder that is a link",
      ({ above, at }) => {
        rmSync(at("facts"), { recursive: true });
        writeFileSync(join(above, "outside/x.md"), "canary\n");
        symlinkSync(join(above, "outside"), at("facts"));
      },
    ],
    [
      "in a memory that is a link",
      ({ above, root }) => {
        rmSync(join(root, "memory"), { recursive: true });
        mkdirSync(join(above, "outside/facts"));
        writeFileSync(join(above, "outside/facts/x.md"), "canary\n");
        symlinkSync(join(above, "outside"), join(root, "memory"));
      },
    ],
  ])("refuses %s, tells nothing of it and changes nothing", async (_what, set) => {
    const own = project();
    set(own);
    const outside = () =>
      readdirSync(join(own.above, "outside"), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), "utf8")]);
    const before = outside();
    const path = "facts/x.md";
    const outcomes = [
      await own.call("read", { path }),
      await own.call("write", { path, content: "by an agent" }),
      await own.call("append", { path, text: "by an agent" }),
      await own.call("patch", { path, old: "canary", new: "by an agent" }),
    ];
    for (const outcome of outcomes) expect(outcome).toMatchObject({ failed: true });
    for (const outcome of [...outcomes, await own.call("list")]) expect(outcome?.output).not.toMatch(/canary/);
    expect(outside()).toEqual(before);
    expect(readFileSync(join(own.root, "PROJECT.md"), "utf8")).toBe("canary\n");
  });
});

/** A workspace with a project, and the main agent's tools over its memory. */
function workspace() {
  const root = join(temporaryFolder(), "hall");
  for (const folder of ["memory/facts", "projects/shop/memory/facts", "projects/shop/memory/episodes", "projects/old"])
    mkdirSync(join(root, folder), { recursive: true });
  const fact = join(root, "projects/shop/memory/facts/door.md");
  writeFileSync(fact, "> Summary: It sticks.\n\nPush.\n");
  writeFileSync(join(root, "projects/shop/memory/episodes/2026-10.md"), "# 2026-10\n");
  writeFileSync(join(root, "projects/shop/PROJECT.md"), "canary\n");
  const made = { clock: () => new Date(0), redact: (text: string) => text };
  const main = memoryTools({
    files: new Files(root, "private", "refused"),
    ...made,
    hasProject: (id) => id === "shop",
  });
  const project = memoryTools({ files: new Files(join(root, "projects/shop"), "private", "refused"), ...made });
  const callOf = (tools: typeof main) => (name: string, input: object) =>
    tools
      .find(({ spec }) => spec.name === `memory_${name}`)
      ?.run(JSON.stringify(input), { callId: "c", signal: new AbortController().signal });
  return { root, fact, main: callOf(main), project: callOf(project) };
}

describe("the memory of the main agent [S3-MEM-01 S3-MEM-04]", () => {
  it("is its own, and it reads a project's by its path", async () => {
    const { root, main } = workspace();
    expect(await main("write", { path: "facts/user.md", content: "Likes tea.\n" })).toMatchObject({
      output: "Created facts/user.md. Summary: Likes tea.",
      remembered: "facts/user.md",
    });
    expect(readFileSync(join(root, "memory/facts/user.md"), "utf8")).toContain("Likes tea.");
    expect(await main("list", {})).toEqual({ output: "facts/user.md: Likes tea." });
    expect(await main("list", { path: "projects/shop/memory" })).toEqual({
      output: "facts/door.md: It sticks.\nepisodes/2026-10.md",
    });
    expect(await main("read", { path: "projects/shop/memory/facts/door.md" })).toMatchObject({
      output: expect.stringContaining("Push."),
    });
  });

  it.each([
    "projects/shop/PROJECT.md",
    "projects/shop/memory/../PROJECT.md",
    "projects/shop/memory/facts/../../PROJECT.md",
    "projects/../projects/shop/memory/facts/door.md",
    "projects/none/memory/facts/door.md",
    "projects/old/memory/facts/door.md",
    "projects/./memory/facts/user.md",
    "projects/shop/memory",
  ])("reads nothing at %j", async (path) => {
    const { main } = workspace();
    const outcome = await main("read", { path });
    expect(outcome).toMatchObject({ failed: true });
    expect(outcome?.output).not.toContain("canary");
  });

  it("changes no project's memory, and follows no link there", async () => {
    const { root, fact, main } = workspace();
    const path = "projects/shop/memory/facts/door.md";
    const before = readFileSync(fact, "utf8");
    for (const [name, more] of [
      ["write", { content: "x" }],
      ["append", { text: "x" }],
      ["patch", { old: "Push.", new: "x" }],
    ] as const)
      expect(await main(name, { path, ...more })).toMatchObject({ failed: true });
    expect(readFileSync(fact, "utf8")).toBe(before);
    rmSync(fact);
    symlinkSync(join(root, "projects/shop/PROJECT.md"), fact);
    expect(await main("read", { path })).toMatchObject({ failed: true });
    expect(await main("list", { path: "projects/shop/memory" })).toMatchObject({
      output: "facts/door.md: (cannot be read)\nepisodes/2026-10.md",
    });
  });

  it("is out of reach for a project, as is another project's [S3-MEM-03 S3-MEM-05]", async () => {
    const { root, main, project } = workspace();
    await main("write", { path: "facts/user.md", content: "canary\n" });
    mkdirSync(join(root, "projects/shop/projects/old/memory/facts"), { recursive: true });
    writeFileSync(join(root, "projects/shop/projects/old/memory/facts/x.md"), "canary\n");
    for (const path of ["facts/user.md", "projects/old/memory/facts/x.md", "../../memory/facts/user.md"]) {
      const outcome = await project("read", { path });
      expect(outcome).toMatchObject({ failed: true });
      expect(outcome?.output).not.toContain("canary");
    }
    expect(await project("list", { path: "projects/old/memory" })).toMatchObject({ failed: true });
  });
});

describe("what the main agent keeps beside its memory [S4-OWN-02]", () => {
  it("is MEMORY.md, which it changes by patches and additions, and today's notes, which it adds to", async () => {
    const { root, main } = workspace();
    const text = (path: string) => readFileSync(join(root, path), "utf8");
    writeFileSync(join(root, "MEMORY.md"), "# Memory\n\nThe shop opens at nine.\n");
    expect(await main("patch", { path: "MEMORY.md", old: "nine", new: "ten" })).toEqual({
      output: "Changed MEMORY.md.",
      remembered: "MEMORY.md",
    });
    expect(await main("append", { path: "./MEMORY.md", text: "The web comes next." })).toMatchObject({
      output: "Added to MEMORY.md.",
      remembered: "MEMORY.md",
    });
    expect(text("MEMORY.md")).toBe("# Memory\n\nThe shop opens at ten.\nThe web comes next.\n");
    await main("append", { path: "daily/1970-01-01.md", text: "Talked about doors." });
    await main("append", { path: "daily/1970-01-01.md", text: "And windows." });
    expect(text("daily/1970-01-01.md")).toBe(
      "# 1970-01-01\n\n## 00:00\n\nTalked about doors.\n\n## 00:00\n\nAnd windows.\n",
    );
    expect(await main("read", { path: "daily/1970-01-01.md" })).toMatchObject({ output: text("daily/1970-01-01.md") });
    expect(await main("list", {})).toEqual({ output: "MEMORY.md\ndaily/1970-01-01.md" });
  });

  it("stays within bounds, and nothing else of the workspace is written", async () => {
    const { root, main, project } = workspace();
    const kept = ["IDENTITY.md", "USER.md", "ROLES.json", "config.yml", "MEMORY.md", "daily/1969-12-31.md"];
    mkdirSync(join(root, "daily"));
    for (const path of kept) writeFileSync(join(root, path), "canary\n");
    const tries = [
      ...["IDENTITY.md", "USER.md", "ROLES.json", "config.yml", "daily/1969-12-31.md", "daily/../USER.md"].flatMap(
        (path) => [
          ["append", { path, text: "x" }] as const,
          ["patch", { path, old: "canary", new: "x" }] as const,
          ["write", { path, content: "x" }] as const,
        ],
      ),
      ["write", { path: "MEMORY.md", content: "x" }] as const,
      ["append", { path: "MEMORY.md", text: "x".repeat(7_000) }] as const,
      ["append", { path: "MEMORY.md", text: "x".repeat(7_000) }] as const,
    ];
    const outcomes = [];
    for (const [name, input] of tries) outcomes.push(await main(name, input));
    expect(outcomes.map((outcome) => outcome?.failed)).toEqual([
      ...tries.map(() => true).slice(0, -2),
      undefined,
      true,
    ]);
    expect(outcomes.at(-1)?.output).toContain("would be larger than 12 KB");
    for (const path of kept.filter((name) => name !== "MEMORY.md"))
      expect(readFileSync(join(root, path), "utf8")).toBe("canary\n");
    for (const path of ["MEMORY.md", "daily/1970-01-01.md"])
      expect(await project("append", { path, text: "x" })).toMatchObject({ failed: true });
    rmSync(join(root, "MEMORY.md"));
    symlinkSync(join(root, "USER.md"), join(root, "MEMORY.md"));
    expect(await main("append", { path: "MEMORY.md", text: "x" })).toMatchObject({ failed: true });
    expect(readFileSync(join(root, "USER.md"), "utf8")).toBe("canary\n");
  });
});
