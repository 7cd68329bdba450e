import { parentPort, workerData } from "node:worker_threads";
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { NodeHtmlMarkdown } from "node-html-markdown";

/** The root of the thread that makes a page readable; see readable-page.ts. */
const MOST_ELEMENTS = 200_000;
/** Not seen by a person who looks at the page, or not its text. */
const NOT_TEXT =
  "title, script, style, template, noscript, iframe, object, embed, svg, canvas, dialog, [hidden], [aria-hidden='true']";
const HIDDEN_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0+)?\s*(?:;|$)|font-size\s*:\s*0/i;
const AROUND_CONTENT = "nav, header, footer, aside, form";

const { html, url } = workerData as { html: string; url: string };
const { document } = parseHTML(/<html|<body/i.test(html) ? html : `<html><body>${html}</body></html>`);

function clean(): void {
  for (const element of document.querySelectorAll(NOT_TEXT)) element.remove();
  for (const element of document.querySelectorAll("[style]"))
    if (HIDDEN_STYLE.test(element.getAttribute("style") ?? "")) element.remove();
}

/** Links must mean the same outside the page. */
function makeLinksWhole(): void {
  const base = URL.parse(document.querySelector("base[href]")?.getAttribute("href") ?? "", url) ?? new URL(url);
  const set = (selector: string, name: string) => {
    for (const element of document.querySelectorAll(selector)) {
      const whole = URL.parse(element.getAttribute(name) ?? "", base.href);
      if (whole !== null && /^(?:https?|mailto):$/.test(whole.protocol)) element.setAttribute(name, whole.href);
      else element.removeAttribute(name);
    }
  };
  set("a[href]", "href");
  set("img[src]", "src");
}

/** Articles lose what stands around them; of other pages, such as lists and front pages, all is kept. */
function mainContent(): string {
  const whole = document.body.textContent.length;
  const clone = document.cloneNode(true) as typeof document;
  const article = new Readability(clone, { maxElemsToParse: MOST_ELEMENTS, keepClasses: true }).parse();
  if (article?.content && (article.textContent ?? "").length >= Math.min(500, whole / 4)) return article.content;
  const main = document.querySelector("main, [role='main'], article") ?? document.body;
  if (main === document.body) for (const element of main.querySelectorAll(AROUND_CONTENT)) element.remove();
  return main.innerHTML;
}

const title = (document.querySelector("title")?.textContent ?? "").replace(/\s+/g, " ").trim().slice(0, 300);
clean();
makeLinksWhole();
const markdown = NodeHtmlMarkdown.translate(mainContent(), { bulletMarker: "-" }).trim();
parentPort?.postMessage({ title, markdown });
