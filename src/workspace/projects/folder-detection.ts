import type { WelcomeFolder } from "../../contract/routes/welcome-routes.ts";
import type { FolderGlance } from "../../store/files/listing/folder-glance.ts";

type TechStack = WelcomeFolder["techStack"];

/** Names come from anywhere: none may lead to what every object has. */
function table<Value = string>(entries: Record<string, Value>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(entries));
}

/** What a file or folder of that name says about the code beside it. */
const MARKS = table<Partial<TechStack>>({
  "package.json": { languages: ["JavaScript"], tools: ["npm"] },
  "tsconfig.json": { languages: ["TypeScript"] },
  "deno.json": { languages: ["TypeScript"], tools: ["Deno"] },
  "pyproject.toml": { languages: ["Python"] },
  "requirements.txt": { languages: ["Python"], tools: ["pip"] },
  "setup.py": { languages: ["Python"] },
  "manage.py": { languages: ["Python"], frameworks: ["Django"] },
  "go.mod": { languages: ["Go"] },
  "Cargo.toml": { languages: ["Rust"], tools: ["Cargo"] },
  "pom.xml": { languages: ["Java"], tools: ["Maven"] },
  "build.gradle": { languages: ["Java"], tools: ["Gradle"] },
  "build.gradle.kts": { languages: ["Kotlin"], tools: ["Gradle"] },
  Gemfile: { languages: ["Ruby"], tools: ["Bundler"] },
  "composer.json": { languages: ["PHP"], tools: ["Composer"] },
  "mix.exs": { languages: ["Elixir"] },
  "Package.swift": { languages: ["Swift"] },
  "pubspec.yaml": { languages: ["Dart"] },
  "CMakeLists.txt": { languages: ["C++"], tools: ["CMake"] },
});

/** Tells more of a project, and does not make one of a folder. */
const HINTS = table<Partial<TechStack>>({
  "pnpm-lock.yaml": { tools: ["pnpm"] },
  "yarn.lock": { tools: ["Yarn"] },
  "bun.lock": { tools: ["Bun"] },
  "uv.lock": { tools: ["uv"] },
  "poetry.lock": { tools: ["Poetry"] },
  Dockerfile: { tools: ["Docker"] },
  Makefile: { tools: ["Make"] },
});

const ENDINGS = table<Partial<TechStack>>({
  ".sln": { languages: ["C#"], tools: [".NET"] },
  ".csproj": { languages: ["C#"], tools: [".NET"] },
});

const FRAMEWORKS = table({
  next: "Next.js",
  react: "React",
  vue: "Vue",
  svelte: "Svelte",
  "@angular/core": "Angular",
  express: "Express",
  fastify: "Fastify",
  hono: "Hono",
});

const TOOLS = table({ vite: "Vite", vitest: "Vitest", jest: "Jest" });

export interface FolderDetection {
  /** Whether it looks like the code of something. */
  isProject: boolean;
  isGit: boolean;
  techStack: TechStack;
}

/** Judges a folder by the names in it. Pure. */
export function detectFolder({ names, packageJson }: FolderGlance): FolderDetection {
  const known = names.flatMap((name) => MARKS.get(name) ?? endingOf(name) ?? []);
  const isGit = names.includes(".git");
  const hints = names.flatMap((name) => HINTS.get(name) ?? []);
  const techStack = merged([...known, ...hints, ...dependenciesOf(packageJson)]);
  return { isProject: isGit || known.length > 0, isGit, techStack: withoutDoubt(techStack) };
}

function endingOf(name: string): Partial<TechStack> | undefined {
  return [...ENDINGS].find(([ending]) => name.endsWith(ending))?.[1];
}

function dependenciesOf(packageJson: string | undefined): Partial<TechStack>[] {
  const names = dependencyNames(packageJson);
  const frameworks = names.flatMap((name) => FRAMEWORKS.get(name) ?? []);
  const tools = names.flatMap((name) => TOOLS.get(name) ?? []);
  return [{ frameworks, tools, languages: names.includes("typescript") ? ["TypeScript"] : [] }];
}

/** None, where the file is not what it should be. */
function dependencyNames(packageJson: string | undefined): string[] {
  try {
    const { dependencies, devDependencies } = JSON.parse(packageJson ?? "{}") as Record<string, unknown>;
    return [...Object.keys(dependencies ?? {}), ...Object.keys(devDependencies ?? {})];
  } catch {
    return [];
  }
}

function merged(parts: readonly Partial<TechStack>[]): TechStack {
  const all = (key: keyof TechStack) => [...new Set(parts.flatMap((part) => part[key] ?? []))].sort();
  return { languages: all("languages"), frameworks: all("frameworks"), tools: all("tools") };
}

/** package.json stands beside TypeScript too, and beside locks of other tools than npm. */
function withoutDoubt({ languages, frameworks, tools }: TechStack): TechStack {
  const isTyped = languages.includes("TypeScript");
  const hasOther = ["pnpm", "Yarn", "Bun"].some((tool) => tools.includes(tool));
  return {
    languages: languages.filter((language) => !(isTyped && language === "JavaScript")),
    frameworks,
    tools: tools.filter((tool) => !(hasOther && tool === "npm")),
  };
}
