import { linkSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writePack } from "../../../test/harness/skill-packs.ts";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { availableSkills, SkillShelf } from "./skill-shelf.ts";

function stage() {
  const root = temporaryFolder();
  const [workspace, workdir] = [join(root, "workspace"), join(root, "work")];
  mkdirSync(join(workspace, "projects/shop"), { recursive: true });
  mkdirSync(workdir);
  const where = { workspace, projectId: "shop", workdir };
  const places = {
    project: join(workspace, "projects/shop/skills"),
    agents: join(workdir, ".agents/skills"),
    claude: join(workdir, ".claude/skills"),
    hall: join(workspace, "skills"),
  };
  return { where, places };
}

const problemsOf = (where: ReturnType<typeof stage>["where"]) => new SkillShelf(where).find().problems;

describe("the packs of an agent", () => {
  it("are the hall's and its project's, the nearest of one name [S3-SKILL-01 S3-SKILL-02 S3-SKILL-03]", () => {
    const { where, places } = stage();
    for (const place of Object.values(places)) writePack(place, "deploy");
    for (const place of [places.agents, places.claude, places.hall]) writePack(place, "lint");
    for (const place of [places.claude, places.hall]) writePack(place, "test");
    writePack(places.hall, "build");
    const shown = availableSkills(where).map(({ slug, path, origin }) => [slug, path, origin]);
    expect(shown).toEqual([
      ["build", "skills/build", "hall"],
      ["deploy", "projects/shop/skills/deploy", "project"],
      ["lint", join(where.workdir, ".agents/skills/lint"), "workdir"],
      ["test", join(where.workdir, ".claude/skills/test"), "workdir"],
    ]);
    const other = availableSkills({ ...where, projectId: "other", workdir: undefined });
    expect(other.map(({ path }) => path)).toEqual(["build", "deploy", "lint", "test"].map((slug) => `skills/${slug}`));
    expect(problemsOf(where)).toEqual([]);
  });

  it("are none where there are no folders", () => {
    const { where } = stage();
    expect(availableSkills({ ...where, workdir: join(where.workdir, "gone") })).toEqual([]);
  });

  it("are usable at once, but those of a working folder only in the content that was accepted", () => {
    const { where, places } = stage();
    writePack(places.hall, "build");
    const lint = writePack(places.agents, "lint", { files: { "scripts/run.sh": "echo 1\n" } });
    const states = () => availableSkills(where).map(({ slug, state, usable }) => [slug, state, usable]);
    const [hashOfBuild, hashOfLint] = availableSkills(where).map(({ hash }) => hash);
    expect(states()).toEqual([
      ["build", "new", true],
      ["lint", "new", false],
    ]);
    const at = "2026-01-01T00:00:00.000Z";
    const accepted = { "hall/build": { hash: hashOfBuild, at }, "workdir/shop/lint": { hash: hashOfLint, at } };
    writeFileSync(join(places.hall, "accepted.json"), JSON.stringify({ version: 1, accepted }));
    expect(states()).toEqual([
      ["build", "accepted", true],
      ["lint", "accepted", true],
    ]);
    writeFileSync(join(lint, "scripts/run.sh"), "echo 2\n");
    writePack(places.hall, "build", { body: "Otherwise." });
    expect(states()).toEqual([
      ["build", "changed", true],
      ["lint", "changed", false],
    ]);
    expect(availableSkills({ ...where, projectId: "other" }).at(-1)).toMatchObject({ slug: "lint", state: "new" });
    writeFileSync(join(places.hall, "accepted.json"), "{");
    expect(states().at(-1)).toEqual(["lint", "new", false]);
    expect(problemsOf(where)).toEqual([{ file: "skills/accepted.json", reason: "it is not JSON" }]);
  });

  it("take the place of a built-in one in the content that was accepted, and of the hall at once [S1-RT-11]", () => {
    const { where, places } = stage();
    const program = temporaryFolder();
    for (const slug of ["backend-implementer", "react-standards"]) writePack(join(program, ".agents/skills"), slug);
    const own = writePack(places.agents, "backend-implementer", { body: "Ours." });
    writePack(places.claude, "backend-implementer", { body: "Another one." });
    const all = { ...where, program };
    const origins = () => availableSkills(all).map(({ slug, origin }) => [slug, origin]);
    const bodyOf = (slug: string) => {
      const outcome = new SkillShelf(all).read(slug);
      return outcome?.ok ? outcome.pack.body : outcome;
    };
    expect(origins()).toEqual([
      ["backend-implementer", "built-in"],
      ["react-standards", "built-in"],
    ]);
    const { hash } = availableSkills(where).find(({ slug }) => slug === "backend-implementer") ?? {};
    const accepted = { "workdir/shop/backend-implementer": { hash, at: "2026-01-01T00:00:00.000Z" } };
    mkdirSync(places.hall);
    writeFileSync(join(places.hall, "accepted.json"), JSON.stringify({ version: 1, accepted }));
    writePack(places.hall, "react-standards", { body: "The hall's." });
    expect(origins()).toEqual([
      ["backend-implementer", "workdir"],
      ["react-standards", "hall"],
    ]);
    expect([bodyOf("backend-implementer"), bodyOf("react-standards")]).toEqual(["Ours.", "The hall's."]);
    writeFileSync(join(own, "more.md"), "Since then.");
    expect(origins()[0]).toEqual(["backend-implementer", "built-in"]);
    expect(bodyOf("backend-implementer")).not.toBe("Ours.");
  });

  it("have a hash over every file, its name and its content", () => {
    const { where, places } = stage();
    const hash = () => availableSkills(where)[0]?.hash;
    const seen = new Set<string | undefined>();
    const pack = writePack(places.hall, "build", { files: { "a.txt": "1", "b.txt": "" } });
    seen.add(hash());
    writeFileSync(join(pack, "a.txt"), "");
    writeFileSync(join(pack, "b.txt"), "1");
    seen.add(hash());
    mkdirSync(join(pack, "empty"));
    seen.add(hash());
    writeFileSync(join(pack, "empty/.hidden"), "");
    seen.add(hash());
    rmSync(join(pack, "a.txt"));
    seen.add(hash());
    expect(seen.size).toBe(4);
  });
});

describe("a pack that is none", () => {
  const hostile: [string, (packs: string) => void, string, string][] = [
    ["no SKILL.md", (packs) => mkdirSync(join(packs, "bad"), { recursive: true }), "bad/SKILL.md", "There is no file"],
    [
      "a name that is none",
      (packs) => writePack(packs, "Bad_One"),
      "Bad_One",
      "the name of the folder must be lower-case",
    ],
    [
      "10 MB of SKILL.md",
      (packs) => truncateSync(join(writePack(packs, "bad"), "SKILL.md"), 10 * 1024 * 1024),
      "bad/SKILL.md",
      "larger than 128 KB",
    ],
    [
      "a SKILL.md that leads to /etc/passwd",
      (packs) => {
        mkdirSync(join(packs, "bad"), { recursive: true });
        symlinkSync("/etc/passwd", join(packs, "bad/SKILL.md"));
      },
      "bad/SKILL.md",
      "is a link",
    ],
    [
      "a file that leads to /etc/passwd",
      (packs) => symlinkSync("/etc/passwd", join(writePack(packs, "bad"), "notes.md")),
      "bad",
      "'notes.md' is a link",
    ],
    [
      "a hard link among its files",
      (packs) => {
        writeFileSync(join(packs, "../secret"), "s");
        linkSync(join(packs, "../secret"), join(writePack(packs, "bad"), "notes.md"));
      },
      "bad/SKILL.md",
      "hard link",
    ],
    [
      "a folder that leads elsewhere",
      (packs) => {
        writePack(join(packs, "../elsewhere"), "bad");
        symlinkSync("../elsewhere/bad", join(packs, "bad"));
      },
      "bad",
      "it is a link",
    ],
    [
      "bytes that are no text",
      (packs) => writeFileSync(join(writePack(packs, "bad"), "SKILL.md"), Buffer.from([0xff, 0xfe, 0x00])),
      "bad/SKILL.md",
      "not UTF-8",
    ],
    [
      "too many files",
      (packs) => {
        const pack = writePack(packs, "bad");
        for (let at = 0; at < 501; at++) writeFileSync(join(pack, `${at}`), "");
      },
      "bad",
      "more than 500 files",
    ],
    [
      "too large a file",
      (packs) => {
        const file = join(writePack(packs, "bad"), "data.bin");
        writeFileSync(file, "");
        truncateSync(file, 2 ** 34);
      },
      "bad",
      "exceed 16 MB in total",
    ],
    [
      "too deep a folder",
      (packs) => mkdirSync(join(writePack(packs, "bad"), "a/".repeat(12)), { recursive: true }),
      "bad",
      "deeper than 8",
    ],
  ];

  it.each(hostile)("for %s is told with file and reason, and the others work", (_what, make, file, reason) => {
    const { where, places } = stage();
    writePack(places.hall, "good");
    make(places.hall);
    expect(problemsOf(where)).toEqual([
      expect.objectContaining({ file: `skills/${file}`, reason: expect.stringContaining(reason) }),
    ]);
    expect(availableSkills(where).map(({ slug }) => slug)).toEqual(["good"]);
  });

  it("is one of too many", () => {
    const { where, places } = stage();
    for (let at = 0; at < 203; at++) writePack(places.hall, `s${String(at).padStart(3, "0")}`);
    expect(availableSkills(where)).toHaveLength(200);
    expect(problemsOf(where)).toHaveLength(3);
  });

  it("keeps a farther one of its name from being used in its place", () => {
    const { where, places } = stage();
    writePack(places.hall, "build");
    writeFileSync(join(writePack(places.project, "build"), "SKILL.md"), "broken");
    expect(new SkillShelf(where).read("build")).toMatchObject({
      ok: false,
      problem: { file: "projects/shop/skills/build/SKILL.md", line: 1 },
    });
  });

  it.each(["..", "../../etc", "a/b", ".", "", "A", "a\0", "x".repeat(65), "__proto__"])(
    "is not looked for as %j",
    (slug) => {
      const { where } = stage();
      expect(new SkillShelf(where).read(slug)).toBeUndefined();
    },
  );
});
