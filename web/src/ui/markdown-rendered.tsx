import Renderer, { type Components } from "react-markdown";
import gfm from "remark-gfm";

const components: Components = {
  a: ({ href, children }) => (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  ),
  // A picture from elsewhere would tell its owner who reads it.
  img: ({ alt, src }) => (
    <span title={typeof src === "string" ? src : undefined}>[picture: {alt || "without a name"}]</span>
  ),
  input: ({ checked }) => (
    <input type="checkbox" checked={checked ?? false} readOnly disabled aria-label={checked ? "done" : "to do"} />
  ),
};

export default function MarkdownRendered({ text }: { text: string }) {
  return (
    <div className="prose-hall">
      <Renderer remarkPlugins={[gfm]} skipHtml={false} components={components}>
        {text}
      </Renderer>
    </div>
  );
}
