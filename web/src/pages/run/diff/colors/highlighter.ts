import { common, createLowlight } from "lowlight";
import type { Segment } from "./line-colors.ts";

const lowlight = createLowlight(common);

type Node = ReturnType<typeof lowlight.highlight>["children"][number];

/** The code line by line, each in pieces of one color. Their texts together are the code, whatever it holds. */
export function highlight(code: string, language: string): Segment[][] {
  const lines: Segment[][] = [[]];
  const add = (text: string, kind: string | undefined) => {
    text.split("\n").forEach((part, at) => {
      if (at > 0) lines.push([]);
      if (part !== "") lines.at(-1)?.push(kind === undefined ? { text: part } : { text: part, kind });
    });
  };
  const walk = (node: Node, kind: string | undefined) => {
    if (node.type === "text") add(node.value, kind);
    if (node.type !== "element") return;
    const own = kindOf(node.properties.className);
    for (const child of node.children) walk(child, own ?? kind);
  };
  for (const node of lowlight.highlight(language, code).children) walk(node, undefined);
  return lines;
}

/** One of a few colors for the many classes of the highlighter. */
const KINDS: Record<string, string> = {
  ...{ keyword: "keyword", built_in: "type", type: "type", literal: "number", number: "number", symbol: "number" },
  ...{ string: "string", regexp: "string", "template-tag": "keyword", subst: "plain", comment: "comment" },
  ...{ quote: "comment", doctag: "comment", title: "title", section: "title", name: "keyword", tag: "plain" },
  ...{ attr: "attr", attribute: "attr", property: "attr", variable: "attr", meta: "attr", params: "plain" },
  ...{ "selector-tag": "keyword", "selector-class": "title", "selector-id": "title", bullet: "keyword" },
  ...{ code: "string", link: "string", class: "plain", function: "plain" },
};

function kindOf(names: unknown): string | undefined {
  const [first] = Array.isArray(names) ? names : [];
  const name = typeof first === "string" ? first.replace(/^hljs-/, "") : "";
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  return kind === "plain" ? undefined : kind;
}
