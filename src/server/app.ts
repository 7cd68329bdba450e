import { HallError } from "../contract/errors.ts";
import type { OpenWork } from "../contract/routes/hall-routes.ts";
import type { WebFiles } from "../store/host/web-folder.ts";
import type { Clock } from "../store/ids.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import { type Address, addresses, isStream, methodsAt, PAGES, setsCookie } from "./addresses.ts";
import type { Answer } from "./answer.ts";
import type { Arrival } from "./arrival.ts";
import { serveEndpoint } from "./endpoint.ts";
import { asHallError, type Log, logFailure } from "./failures.ts";
import { clientNamed, type HouseRules, pageSession, refusal } from "./guard.ts";
import type { Daemon, JsonEndpoint } from "./handler.ts";
import type { BriefingDesk } from "./handlers/briefing-handlers.ts";
import type { EscalationDesk } from "./handlers/escalation-handlers.ts";
import type { GateDesk, IntegrationDesk } from "./handlers/gate-handlers.ts";
import type { GrantDesk } from "./handlers/grant-handlers.ts";
import { type AdminDesk, createHandlers } from "./handlers/handlers.ts";
import type { HookDesk } from "./handlers/hook-handlers.ts";
import type { ImportDesk } from "./handlers/import-handlers.ts";
import type { LeadApi } from "./handlers/initiative-handlers.ts";
import type { LearningDesk } from "./handlers/knowledge-handlers.ts";
import type { LessonDesk } from "./handlers/lesson-handlers.ts";
import type { OrchestratorDesk } from "./handlers/orchestrator-handlers.ts";
import type { RunDesk } from "./handlers/run-handlers.ts";
import type { TalkDesk } from "./handlers/talk-handlers.ts";
import type { TeamDesk } from "./handlers/team-handlers.ts";
import type { TriggerDesk } from "./handlers/trigger-handlers.ts";
import type { WelcomeDesk } from "./handlers/welcome-handlers.ts";
import { type OwnAddresses, ownAddresses } from "./own-addresses.ts";
import { bindDoor } from "./pages/browser-door.ts";
import { BrowserLinks } from "./pages/browser-links.ts";
import { cookieName } from "./pages/browser-session.ts";
import type { Page } from "./pages/page.ts";
import { NO_DEVICES, type PairedDevices, pairingHandlers } from "./pages/pairing.ts";
import { answerWebPage } from "./pages/web-pages.ts";
import { configuredAddresses, NO_REACH, type Reach } from "./reach.ts";
import { answerError, answerPage } from "./requests/answers.ts";
import { AnsweredRequests } from "./requests/idempotency.ts";
import { Router } from "./router.ts";
import { type LiveStreams, liveStreams } from "./streams/live-stream.ts";
import { bindStream } from "./streams/stream-endpoints.ts";
import { bindWebhooks, type WebhookDoor } from "./webhook-door.ts";

export interface AppOptions {
  readonly hall: Hall;
  readonly runs: RunDesk;
  readonly admin: AdminDesk;
  readonly talk: TalkDesk;
  readonly welcome: WelcomeDesk;
  readonly escalations: EscalationDesk;
  readonly grants: GrantDesk;
  readonly learning: LearningDesk;
  readonly hooks: HookDesk;
  readonly gates: GateDesk;
  readonly integration: IntegrationDesk;
  readonly teams: TeamDesk;
  readonly triggers: TriggerDesk;
  readonly leads: LeadApi;
  readonly imports: ImportDesk;
  readonly webhooks: WebhookDoor;
  readonly lessons: LessonDesk;
  readonly briefings: BriefingDesk;
  readonly orchestrator: OrchestratorDesk;
  /** The folder, as `status` shows it. */
  readonly workspace: string;
  readonly isUsualWorkspace: boolean;
  /** How the program is called, as a shell reads it. */
  readonly calledAs: string;
  readonly host?: string | undefined;
  readonly port: number;
  /** Where it listens for TLS beside that. */
  readonly tls?: { readonly host: string; readonly port: number } | undefined;
  /** How other devices reach it; by no name of their own unless given. */
  readonly reach?: Reach | undefined;
  /** Those that were paired; none can be unless given. */
  readonly devices?: PairedDevices | undefined;
  readonly token: string;
  /** Programs with tokens of their own, by name. */
  readonly clients?: HouseRules["clients"];
  readonly version: string;
  readonly startedAt: Date;
  readonly clock: Clock;
  /** What is open in a project that a person suspends or completes. */
  openIn(projectId: string): OpenWork[];
  /** Asks the daemon to stop; must return at once. */
  requestStop(): Promise<OpenWork[]>;
  /** Throws when it cannot. */
  requestRestart(): void;
  readonly log: Log;
  readonly streams?: LiveStreams | undefined;
  readonly links?: BrowserLinks | undefined;
  /** The built dashboard; without it there is only a page that says how to build it. */
  readonly web?: WebFiles | undefined;
  isStopping?(): boolean;
}

/** Answers every request; never rejects. `cutOff`: ends the connection of a client that has stopped reading. */
export type App = (arrival: Arrival, cutOff: () => void) => Promise<Answer>;

export function createApp(options: AppOptions): App {
  const own = ownAddresses(options.host ?? "127.0.0.1", options.port);
  const { reach = NO_REACH, devices = NO_DEVICES } = options;
  const { token, clients, clock, web, links = new BrowserLinks(clock) } = options;
  const cookie = cookieName(options.port);
  const router = new Router();
  // Few ask for these, and the start of the daemon need not wait for them.
  const api = once(async () => (await import("./openapi.ts")).describeApi(options.version, own.url));
  bindDoor(router, { links, token, cookie, clock, devices, ownHosts: own.hosts });
  const streams = options.streams ?? liveStreams(options);
  const pairing = pairingHandlers({ links, devices, reach, endStreams: () => streams.endAll() });
  const daemon = daemonOf(options, { openApi: api, browserLink: () => links.issue(own.url) }, own.url);
  bindEndpoints(router, { ...options, streams }, { daemon, pairing });
  bindPage(router, PAGES.docs, async () => (await import("./pages/docs-page.ts")).docsPage(await api()));
  const pages = new Router();
  bindPage(pages, PAGES.landing, async () => (await import("./pages/landing-page.ts")).landingPage());
  const admit = admission({ ...answered(own, options), token, clients, cookie, clock, devices }, options);
  const answer = async (given: Arrival, cutOff: () => void): Promise<Answer> => {
    const arrival = admit(given);
    const { method, path } = arrival;
    const found = router.find(method, path);
    if (found !== undefined) return found.serve({ arrival, params: found.params, cutOff });
    const file = web === undefined ? undefined : await answerWebPage(arrival, web);
    const page = pages.find(method, path);
    return file ?? page?.serve({ arrival, params: {}, cutOff }) ?? answerFailure(nothingThere(arrival), arrival);
  };
  return (arrival, cutOff) =>
    answer(arrival, cutOff).catch((error) => {
      const { requestId, method, path } = arrival;
      if (!(error instanceof Refused)) logFailure(options.log, error, { requestId, method, path });
      return answerFailure(error instanceof Refused ? error.cause : error, arrival);
    });
}

/** Turned away before anyone looked at what was asked for. */
class Refused extends Error {}

/** Every request passes here first; what is refused reaches no handler. */
function admission(rules: HouseRules, options: AppOptions): (arrival: Arrival) => Arrival {
  return (arrival) => {
    const stopping = options.isStopping?.() ? new HallError("stopping", "The daemon is stopping.") : undefined;
    const cause = stopping ?? refusal(arrival, rules);
    if (cause !== undefined) throw new Refused("", { cause });
    return { ...arrival, client: clientNamed(arrival, rules), session: pageSession(arrival, rules) };
  };
}

/** All names under which the daemon answers: those of the machine, those of its TLS listener, and those that are configured. */
function answered(own: OwnAddresses, { reach = NO_REACH, tls }: AppOptions): Pick<OwnAddresses, "hosts" | "origins"> {
  const known = [
    own,
    configuredAddresses(reach),
    ...(tls ? [ownAddresses(tls.host, tls.port, { scheme: "https" })] : []),
  ];
  return {
    hosts: new Set(known.flatMap(({ hosts }) => [...hosts])),
    origins: new Set(known.flatMap(({ origins }) => [...origins])),
  };
}

interface Behind {
  daemon: Daemon;
  pairing: ReturnType<typeof pairingHandlers>;
}

function bindEndpoints(
  router: Router,
  options: AppOptions & { readonly streams: LiveStreams },
  { daemon, pairing }: Behind,
): void {
  const { hall, runs, admin, talk, welcome, escalations, grants, learning, hooks, clock, streams } = options;
  const { gates, integration, teams, triggers, leads, imports, lessons, briefings, orchestrator } = options;
  bindStream(router, streams);
  bindWebhooks(router, options.webhooks);
  const handlers = {
    ...createHandlers(
      {
        hall,
        runs,
        admin,
        talk,
        welcome,
        escalations,
        grants,
        learning,
        hooks,
        gates,
        integration,
        teams,
        triggers,
        leads,
        imports,
        lessons,
        briefings,
        orchestrator,
      },
      daemon,
    ),
    ...pairing,
  };
  const desk = { hall, runs, escalations, teams, triggers, leads, handlers, answered: new AnsweredRequests(clock) };
  for (const address of addresses) {
    if (!answersJson(address)) continue;
    router.on(address.method, address.path, serveEndpoint(address, desk));
  }
}

function bindPage(router: Router, path: string, build: () => Promise<Page>): void {
  const page = once(build);
  router.on("GET", path, async ({ arrival }) => answerPage(await page(), arrival.requestId));
}

function daemonOf(options: AppOptions, more: Pick<Daemon, "openApi" | "browserLink">, url: string): Daemon {
  const { version, startedAt, workspace, isUsualWorkspace, calledAs, port } = options;
  const begun = performance.now();
  return {
    version,
    port,
    status: () => ({
      status: "ok",
      version,
      pid: process.pid,
      url,
      workspace,
      isUsualWorkspace,
      calledAs,
      startedAt: startedAt.toISOString(),
      uptimeSeconds: Math.floor((performance.now() - begun) / 1_000),
      memoryMb: Math.round(process.memoryUsage.rss() / 104_857.6) / 10,
    }),
    openIn: options.openIn,
    requestStop: options.requestStop,
    requestRestart: options.requestRestart,
    ...more,
  };
}

function nothingThere(arrival: Arrival): HallError {
  const methods = methodsAt(arrival.path);
  if (methods.length === 0) return new HallError("route_not_found", "Unknown path.");
  return new HallError("method_not_allowed", `${arrival.method} is not allowed here; allowed: ${methods.join(", ")}.`);
}

function answerFailure(error: unknown, arrival: Arrival): Answer {
  const told = asHallError(error);
  return answerError(told, arrival.requestId, failureHeaders(told, arrival));
}

function failureHeaders(error: HallError, arrival: Arrival): Record<string, string> | undefined {
  switch (error.code) {
    case "unauthorized":
      return { "www-authenticate": 'Bearer realm="guildhall"' };
    case "method_not_allowed":
      return { allow: methodsAt(arrival.path).join(", ") };
    case "stopping":
      return { connection: "close" };
    case "too_many_requests":
      return { "retry-after": "30" };
    default:
      return error.retryable ? { "retry-after": "1" } : undefined;
  }
}

function answersJson(address: Address): address is Address & { name: JsonEndpoint } {
  return !isStream(address.name) && !setsCookie(address.name);
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
