import type { ProjectKind } from "../../contract/words/teams/project-kinds.ts";
import { type ManifestKind, packageText } from "./manifest-kind.ts";

interface Rule {
  kind: ProjectKind;
  /** It needs one of these packages, */
  any: readonly string[];
  /** and one of these, where any are named. */
  with?: readonly string[];
}

/** The first that matches decides. */
const RULES: readonly Rule[] = [
  { kind: "nextjs", any: ["next"] },
  { kind: "docs", any: ["@docusaurus/core", "vitepress"] },
  { kind: "react-native", any: ["react-native", "expo"] },
  { kind: "react-vite", any: ["react"], with: ["vite", "@vitejs/plugin-react", "@vitejs/plugin-react-swc"] },
  { kind: "react", any: ["react"] },
  { kind: "vue", any: ["vue", "nuxt"] },
  { kind: "svelte", any: ["svelte", "@sveltejs/kit"] },
  { kind: "angular", any: ["@angular/core"] },
  { kind: "node-service", any: ["@nestjs/core", "fastify", "express", "koa", "hono", "@hapi/hapi", "restify"] },
];
const LISTS = ["dependencies", "peerDependencies", "devDependencies", "optionalDependencies"];

/** By the packages that a package.json names; what it calls itself says nothing. */
export function kindOfPackage(text: string, beside: ReadonlySet<string>): ManifestKind | string {
  const manifest = recordIn(text);
  if (manifest === undefined) return "it is not a JSON object";
  const packages = new Map(LISTS.toReversed().flatMap((list) => Object.entries(recordOf(manifest[list]) ?? {})));
  const language = packages.has("typescript") || beside.has("tsconfig.json") ? "typescript" : "javascript";
  for (const { kind, any, with: also } of RULES) {
    const name = any.find((one) => packages.has(one));
    const other = also?.find((one) => packages.has(one));
    if (name === undefined || (also !== undefined && other === undefined)) continue;
    const named = [name, ...(other === undefined ? [] : [other])];
    const because = named.map((one) => packageText(one, packages.get(one))).join(", ");
    return { kind, language: kind === "docs" ? "markdown" : language, because };
  }
  if (hasBin(manifest.bin)) return { kind: "node-cli", language, because: "bin" };
  return { kind: "node", language, because: "no framework among its packages" };
}

function hasBin(bin: unknown): boolean {
  return (typeof bin === "string" && bin !== "") || Object.keys(recordOf(bin) ?? {}).length > 0;
}

function recordIn(text: string): Record<string, unknown> | undefined {
  try {
    return recordOf(JSON.parse(text.replace(/^\ufeff/, "")));
  } catch {
    return undefined;
  }
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
