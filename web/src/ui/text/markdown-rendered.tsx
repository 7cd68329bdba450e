import Renderer, { type Components } from "react-markdown";
import gfm from "remark-gfm";
import { placeOf, wordsOf } from "./link-place.ts";
import { linkNamedThings } from "./named-things.ts";
import { OwnLink } from "./plain-text.tsx";

/** What leads to a page of the dashboard is opened in it. */
const OWN_PAGE = /^\/(?:runs|projects|roles|teams)\/[\w/?=&-]*$/;

const components: Components = {
  a: ({ href = "", children, node }) => {
    if (OWN_PAGE.test(href)) return <OwnLink href={href}>{children}</OwnLink>;
    const place = placeOf(href, node === undefined ? "" : wordsOf(node));
    if (place === undefined) return <span title={href}>{children}</span>;
    return (
      <>
        <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
          <bdi>{children}</bdi>
        </a>
        {place !== "" && <bdi className="text-faint"> ({place})</bdi>}
      </>
    );
  },
  // A picture from elsewhere would tell its owner who reads it.
  img: ({ alt, src }) => <span title={typeof src === "string" ? src : undefined}>[picture: {alt || "unnamed"}]</span>,
  pre: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached without a mouse
    <pre tabIndex={0}>{children}</pre>
  ),
  input: ({ checked }) => (
    <input type="checkbox" checked={checked ?? false} readOnly disabled aria-label={checked ? "done" : "to do"} />
  ),
};

export default function MarkdownRendered({ text, project }: { text: string; project?: string | undefined }) {
  return (
    <div className="prose-hall">
      <Renderer remarkPlugins={[gfm, [linkNamedThings, { project }]]} skipHtml={false} components={components}>
        {text}
      </Renderer>
    </div>
  );
}
