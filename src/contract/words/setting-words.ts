/** Sections of config.yml that apply at once; the others take effect after a restart. */
export const LIVE_SECTIONS = [
  "budget",
  "providers",
  "models",
  "agentTeams",
  "main",
  "memory",
  "knowledge",
  "escalations",
  "hooks",
  "permissions",
  "briefing",
  "heartbeat",
  "orchestrator",
] as const;

export function isLive(key: string): boolean {
  return LIVE_SECTIONS.some((section) => key === section || key.startsWith(`${section}.`));
}

const PROVIDER_KEY = /^providers\.[a-z0-9][a-z0-9-]{0,39}\.(?=\w+$)/;

/** The key as the words below have it: of every provider the same ones. */
export function settingName(key: string): string {
  return key.replace(PROVIDER_KEY, "providers.NAME.");
}

/** Sections with required keys: these can only be set together. */
const SECTIONS = /^(?:server\.tls|web\.search|providers\.[^.]+)(?=\.\w+$)/;

/** The section that a key is edited with; undefined: it is edited by itself. */
export function sectionOf(key: string): string | undefined {
  return SECTIONS.exec(key)?.[0];
}

/** What each key of config.yml does, in one line; docs/configuration.md has more. NAME is a provider's name. */
export const SETTING_WORDS: Readonly<Record<string, string>> = {
  version: "Format version of this file.",
  "server.host": "Address to listen on: 127.0.0.1, ::1 or localhost.",
  "server.port": "Port: 1024 to 65535, or 0 for any free one. When unset, the last port is reused if it is free.",
  "server.allowNetwork": "Allows a server.host that other machines can reach.",
  "server.publicUrl": "The address at which other devices open the dashboard, such as https://hall.example.org.",
  "server.allowedHosts": "More host names that can open the dashboard over HTTPS.",
  "server.allowPlainHttp": "Allows unencrypted HTTP to a private IP address, for pairing a phone.",
  "server.tls.cert": "File with the TLS certificate and its chain (PEM). Set it together with server.tls.key.",
  "server.tls.key": "File with the certificate's private key (PEM). Set it together with server.tls.cert.",
  "server.tls.host": "The address to listen on for HTTPS.",
  "server.tls.port": "The port to listen on for HTTPS.",
  "providers.NAME.kind": "API of the provider: anthropic, openai, google or openai-compatible.",
  "providers.NAME.baseUrl":
    "Address of its API. Required for openai-compatible. A stored key is never sent to a new address.",
  "providers.NAME.api":
    "OpenAI wire format, for the kind openai. Default: responses at OpenAI, chat at any other address.",
  "providers.NAME.apiKeyEnv": "Variable, or line in .guildhall/secrets, that holds its key.",
  "providers.NAME.concurrency": "Concurrent calls to this provider. Default: limits.modelCalls.",
  "providers.NAME.silenceSeconds": "Seconds without any data after which a call fails and is retried. Default: 120.",
  "models.default": "Default model. Auto-detected when unset.",
  "models.offline": "true: the offline model answers for every model.",
  "models.prices": "Prices per million tokens, by model.",
  "models.contextWindow": "Context window in tokens, by model.",
  "main.model": "Model of the main agent. The default model when unset.",
  "agentTeams.enabled": "false: ranks do not affect the model.",
  "agentTeams.modelPreset": "Model preset for ranks.",
  "agentTeams.leadModel": "Model for leads; overrides the preset.",
  "agentTeams.headModel": "Model for heads; overrides the preset.",
  "agentTeams.workerModel": "Model for workers; overrides the preset.",
  "agentTeams.reviewerModel": "Model for reviewers; overrides the preset.",
  "agentTeams.escalationModel": "Model for escalations; overrides the preset.",
  "agentTeams.costCapUsd": "Maximum US dollars per team.",
  "agentTeams.autoEscalationThreshold": "Failures after which a worker gets a stronger model.",
  "agentTeams.qualityGates.enabled": "false: results of runs are not judged by quality gates.",
  "agentTeams.qualityGates.appliesTo":
    "Which results are judged: teams (runs of a team), all (every run that changes code) or off.",
  "agentTeams.qualityGates.passThreshold":
    "Score that a change needs to pass. Values outside 70 to 95 are moved to the nearest of these.",
  "agentTeams.qualityGates.maxReviewCycles":
    "How often a failed change goes back to the worker before a stronger model tries.",
  "agentTeams.qualityGates.enforceTDD": "Whether changed tests must fail on the code before the change.",
  "agentTeams.qualityGates.baselineAwareTests": "Whether tests that fail before the change too may fail.",
  "agentTeams.qualityGates.knownFailingTests": "Names of tests that may fail.",
  "agentTeams.qualityGates.testScope": "Which tests run: affected (those that the change concerns), full or none.",
  "agentTeams.qualityGates.reviewModel": "Model of reviewers. Another one is used where its provider has no key.",
  "agentTeams.qualityGates.escalationModel": "Model that gets one try when a worker's cycles are used up.",
  "agentTeams.qualityGates.proof":
    "What happens where no test fails when part of the change is undone: off (not tried), advise (it is listed) or strict (the change fails).",
  "agentTeams.qualityGates.rolloutSafety": "Whether the ninth stage, rollout safety, is judged.",
  "agentTeams.qualityGates.ownership":
    "What happens when two runs change the same file: off, warn or strict (the second one is refused).",
  "agentTeams.qualityGates.commands.syntax": "Command that checks the syntax, instead of the detected one.",
  "agentTeams.qualityGates.commands.tests": "Command that runs all tests, instead of the detected one.",
  "agentTeams.qualityGates.commands.affected":
    "Command that runs the affected tests; {files} is replaced by the changed files.",
  "agentTeams.qualityGates.commands.report":
    "JUnit XML file that the test command writes, relative to the project's folder.",
  "agentTeams.qualityGates.timeoutSeconds.syntax": "Time limit of the syntax check, in seconds.",
  "agentTeams.qualityGates.timeoutSeconds.tests": "Time limit of the tests, in seconds.",
  "agentTeams.qualityGates.timeoutSeconds.suite":
    "Time limit of the whole test suite in integration checks, in seconds.",
  "agentTeams.qualityGates.spec": "File with the requirements (REQ-001 …), relative to the project's folder.",
  "agentTeams.health.enabled": "false: members of teams are not watched for stalls and loops.",
  "agentTeams.health.checkSeconds": "Seconds between two checks of working members.",
  "agentTeams.health.stallSeconds": "Seconds without activity after which a member is stalled.",
  "agentTeams.health.modelSeconds": "Seconds that a model call may be silent before its member is stalled.",
  "agentTeams.health.models": "The same by model, such as {anthropic/claude-haiku-4-5: 180}.",
  "agentTeams.health.errorCalls": "Failures of the same tool in a row that make an error loop.",
  "agentTeams.health.alikeCalls": "Alike tool calls that make a retry storm.",
  "agentTeams.health.alikeResearchCalls": "The same for tools that only read.",
  "agentTeams.health.contextPercent": "Percent of the context window from which a context is exhausted.",
  "agentTeams.health.debounceSeconds": "Minimum seconds between two issues of one kind of one member.",
  "agentTeams.yolo.mode":
    "Whether new teams are autonomous: off, smart (may propose changes to its spec) or fixed. Autonomous teams don't ask you to approve their plan.",
  "agentTeams.yolo.costCapUsd": "US dollars after which an autonomous team is paused.",
  "agentTeams.yolo.timeoutMinutes": "Minutes of work after which an autonomous team is paused.",
  "agentTeams.yolo.maxConcurrency": "Tasks of a team at once.",
  "agentTeams.yolo.maxRemediationRounds":
    "Rounds of fixes after the integration check. Then an autonomous team is paused, and others ask you.",
  "agentTeams.yolo.requireApprovalForSpecChanges":
    "Whether changes that an autonomous team proposes to its spec wait for you. Changes that remove something always do.",
  "limits.modelCalls": "Concurrent model calls across all projects.",
  "limits.toolCalls": "Concurrent tool calls per project.",
  "limits.runs": "Concurrent runs across all projects.",
  "limits.runsPerProject": "Concurrent runs per project.",
  "limits.turns": "Maximum turns per run.",
  "limits.spawnDepth": "How many levels deep agents can start other agents.",
  "limits.spawnsPerRun": "Agents that one run can start.",
  "limits.spawnsPerTree": "Agents that a run and everything it started can start in total.",
  "limits.spawnsPerMinute": "Agents that the agents of one project can start per minute.",
  "limits.spawnsAlike": "How often a run and everything it started can give one role a task with the same title.",
  "projects.parkAfterMinutes": "Minutes until an idle project process ends; fractions are allowed.",
  "projects.suspendAfterDays": "Days without activity until a project is suspended; 0 never.",
  "projects.archiveAfterDays": "Days until a completed project is archived, which is final; 0 never.",
  "projects.heartbeatMinutes":
    "Minutes between checks by the agent of an active project: 0 never, otherwise at least 1.",
  "budget.runUsd": "Maximum US dollars per run, including the runs it starts.",
  "budget.dayUsd": "Maximum US dollars per day (UTC) for all runs.",
  "budget.totalUsd": "Maximum US dollars for this workspace, ever.",
  "budget.runTokens": "Maximum tokens per run, including the runs it starts.",
  "budget.dayTokens": "Maximum tokens per day (UTC) for all runs.",
  "budget.totalTokens": "Maximum tokens for this workspace, ever.",
  "memory.reflection": "Whether completed runs are reviewed for lessons to remember. Costs tokens.",
  "memory.reflectionTokens": "Token limit per reflection, 2000 to 100000.",
  "checkpoints.keep": "Latest checkpoints of a project that are always kept.",
  "checkpoints.days": "Checkpoints newer than this many days are always kept.",
  "checkpoints.fileMb": "Maximum size of a file in a checkpoint, in MiB.",
  "checkpoints.files": "Maximum files per checkpoint.",
  "knowledge.promptTokens": "Tokens of knowledge in a run's prompt; 0 adds none.",
  "git.authorName": "Author and committer name of commits by runs.",
  "git.authorEmail": "Email address of that author.",
  "git.keepBranchesDays":
    "Days until the branch of a failed, stopped or superseded run is deleted; its commit stays in a hidden ref. 0 keeps branches.",
  "review.undoSeconds": "How long a discard can be undone, in seconds.",
  "git.fileMb": "Largest file a run can commit, in MiB.",
  "git.totalMb": "Maximum size of everything a run commits, in MiB.",
  "controlFiles.add": "More files that always wait for your review when a run changes them.",
  "controlFiles.remove": "Built-in patterns that no longer wait for your review.",
  "channels.telegram.owners": "Your Telegram user IDs.",
  "channels.telegram.botTokenEnv":
    "Variable, or line in .guildhall/secrets, that holds the bot token. Default: TELEGRAM_BOT_TOKEN.",
  "channels.telegram.apiUrl": "Bot API server. Default: https://api.telegram.org.",
  "channels.telegram.enabled": "false: the bot is off; messages are sent when it is on again.",
  "notify.url": "The http or https address that notifications are sent to.",
  "notify.secretEnv": "Variable, or line in .guildhall/secrets, that holds the signing secret.",
  "notify.slackUrl": "Address of a Slack-compatible incoming webhook. It gets notifications and briefings as text.",
  "escalations.remindHours":
    "Hours until you are reminded of an unanswered question, at most 3 while it blocks work; 0 turns reminders off.",
  "escalations.quietHours": "Hours of the day without notifications, in local time, such as 22:00-08:00.",
  "briefing.time": "Time of day at which the briefing is sent, such as 08:00. Unset: only on demand.",
  "briefing.timezone":
    "Time zone of briefing.time and of the days of briefings, such as Europe/Berlin. Default: that of the machine.",
  "briefing.summary": "true: the default model adds three sentences to the briefing that is sent. Costs tokens.",
  "orchestrator.enabled":
    "true: the orchestrator starts project agents on initiatives, in projects whose autonomy is not off.",
  "orchestrator.generate":
    "propose: the orchestrator looks for new work and asks you, or creates it where a project's autonomy is initiatives. off: never.",
  "orchestrator.maxLeads": "Project agents that the orchestrator runs at once.",
  "orchestrator.hours":
    "Time of day in which the orchestrator starts work, such as 08:00-20:00, in briefing.timezone. Unset: always.",
  "orchestrator.dailyUsd": "Dollars a day for work the orchestrator started, its own decisions included.",
  "orchestrator.staleDays": "Days after which a task that waits is stale. 0: never.",
  "orchestrator.never": "What the orchestrator may never do: lead, initiative, priority or question.",
  "orchestrator.model": "Model that orders work and words new initiatives. Default: that of the main agent.",
  "heartbeat.minutes":
    "Minutes between regular checks of the workspace: notes, clean-up, the daily briefing, and the main agent where something changed. 0 off, otherwise at least 1.",
  "permissions.hours": 'Hours that the answer "hour" to a permission request allows calls for, 1 to 8.',
  hooks: "Programs and addresses that are asked before or told after what agents do; docs/hooks.md explains them.",
  "web.userAgent": "User-Agent sent by web_fetch.",
  "web.ports": "Ports that web_fetch can connect to.",
  "web.allow": "Non-public host:port addresses that web_fetch can reach.",
  "web.search.kind": "Web search service.",
  "web.search.url": "Address of the search service; required for searxng.",
  "web.search.apiKeyEnv":
    "Variable, or line in .guildhall/secrets, that holds its key. Default: BRAVE_API_KEY or TAVILY_API_KEY.",
};
