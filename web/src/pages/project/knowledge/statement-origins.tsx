import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { originText } from "../../../../../src/contract/words/party-words.ts";

const ESCALATION = /^esc-\d{3,12}$/;

/** Where an entry comes from; an answer leads to its question. */
export function StatementOrigins({ origins }: { origins: readonly string[] }) {
  if (origins.length === 0) return null;
  return (
    <span>
      {origins.map((origin, at) => (
        <Fragment key={origin}>
          {at > 0 && ", "}
          {ESCALATION.test(origin) ? <EscalationLink id={origin} /> : <bdi>{originText(origin)}</bdi>}
        </Fragment>
      ))}
    </span>
  );
}

function EscalationLink({ id }: { id: string }) {
  return (
    <Link to="/inbox" search={{ id }} className="text-accent underline">
      {id}
    </Link>
  );
}

/** Of a superseded entry: what replaced it. */
export function ReplacedBy({ by }: { by: string | undefined }) {
  if (by === undefined) return <>Superseded</>;
  return <>Superseded by {ESCALATION.test(by) ? <EscalationLink id={by} /> : <code>{by}</code>}</>;
}
