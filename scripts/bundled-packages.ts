import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Chunk {
  fileName: string;
  imports: string[];
  dynamicImports: string[];
  moduleIds: string[];
}

/** What a bundle still loads from outside, besides Node.js itself: a package that carries it would not start. */
export function importsFromOutside(chunks: readonly Chunk[]): string[] {
  const own = new Set(chunks.map(({ fileName }) => fileName));
  const all = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
  return [...new Set(all)].filter((name) => !own.has(name) && !name.startsWith("node:")).toSorted();
}

/** The license of every npm package that is part of a bundle, as these licenses require of a copy. */
export function licenseNotices(chunks: readonly Chunk[]): string {
  const folders = new Set(chunks.flatMap(({ moduleIds }) => moduleIds).flatMap(packageFolder));
  const notices = [...folders].map(noticeOf).toSorted();
  return ["This program contains the packages below.", ...notices].join(`\n\n${"-".repeat(80)}\n\n`);
}

function packageFolder(module: string): string[] {
  const path = module.replace(/^\0+/, "").replace(/\?.*$/, "");
  const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
  return folder === undefined ? [] : [folder];
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    name: string;
    version: string;
    license?: string;
  };
  const heading = `${name} ${version} (${license ?? "license not stated"})`;
  const file = readdirSync(folder).find((each) => /^licen[cs]e(\.|$)/i.test(each));
  return file === undefined ? heading : `${heading}\n\n${readFileSync(join(folder, file), "utf8").trim()}`;
}
