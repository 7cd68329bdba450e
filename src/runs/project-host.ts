import { randomBytes } from "node:crypto";
import { fileTools } from "../agent/tools/file-tools.ts";
import { memoryTools } from "../agent/tools/memory-tools.ts";
import { webFetchTool } from "../agent/tools/web-tools.ts";
import { hasFile } from "../agent/tools/working-files.ts";
import type { FromProcess, ToProcess } from "../contract/protocol.ts";
import { Slots } from "../models/slots.ts";
import { envSecrets } from "../store/env-files.ts";
import { Files } from "../store/files.ts";
import { timeSortedIds } from "../store/ids.ts";
import { LatestRedactor } from "../store/latest-redactor.ts";
import { Redactor } from "../store/redaction.ts";
import { filledByTheHall } from "../workspace/layout.ts";
import { giveMemoryBack } from "./give-memory-back.ts";
import { HallProxy } from "./hall-proxy.ts";
import { ModelProxy } from "./model-proxy.ts";
import { RunnerPool } from "./runner-pool.ts";

function toolsAt(workdir: string) {
  const work = new Files(workdir, "kept", "refused");
  return { fileTools: fileTools(work), hasFile: (path: string) => hasFile(work, path), workdir: work.root };
}

type Init = Extract<ToProcess, { type: "init" }>;

interface Channel {
  send: (message: FromProcess) => void;
  /** Called when the last word was said. */
  onDone: () => void;
}

/** What a project's process does with what the daemon says: agents, their tools and journals; all else is asked for. */
export function projectHost({ send, onDone }: Channel): (said: ToProcess) => void {
  const clock = () => new Date();
  const nextId = timeSortedIds(clock);
  const nextMark = () => randomBytes(6).toString("hex");
  const models = new ModelProxy(send, nextId);
  const hall = new HallProxy(send, nextId);
  let pool: RunnerPool | undefined;
  const init = ({ projectPath, workdir, toolSlots, web, ...known }: Init) => {
    const journals = new Files(projectPath, "private", "refused");
    const latest = new LatestRedactor((secrets) => new Redactor(secrets, known.fingerprints));
    const where = { folders: [workdir, projectPath], named: known.envFiles, passedOver: filledByTheHall(projectPath) };
    const redactor = () => latest.of(envSecrets(where));
    pool = new RunnerPool({
      journals,
      ...toolsAt(workdir),
      toolsAt,
      checkout: workdir,
      otherTools: [
        ...memoryTools({ files: journals, clock, redact: (text) => redactor().text(text) }),
        webFetchTool({ rules: web, nextMark }),
      ],
      redactor,
      slots: new Slots(toolSlots),
      models,
      hall,
      nextMark,
      send,
      clock,
    });
    send({ type: "ready", pid: process.pid });
  };
  const shutdown = async () => {
    await pool?.close();
    send({ type: "shutdown-complete" });
    onDone();
  };
  return (said) => {
    switch (said.type) {
      case "init":
        return init(said);
      case "run":
        return pool?.start(said);
      case "cancel":
        return pool?.cancel(said.runId, said.reason);
      case "let_go":
        return pool?.letGo(said.runId);
      case "message":
        return pool?.deliver(said);
      case "llm_response":
      case "llm_retry":
      case "llm_wait":
      case "llm_error":
        return models.hear(said);
      case "reply":
        return hall.hear(said);
      case "ping":
        return send({ type: "pong" });
      case "rest":
        return giveMemoryBack();
      case "shutdown":
        return void shutdown();
    }
  };
}
