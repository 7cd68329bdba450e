/** A node of a Markdown tree, as far as it matters here. */
interface Node {
  type: string;
  value?: string;
  url?: string;
  children?: Node[];
}

/** `shop/TASK-012` says which project is meant; `TASK-012` alone only where all that is said is about one. */
const NAMED = /(?<![\w/.-])(?:(run-[0-9a-hjkmnp-tv-z]{22})|(?:([a-z0-9][a-z0-9-]*)\/)?(TASK-\d{3,}))(?![\w-])/g;

/** Leave as they are: a link within a link is none, and code is code. */
const CLOSED = new Set(["link", "linkReference", "code"]);

/** Makes links of runs and tasks that are named in a text, wherever it is certain which one is meant. */
export function linkNamedThings({ project }: { project: string | undefined }) {
  const walk = (node: Node): void => {
    if (node.children === undefined || CLOSED.has(node.type)) return;
    node.children = node.children.flatMap((child) => linked(child, project));
    for (const child of node.children) walk(child);
  };
  return walk;
}

function linked(node: Node, project: string | undefined): Node[] {
  if (node.type === "inlineCode") {
    const href = wholeName(node.value ?? "", project);
    return href === undefined ? [node] : [{ type: "link", url: href, children: [node] }];
  }
  if (node.type !== "text") return [node];
  return partsOf(node.value ?? "", project).map(({ text, href }) =>
    href === undefined
      ? { type: "text", value: text }
      : { type: "link", url: href, children: [{ type: "text", value: text }] },
  );
}

function wholeName(text: string, project: string | undefined): string | undefined {
  const [first, ...rest] = partsOf(text, project);
  return rest.length === 0 ? first?.href : undefined;
}

export function partsOf(text: string, project: string | undefined): { text: string; href?: string | undefined }[] {
  const parts: { text: string; href?: string | undefined }[] = [];
  let at = 0;
  for (const match of text.matchAll(NAMED)) {
    const [name, run, inProject = project, task] = match;
    const href = hrefOf(run, inProject, task);
    if (href === undefined) continue;
    if (match.index > at) parts.push({ text: text.slice(at, match.index) });
    parts.push({ text: name, href });
    at = match.index + name.length;
  }
  if (at < text.length) parts.push({ text: text.slice(at) });
  return parts;
}

function hrefOf(run: string | undefined, project: string | undefined, task: string | undefined): string | undefined {
  if (run !== undefined) return `/runs/${run}`;
  return project === undefined || task === undefined ? undefined : `/projects/${project}/board?task=${task}`;
}
