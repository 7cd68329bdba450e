import { z } from "zod";
import { GENERATE, ORCHESTRATOR_ACTIONS } from "../words/autonomy/orchestrator-words.ts";
import { RANKS } from "../words/rank-names.ts";
import { AUTONOMY_MODES } from "../words/teams/autonomy-words.ts";
import { Budget } from "./budget.ts";
import { ChannelSettings } from "./channel-settings.ts";
import { ControlSettings } from "./control-file.ts";
import { HookSettings } from "./hook.ts";
import { PermissionHours } from "./permission.ts";
import { QualityGates } from "./quality/quality-gates.ts";
import { ModelPreset } from "./rank.ts";
import { autonomyLimits } from "./teams/team-autonomy.ts";
import { Web } from "./web.ts";

const LOOPBACK = ["127.0.0.1", "::1", "localhost"];

const DEFAULT_PORT = 4777;

export const ProviderName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be a short lower-case name");
export const ModelName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}\/\S{1,160}$/, "must be 'provider/model'");

/** Providers that can be found without being configured, and the offline model, whose name nobody else may take. */
export const OFFLINE_PROVIDER = "offline";
export const WELL_KNOWN_PROVIDERS = [
  "anthropic",
  "openai",
  "google",
  "openrouter",
  "moonshot",
  "kimi-coding",
  "ollama",
] as const;

const VariableName = z.string().regex(/^[A-Z][A-Z0-9_]{0,99}$/, "must be the name of an environment variable");

const isPlainAddress = (url: string) => {
  const { username, password, search, hash } = new URL(url);
  return username + password + search + hash === "";
};

/** Keys are never here: they come from the environment or from .guildhall/secrets. */
export const ProviderSettings = z.strictObject({
  kind: z.enum(["anthropic", "openai", "google", "openai-compatible"]),
  baseUrl: z
    .url({ protocol: /^https?$/, error: "must be an http or https address", abort: true })
    .refine(
      isPlainAddress,
      "must not have a user name, password or query; keys come from the environment or .guildhall/secrets",
    )
    .optional(),
  /** Which of OpenAI's two wire formats the endpoint speaks. */
  api: z.enum(["chat", "responses"]).optional(),
  apiKeyEnv: VariableName.optional(),
  concurrency: z.int().min(1).max(100).optional(),
  /** A provider that sends nothing for this long is taken for hung. */
  silenceSeconds: z.int().min(1).max(3_600).optional(),
});
const Provider = ProviderSettings.refine(
  ({ kind, baseUrl }) => kind !== "openai-compatible" || baseUrl !== undefined,
  "requires a baseUrl, because its kind is openai-compatible",
);
export type ProviderConfig = z.infer<typeof Provider>;

/** US dollars for a million tokens. Sums of larger ones would lose cents, and in the end be no numbers any more. */
const dollars = z.number().min(0).max(1_000_000);
export const Price = z.strictObject({
  input: dollars,
  output: dollars,
  cacheRead: dollars.optional(),
  cacheWrite: dollars.optional(),
});
export type Price = z.infer<typeof Price>;

/** What teams that work by themselves may do. */
const Yolo = z.strictObject({
  mode: z.enum(AUTONOMY_MODES).default("off"),
  costCapUsd: z.number().gt(0, "must be more than 0").max(1_000_000).default(5),
  timeoutMinutes: autonomyLimits.timeoutMinutes.default(60),
  maxConcurrency: autonomyLimits.maxConcurrency.default(3),
  maxRemediationRounds: autonomyLimits.maxRemediationRounds.default(3),
  requireApprovalForSpecChanges: autonomyLimits.requireApprovalForSpecChanges.default(true),
});

const seconds = (most: number) => z.number().gt(0, "must be more than 0").max(most);
const calls = z.int().min(2).max(20);

/** When a member at work counts as stuck. */
const Health = z.strictObject({
  enabled: z.boolean().default(true),
  checkSeconds: seconds(3_600).default(30),
  stallSeconds: seconds(86_400).default(300),
  /** How long a model call may be silent, and by model. */
  modelSeconds: seconds(86_400).default(600),
  models: z.record(z.string(), seconds(86_400)).default({}),
  errorCalls: calls.default(3),
  alikeCalls: calls.default(5),
  /** The same for tools that only read. */
  alikeResearchCalls: calls.default(10),
  contextPercent: z.int().min(10).max(100).default(85),
  /** Between two issues of one kind of one member. */
  debounceSeconds: z.number().min(0).max(86_400).default(120),
});
export type HealthSettings = z.infer<typeof Health>;

/** Which models the ranks of a team have, how their work is judged, and what they may spend. */
const AgentTeams = z.strictObject({
  /** False: a rank says nothing about the model. */
  enabled: z.boolean().default(true),
  modelPreset: ModelPreset.optional(),
  leadModel: ModelName.optional(),
  headModel: ModelName.optional(),
  workerModel: ModelName.optional(),
  reviewerModel: ModelName.optional(),
  escalationModel: ModelName.optional(),
  /** What a team may spend; the budget of runs and days applies as well. */
  costCapUsd: z.number().gt(0, "must be more than 0").max(1_000_000).optional(),
  /** After so many failures a worker gets a stronger model. */
  autoEscalationThreshold: z.int().min(1).max(100).optional(),
  qualityGates: QualityGates.prefault({}),
  yolo: Yolo.prefault({}),
  health: Health.prefault({}),
});
export type AgentTeams = z.infer<typeof AgentTeams>;

/** Where the person is told of runs, beside the event log. The address may hold a secret of the receiver: it is never shown whole. */
const Notify = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/, error: "must be an http or https address", abort: true })
      .refine(
        (url) => new URL(url).username + new URL(url).password === "",
        "must not have a user name or password; requests are signed with the secret named by secretEnv",
      )
      .optional(),
    secretEnv: VariableName.optional(),
    /** Gets the same as `url`, as text that Slack and compatible services show. */
    slackUrl: z
      .url({ protocol: /^https?$/, error: "must be an http or https address", abort: true })
      .refine((url) => new URL(url).username + new URL(url).password === "", "must not have a user name or password")
      .optional(),
  })
  .refine(({ url, secretEnv }) => url !== undefined || secretEnv === undefined, {
    path: ["url"],
    error: "is required with secretEnv",
  });

/** What git can write into a commit as it is. */
const IdentityText = z.string().regex(/^[^\p{Cc}<>]{1,200}$/u, "must be one line without < and >");

/** An address without a path: what follows is the dashboard's own. */
const PublicUrl = z
  .url({ protocol: /^https?$/, error: "must be an http or https address", abort: true })
  .refine((text) => {
    const { username, password, pathname, search, hash } = new URL(text);
    return username + password + search + hash === "" && pathname === "/";
  }, "must be only a scheme, a host and a port, such as https://hall.example.org");

const HostName = z
  .string()
  .regex(
    /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?$/,
    "must be a host, or host:port",
  )
  .refine((text) => URL.canParse(`https://${text}`), "must be a host, or host:port");

/** Two times of day; what is between them may include midnight. */
const DayHours = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d$/, "must be two times of day, such as 22:00-08:00")
  .refine((text) => text.slice(0, 5) !== text.slice(6), "must start and end at different times");

const TimeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "must be a time of day, such as 08:00");

/** A name that the system's calendar knows. */
const Timezone = z.string().refine(isTimezone, "must be a time zone, such as Europe/Berlin");

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Without the rules that span several sections. */
export const Settings = z.strictObject({
  version: z.literal([1, 2]).default(2),
  server: z
    .strictObject({
      host: z.string().default("127.0.0.1"),
      port: z
        .int()
        .refine((port) => port === 0 || (port >= 1024 && port <= 65_535), "must be 0 (any free port) or 1024 to 65535")
        .default(DEFAULT_PORT),
      allowNetwork: z.boolean().default(false),
      publicUrl: PublicUrl.optional(),
      allowedHosts: z.array(HostName).max(20).default([]),
      allowPlainHttp: z.boolean().default(false),
      tls: z
        .strictObject({
          cert: z.string().min(1),
          key: z.string().min(1),
          host: z.string().default("0.0.0.0"),
          port: z
            .int()
            .min(0)
            .max(65_535)
            .default(DEFAULT_PORT + 1),
        })
        .optional(),
    })
    .prefault({})
    .refine((server) => server.allowNetwork || LOOPBACK.includes(server.host), {
      path: ["host"],
      error: "must be 127.0.0.1, ::1 or localhost; any other address requires 'allowNetwork: true'",
    }),
  providers: z
    .record(ProviderName, Provider)
    .refine((providers) => !(OFFLINE_PROVIDER in providers), {
      path: [OFFLINE_PROVIDER],
      error: "is the name of the built-in offline model; choose another",
    })
    .default({}),
  models: z
    .strictObject({
      default: ModelName.optional(),
      /** True: no provider is ever asked, the offline model plays them all. GUILDHALL_OFFLINE=1 does the same. */
      offline: z.boolean().default(false),
      prices: z.record(z.string(), Price).default({}),
      contextWindow: z.record(z.string(), z.int().min(1_000)).default({}),
    })
    .prefault({}),
  agentTeams: AgentTeams.prefault({}),
  /** The main agent; without a model of its own it has the hall's default. */
  main: z.strictObject({ model: ModelName.optional() }).prefault({}),
  channels: ChannelSettings.prefault({}),
  limits: z
    .strictObject({
      /** Model calls at once, over all projects. */
      modelCalls: z.int().min(1).max(100).default(3),
      /** Tool calls at once, in one project. */
      toolCalls: z.int().min(1).max(100).default(3),
      /** Runs at once, over all projects and in one. */
      runs: z.int().min(1).max(1_000).default(8),
      runsPerProject: z.int().min(1).max(1_000).default(3),
      turns: z.int().min(1).max(10_000).default(50),
      spawnDepth: z.int().min(0).max(20).default(3),
      spawnsPerRun: z.int().min(0).max(1_000).default(8),
      spawnsPerTree: z.int().min(0).max(10_000).default(30),
      /** Agents that agents of one project may start within a minute. */
      spawnsPerMinute: z.int().min(0).max(10_000).default(60),
      /** How often a tree may have one role begin a task of the same title. */
      spawnsAlike: z.int().min(1).max(1_000).default(5),
    })
    .prefault({}),
  /** What becomes of projects that nobody asks anything of. */
  projects: z
    .strictObject({
      /** A process with nothing to do ends; fractions of a minute may be given. */
      parkAfterMinutes: z.number().gt(0, "must be more than 0").max(10_000).default(5),
      /** 0: a project is never suspended for being idle. */
      suspendAfterDays: z.number().min(0).max(3_650).default(7),
      /** 0: a completed project is never archived by itself. */
      archiveAfterDays: z.number().min(0).max(36_500).default(0),
      /** How often an active project is asked to look at what changed; 0: never. */
      heartbeatMinutes: z
        .number()
        .min(0)
        .max(100_000)
        .refine((minutes) => minutes === 0 || minutes >= 1, "must be 0 or at least 1")
        .default(0),
    })
    .prefault({}),
  budget: Budget.prefault({}),
  /** How long the states of working folders are kept: those that are young or among the last, and what fits. */
  checkpoints: z
    .strictObject({
      keep: z.int().min(2).max(10_000).default(50),
      days: z.int().min(0).max(3_650).default(14),
      /** Larger files are not kept. */
      fileMb: z.int().min(1).max(1_024).default(50),
      files: z.int().min(1).max(1_000_000).default(200_000),
    })
    .prefault({}),
  /** What runs are told of the knowledge that was gathered. */
  knowledge: z
    .strictObject({
      /** Tokens that statements may take in a prompt; 0: none are put in. */
      promptTokens: z.int().min(0).max(100_000).default(1_500),
    })
    .prefault({}),
  /** Whether runs that completed a task are looked back on, and how many tokens that may take each time. */
  memory: z
    .strictObject({
      reflection: z.boolean().default(false),
      reflectionTokens: z.int().min(2_000).max(100_000).default(8_000),
    })
    .prefault({}),
  /** Files that steer people's tools: a result that changes one waits for review. */
  controlFiles: ControlSettings.prefault({}),
  notify: Notify.prefault({}),
  /** How often, and when, the person is notified of what waits for them. */
  escalations: z
    .strictObject({
      /** 0: once, and never again. */
      remindHours: z.number().min(0).max(10_000).default(24),
      /** In the local time zone of the daemon. */
      quietHours: DayHours.optional(),
    })
    .prefault({}),
  /** What was done, spent and is needed, once a day. */
  briefing: z
    .strictObject({
      /** When it is sent; absent: it is made only when somebody asks for it. */
      time: TimeOfDay.optional(),
      /** The machine's unless given. */
      timezone: Timezone.optional(),
      /** A model adds three sentences. */
      summary: z.boolean().default(false),
    })
    .prefault({}),
  /** A regular look over the whole workspace. */
  heartbeat: z
    .strictObject({
      /** 0: off. */
      minutes: z
        .number()
        .min(0)
        .max(100_000)
        .refine((minutes) => minutes === 0 || minutes >= 1, "must be 0 or at least 1")
        .default(0),
    })
    .prefault({}),
  /** Starts the agents of projects on initiatives. It touches only projects whose autonomy is not off. */
  orchestrator: z
    .strictObject({
      enabled: z.boolean().default(false),
      /** Whether it looks for new work. */
      generate: z.enum(GENERATE).default("off"),
      /** Leads at once, over all projects. */
      maxLeads: z.int().min(1).max(20).default(1),
      /** When it may start something, in briefing.timezone; it may include midnight. Absent: always. */
      hours: DayHours.optional(),
      /** For the work it started and its own decisions. */
      dailyUsd: z.number().min(0).max(1_000_000).default(5),
      /** A task that waits longer is stale; 0: none is. */
      staleDays: z.number().min(0).max(3_650).default(14),
      /** What it may never do. */
      never: z.array(z.enum(ORCHESTRATOR_ACTIONS)).max(ORCHESTRATOR_ACTIONS.length).default([]),
      /** Absent: the main agent's. */
      model: ModelName.optional(),
    })
    .prefault({}),
  /** For how long the answer `hour` to a request for permission allows calls, unless it says so itself. */
  permissions: z.strictObject({ hours: PermissionHours.default(1) }).prefault({}),
  web: Web.prefault({}),
  /** What is run before, or after, what agents do. */
  hooks: z
    .array(HookSettings)
    .max(100)
    .refine((hooks) => new Set(hooks.map(({ name }) => name)).size === hooks.length, "must have different names")
    .default([]),
  /** Who the commits of runs are by, and how large what they add or change may be. */
  review: z.strictObject({ undoSeconds: z.int().min(0).max(86_400).default(60) }).prefault({}),
  git: z
    .strictObject({
      fileMb: z.int().min(1).max(100_000).default(100),
      totalMb: z.int().min(1).max(1_000_000).default(500),
      authorName: IdentityText.default("Guildhall"),
      authorEmail: IdentityText.default("guildhall@localhost"),
      /** After so many days the branch of a run that failed or was stopped is deleted; 0: never. */
      keepBranchesDays: z.int().min(0).max(36_500).default(30),
    })
    .prefault({}),
});

/** config.yml. Every key is optional; an unknown key is refused, so that a typing error never goes unnoticed. */
export const Config = Settings.superRefine(({ models, main, orchestrator, agentTeams, providers }, context) => {
  const known = [OFFLINE_PROVIDER, ...Object.keys(providers), ...WELL_KNOWN_PROVIDERS];
  const check = (model: string | undefined, path: string[]) => {
    const name = model?.split("/")[0];
    if (name === undefined || known.includes(name)) return;
    const message = `names the provider '${name}', which is neither under 'providers' nor one of ${known.join(", ")}`;
    context.addIssue({ code: "custom", path, message });
  };
  check(models.default, ["models", "default"]);
  check(main.model, ["main", "model"]);
  check(orchestrator.model, ["orchestrator", "model"]);
  for (const rank of RANKS) check(agentTeams[`${rank}Model`], ["agentTeams", `${rank}Model`]);
});
export type Config = z.infer<typeof Config>;
