import { randomBytes } from "node:crypto";
import { adoptSearches } from "../agent/sandbox/tool-folders.ts";
import { fileTools } from "../agent/tools/files/file-tools.ts";
import { hasFile } from "../agent/tools/files/working-files.ts";
import { memoryTools } from "../agent/tools/memory-tools.ts";
import { webFetchTool } from "../agent/tools/web-tools.ts";
import type { FromProcess, Order, ToProcess } from "../contract/runs/protocol.ts";
import type { SessionMessage } from "../contract/runs/session.ts";
import { Files } from "../store/files/files.ts";
import { timeSortedIds } from "../store/ids.ts";
import { envSecrets } from "../store/secrets/env-files.ts";
import { LiveFingerprints } from "../store/secrets/fingerprints.ts";
import { LatestRedactor } from "../store/secrets/latest-redactor.ts";
import { Redactor } from "../store/secrets/redaction.ts";
import { filledByTheHall } from "../workspace/layout.ts";
import { Slots } from "../workspace/slots.ts";
import { gitGuards, recoverGuards } from "./git-guards.ts";
import { giveMemoryBack } from "./give-memory-back.ts";
import { HallProxy } from "./hall-proxy.ts";
import { ModelProxy } from "./model-proxy.ts";
import { RunnerPool } from "./runner-pool.ts";
import type { WorkFolder, Workshop } from "./workshop.ts";

/** `path`: a real one that the daemon has checked. */
function folderAt(path: string): WorkFolder {
  const work = new Files(path, "kept", "refused", "given");
  return { path: work.root, tools: fileTools(work), hasFile: (name) => hasFile(work, name) };
}

type Init = Extract<ToProcess, { type: "init" }>;

/** The project's own agent, beside its runs. */
export interface Lodger {
  deliver(message: SessionMessage): void;
  /** Ends the answer to that message, if it is under way. */
  stop(reason: string, messageId: string): void;
  /** What it is at is left so that it goes on another time. */
  leave(): Promise<void>;
}

interface Channel {
  send: (message: FromProcess) => void;
  /** Called once, when the project's agent is ordered to open. */
  openLodger: (shop: Workshop, orderId: string) => Lodger;
  /** Called when the last word was said. */
  onDone: () => void;
}

/** What a project's process does with what the daemon says: agents, their tools and journals; all else is asked for. */
export function projectHost({ send, openLodger, onDone }: Channel): (said: ToProcess) => void {
  const clock = () => new Date();
  const nextId = timeSortedIds(clock);
  const nextMark = () => randomBytes(6).toString("hex");
  const models = new ModelProxy(send, nextId);
  const hall = new HallProxy(send, nextId);
  const fingerprints = new LiveFingerprints({ salt: "", values: [] });
  let pool: RunnerPool | undefined;
  let shop: Workshop | undefined;
  let lodger: Lodger | undefined;
  /** The order of the project's own agent. */
  let lodging: string | undefined;
  let isLeaving = false;
  const post = (message: SessionMessage) => {
    if (!isLeaving) lodger?.deliver(message);
  };
  const begin = (order: Order): void => {
    switch (order.kind) {
      case "run":
        pool?.start(order);
        break;
      case "reflect":
        pool?.reflect(order);
        break;
      case "session":
        lodging = order.id;
        if (shop !== undefined && !isLeaving) lodger ??= openLodger(shop, order.id);
        break;
    }
  };
  const init = ({ projectPath, workdir, toolSlots, web, ...known }: Init) => {
    adoptSearches(known.searches);
    const journals = new Files(projectPath, "private", "refused");
    fingerprints.replace(known.fingerprints);
    const latest = new LatestRedactor((secrets) => new Redactor(secrets, fingerprints));
    const where = { folders: [workdir, projectPath], named: known.envFiles, passedOver: filledByTheHall(projectPath) };
    const redactor = () => latest.of(envSecrets(where));
    const guardOf = gitGuards({ notes: journals, hall });
    recoverGuards(journals, guardOf);
    shop = {
      journals,
      guardOf,
      folder: folderAt(workdir),
      folderAt,
      checkout: workdir,
      otherTools: [
        ...memoryTools({ files: journals, clock, redact: (text) => redactor().text(text) }),
        webFetchTool({ rules: web, nextMark }),
      ],
      redactor,
      slots: new Slots(toolSlots),
      models,
      hall,
      agentGuards: { now: undefined },
      nextMark,
      send,
      time: { clock, uptime: () => performance.now() },
    };
    pool = new RunnerPool(shop);
    send({ type: "ready", pid: process.pid });
  };
  const guard = ({ orderId, guards }: Extract<ToProcess, { type: "guards" }>) => {
    if (orderId === lodging && shop !== undefined) shop.agentGuards.now = guards;
    else pool?.guard(orderId, guards);
  };
  const shutdown = async () => {
    isLeaving = true;
    await Promise.all([pool?.close(), lodger?.leave()]);
    send({ type: "shutdown-complete" });
    onDone();
  };
  return (said) => {
    switch (said.type) {
      case "init":
        return init(said);
      case "secrets":
        return fingerprints.replace(said.fingerprints);
      case "order":
        return begin(said.order);
      case "cancel":
        return pool?.cancel(said.orderId, said.reason);
      case "let_go":
        return pool?.letGo(said.orderId);
      case "guards":
        return guard(said);
      case "message":
        return pool?.deliver(said);
      case "llm_response":
      case "llm_retry":
      case "llm_wait":
      case "llm_error":
        return models.hear(said);
      case "reply":
        return hall.hear(said);
      case "post":
        return post(said.message);
      case "stop_answer":
        return lodger?.stop(said.reason, said.messageId);
      case "ping":
        return send({ type: "pong" });
      case "rest":
        return giveMemoryBack();
      case "shutdown":
        return void shutdown();
    }
  };
}
