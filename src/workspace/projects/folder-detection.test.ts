import { describe, expect, it } from "vitest";
import { detectFolder } from "./folder-detection.ts";

const NOTHING = { languages: [], frameworks: [], tools: [] };

describe("a folder", () => {
  it.each([
    ["with nothing in it", [], false],
    ["of notes and pictures", ["notes.md", "photo.jpg", "Makefile", "Dockerfile"], false],
    ["with a repository", [".git"], true],
    ["with a package", ["package.json"], true],
    ["of Python", ["pyproject.toml"], true],
    ["of Go", ["go.mod", "go.sum"], true],
    ["of Rust", ["Cargo.toml"], true],
    ["of C#", ["Shop.sln"], true],
    ["with names that are properties of every object", ["constructor", "__proto__", "toString"], false],
  ])("%s is taken for a project: %s", (_, names, isProject) => {
    expect(detectFolder({ names }).isProject).toBe(isProject);
  });

  it("tells its languages, frameworks and tools as far as names tell them", () => {
    const packageJson = JSON.stringify({
      dependencies: { react: "19" },
      devDependencies: { typescript: "7", vite: "8" },
    });
    const names = [".git", "package.json", "pnpm-lock.yaml", "Dockerfile", "pyproject.toml"];
    expect(detectFolder({ names, packageJson })).toEqual({
      isProject: true,
      isGit: true,
      techStack: { languages: ["Python", "TypeScript"], frameworks: ["React"], tools: ["Docker", "Vite", "pnpm"] },
    });
  });

  it.each(["{", "null", "[]", '{"dependencies": 7}', '{"dependencies": null}', '{"dependencies": {"__proto__": "1"}}'])(
    "is judged without a package.json that says %s",
    (packageJson) => {
      const { techStack } = detectFolder({ names: ["package.json"], packageJson });
      expect(techStack).toEqual({ ...NOTHING, languages: ["JavaScript"], tools: ["npm"] });
    },
  );
});
