const LONGEST = 80;

/** Where a fact of that name is kept; empty when no letter or digit of the name can stand in the name of a file. */
export function factPath(name: string): string {
  const slug = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/\.md$/, "")
    .replace(/[^a-z0-9._]+/g, "-")
    .replace(/^[-._]+/, "")
    .slice(0, LONGEST)
    .replace(/[-.]+$/, "");
  return slug === "" ? "" : `facts/${slug}.md`;
}
