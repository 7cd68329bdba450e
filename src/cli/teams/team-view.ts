import type { Team, TeamActivity } from "../../contract/documents/teams/team.ts";
import type { Activity } from "../../contract/runs/activity.ts";
import type { Context } from "../context.ts";
import { Screen } from "../talk/screen.ts";
import { plain } from "../text/paint.ts";
import { oneLine } from "../text/plain-text.ts";
import { fitText } from "../text/text-width.ts";
import { activityText } from "../text/tool-call.ts";
import { activityLine, nextLines, statusLine } from "./team-text.ts";

const USUAL_ROWS = 24;
/** Rows of the view beside those of members. */
const OTHER_ROWS = 7;

/** What is seen of a team: what happened in it and, on a terminal, what everyone does now. */
export class TeamView {
  readonly #context: Context;
  readonly #screen: Screen | undefined;
  readonly #does = new Map<string, Activity>();
  #team: Team | undefined;
  #isAway = false;
  #told = "";
  #asked = "";

  constructor(context: Context) {
    const { host, output } = context;
    this.#context = context;
    const moves = host.out.isTerminal && host.env.TERM !== "dumb" && !output.json;
    this.#screen = moves ? new Screen(host.out, () => ({ rows: this.#rows() })) : undefined;
  }

  /** What a run does; only that of members is kept. */
  hear(runId: string, activity: Activity): void {
    if (this.#team?.members.some((member) => member.runId === runId) === true) this.#does.set(runId, activity);
  }

  happened(activity: TeamActivity): void {
    this.#line({ activity }, activityLine(activity, this.#context.output));
  }

  show(team: Team): void {
    const { output } = this.#context;
    this.#isAway = false;
    this.#team = team;
    const status = [team.status, team.waitingFor].join(" ");
    const isNew = status !== this.#told;
    this.#told = status;
    if (this.#screen !== undefined) this.#screen.redraw();
    else if (isNew) output.row({ team }, () => statusLine(team, output));
    this.#noteQuestion(team);
  }

  lose(): void {
    this.#isAway = true;
    this.draw();
  }

  draw(): void {
    this.#screen?.settle();
    this.#screen?.redraw();
  }

  clear(): void {
    this.#screen?.clear();
  }

  #line(document: object, text: string): void {
    if (this.#screen === undefined) this.#context.output.row(document, () => text);
    else this.#screen.print(() => [text]);
  }

  /** Nothing happens until it is answered, so a pipe says it too; once for each question. */
  #noteQuestion(team: Team): void {
    const { output } = this.#context;
    const asked = nextLines(team, output).join("\n");
    const isNew = asked !== "" && asked !== this.#asked;
    this.#asked = asked;
    if (isNew && this.#screen === undefined && !output.json) output.note(asked);
  }

  #rows(): string[] {
    const { host, output } = this.#context;
    const width = (this.#screen?.columns ?? 80) - 1;
    const team = this.#team;
    const fitted = (text: string) => fitText(text, width);
    if (team === undefined) return [fitted("Connecting…")];
    const room = Math.max(1, (host.out.rows ?? USUAL_ROWS) - OTHER_ROWS);
    const busy = team.members.filter(({ status }) => status === "working" || status === "waiting");
    const names = Math.max(0, ...busy.map(({ name }) => name.length));
    return [
      "",
      output.paint("bold", fitted(`${oneLine(team.name)}  ${team.id}`)),
      output.paint("cyan", fitted(this.#isAway ? "Reconnecting…" : statusLine(team, { width, paint: plain }))),
      ...busy.slice(0, room).map(({ name, runId = "", task = "", status }) => {
        const does = activityText(this.#does.get(runId)) || status;
        return fitted(`  ${oneLine(name).padEnd(names)}  ${[task, does].filter((part) => part !== "").join(" · ")}`);
      }),
      ...(busy.length > room ? [fitted(`  and ${busy.length - room} more`)] : []),
      ...nextLines(team, output).map((line) => output.paint("yellow", fitted(line))),
    ];
  }
}
