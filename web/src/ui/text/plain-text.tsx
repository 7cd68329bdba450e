import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { partsOf } from "./named-things.ts";

/** Text that is no Markdown: its lines stay as they are, and what it names leads there. */
export function PlainText({ text, project }: { text: string; project?: string | undefined }) {
  return (
    <div dir="auto" className="whitespace-pre-wrap">
      {partsOf(text, project).map(({ text: part, href }, at) =>
        href === undefined ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name
          <Fragment key={at}>{part}</Fragment>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name
          <OwnLink key={at} href={href}>
            {part}
          </OwnLink>
        ),
      )}
    </div>
  );
}

/** A link to a page of the dashboard, given as an address. */
export function OwnLink({ href, children }: { href: string; children: React.ReactNode }) {
  const { pathname, searchParams } = new URL(href, location.origin);
  return (
    <Link to={pathname} search={Object.fromEntries(searchParams)} className="text-accent underline">
      {children}
    </Link>
  );
}
