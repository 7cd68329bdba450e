/** The language of a file, by the names that the highlighter knows. */
const BY_ENDING: Record<string, string> = {
  ...{ ts: "typescript", tsx: "typescript", mts: "typescript", cts: "typescript" },
  ...{ js: "javascript", jsx: "javascript", mjs: "javascript", cjs: "javascript", json: "json", jsonc: "json" },
  ...{ css: "css", scss: "scss", less: "less", html: "xml", htm: "xml", xml: "xml", svg: "xml", vue: "xml" },
  ...{ md: "markdown", markdown: "markdown", yml: "yaml", yaml: "yaml", toml: "ini", ini: "ini", sql: "sql" },
  ...{ py: "python", rb: "ruby", php: "php", go: "go", rs: "rust", java: "java", kt: "kotlin", swift: "swift" },
  ...{ c: "c", h: "c", cc: "cpp", cpp: "cpp", hpp: "cpp", cs: "csharp", m: "objectivec", lua: "lua", pl: "perl" },
  ...{ sh: "bash", bash: "bash", zsh: "bash", r: "r", graphql: "graphql", gql: "graphql" },
};
const BY_NAME: Record<string, string> = { makefile: "makefile", ".bashrc": "bash", ".zshrc": "bash" };

/** Undefined where it is shown without colors. */
export function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const ending = name.slice(name.lastIndexOf(".") + 1);
  const table = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;
  return table ?? (name.includes(".") && Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined);
}
