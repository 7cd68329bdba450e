import { HallError } from "../contract/errors.ts";
import type { Run } from "../contract/runs/run.ts";
import { Attachment } from "../workspace/attachments.ts";

/** Something that is said to a run beside what the person says to it. Under one id it is said once. */
export interface SaidToRun {
  id: string;
  text: string;
  /** Absent: the person. */
  from?: "hall" | "team" | undefined;
}

/** What a team has to do with a run while it works. */
export interface Mail {
  /** What the run has to hear before its agent starts; asked for with every start. Durable when it resolves. */
  collect(run: Run): Promise<SaidToRun[]>;
  /** A call of a member's tool. Asking again with the same call changes nothing more. Rejects with HallError when it is refused. */
  ask(run: Run, call: { callId: string; input: unknown }): Promise<string>;
}

/** Where runs of teams get their messages. A floor above answers. */
export class TeamMail extends Attachment<Mail> implements Mail {
  async collect(run: Run): Promise<SaidToRun[]> {
    return run.team === undefined ? [] : this.part.collect(run);
  }

  ask(run: Run, call: { callId: string; input: unknown }): Promise<string> {
    if (run.team === undefined) throw new HallError("team_refused", "Only members of a team have messages.");
    return this.part.ask(run, call);
  }
}
