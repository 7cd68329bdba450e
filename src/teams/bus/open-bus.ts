import type { HallEvent } from "../../contract/event.ts";
import type { openRuns } from "../../runs/open-runs.ts";
import type { Core } from "../../workspace/core.ts";
import type { RoleSpecFiles } from "../role-specs/role-spec-files.ts";
import type { TeamStore } from "../team-store.ts";
import { BusDesk } from "./bus-desk.ts";
import { SharedMemory } from "./shared-memory.ts";
import { TeamBus } from "./team-bus.ts";
import { TeamFolder } from "./team-folder.ts";
import { TeamMsg } from "./team-msg.ts";

interface Parts {
  core: Core;
  store: TeamStore;
  runs: Pick<Awaited<ReturnType<typeof openRuns>>, "teamMail" | "say" | "journal" | "withoutSecrets">;
  roleSpecs: Pick<RoleSpecFiles, "fieldsFor">;
  onTrouble: (what: string, error: unknown) => void;
}

/** Wires the messages, memory and files of teams. Runs are answered from now on. */
export function openBus({ core, store, runs, roleSpecs, onTrouble }: Parts) {
  const bus = new TeamBus({ core, store, runs, onTrouble });
  const memory = new SharedMemory(core);
  const folder = new TeamFolder(core);
  const members = new TeamMsg({ bus, memory, folder, stateOf: (id) => store.get(id), roleSpecs });
  runs.teamMail.attach({
    collect: (run) => bus.collect(run),
    ask: (run, call) => members.ask(run, call),
  });
  return {
    bus,
    folder,
    messages: new BusDesk(bus),
    /** Must not throw. */
    heed: ({ type, subject }: HallEvent) => {
      const team = type === "run.ended" ? core.runs.get(subject.id)?.run.team : undefined;
      if (team !== undefined) bus.ended(team.id, subject.id);
    },
    forget: (teamId: string) => {
      bus.forget(teamId);
      folder.forget(teamId);
    },
  };
}
