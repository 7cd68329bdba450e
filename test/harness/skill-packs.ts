import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface PackText {
  description?: string;
  /** More lines of its frontmatter. */
  more?: string;
  body?: string;
  /** Other files by their paths. */
  files?: Record<string, string>;
}

/** Puts a skill pack into a folder of packs, and answers where. */
export function writePack(packs: string, slug: string, pack: PackText = {}): string {
  const { description = `How to ${slug}.`, more = "", body = "Build, then copy.", files = {} } = pack;
  const text = `---\nname: ${slug}\ndescription: ${JSON.stringify(description)}\n${more}---\n\n${body}\n`;
  for (const [path, content] of Object.entries({ "SKILL.md": text, ...files })) {
    const file = join(packs, slug, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return join(packs, slug);
}
