import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { HallEvent } from "../../../../src/contract/event.ts";
import { queries } from "../../api/queries.ts";
import { buttonLook } from "../../ui/button.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { Loaded } from "../../ui/states.tsx";
import { howItMoved, whatAbout, whatHappened, whoDid } from "./event-words.ts";

const LAST = 12;

/** What happened in the project last. */
export function RecentEvents({ id }: { id: string }) {
  const found = useQuery(queries.recentEvents(id, LAST));
  return (
    <Section
      title="What happened"
      actions={
        <Link to="/activity" search={{ project: id }} className={buttonLook({ size: "small" })}>
          All activity
        </Link>
      }
    >
      <Loaded query={found}>
        {({ events }) => (
          <Card>
            <ol aria-label="What happened">
              {events.toReversed().map((event) => (
                <EventLine key={event.id} event={event} />
              ))}
            </ol>
          </Card>
        )}
      </Loaded>
    </Section>
  );
}

function EventLine({ event }: { event: HallEvent }) {
  const about = whatAbout(event);
  const rest = [howItMoved(event), `by ${whoDid(event.actor)}`].filter((part) => part !== undefined);
  return (
    <li className="flex items-baseline gap-3 border-b border-line px-4 py-2 text-sm last:border-b-0">
      <p className="min-w-0 flex-1">
        {whatHappened(event.type)} <AboutLink event={event} text={about} />{" "}
        <span className="text-faint">{rest.join(" · ")}</span>
      </p>
      <Ago at={event.at} className="shrink-0 text-xs text-faint" />
    </li>
  );
}

function AboutLink({ event: { subject, projectId = "" }, text }: { event: HallEvent; text: string }) {
  const name = <bdi>{text}</bdi>;
  const look = "font-medium hover:underline";
  if (text === "") return null;
  if (subject.kind === "run")
    return (
      <Link to="/runs/$runId" params={{ runId: subject.id }} className={look}>
        {name}
      </Link>
    );
  if (subject.kind === "task")
    return (
      <Link to="." params={{ id: projectId }} search={{ task: subject.id }} className={look}>
        {name}
      </Link>
    );
  return <span className="font-medium">{name}</span>;
}
