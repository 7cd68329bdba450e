/** Sections of config.yml that apply at once; the others take effect after a restart. */
export const LIVE_SECTIONS = ["budget", "providers", "models", "agentTeams", "main", "memory", "knowledge"] as const;

export function isLive(key: string): boolean {
  return LIVE_SECTIONS.some((section) => key === section || key.startsWith(`${section}.`));
}

/** What each key of config.yml is for, in a sentence; docs/configuration.md tells more. */
export const SETTING_WORDS: Readonly<Record<string, string>> = {
  version: "The version of this file's form.",
  "server.host": "The address to listen on: 127.0.0.1, ::1 or localhost.",
  "server.port":
    "The port: 1024 to 65535, or 0 for any free one. Unless it is set, that of the last time is taken if it is free.",
  "server.allowNetwork": "Allows a server.host that other machines can reach.",
  providers: "Providers by name.",
  "models.default": "The model when nobody names one; else found by itself.",
  "models.offline": "true: the offline model plays every model.",
  "models.prices": "Prices and windows of models.",
  "models.contextWindow": "Prices and windows of models.",
  "main.model": "The model of the main agent; the hall's default unless set.",
  "agentTeams.enabled": "false: a rank says nothing about the model.",
  "agentTeams.modelPreset":
    "The preset of models for ranks: max-quality, balanced, cost-optimized, budget, custom, codex-balanced or codex-full.",
  "agentTeams.leadModel": "The model of that rank, whatever the preset says.",
  "agentTeams.headModel": "The model of that rank, whatever the preset says.",
  "agentTeams.workerModel": "The model of that rank, whatever the preset says.",
  "agentTeams.reviewerModel": "The model of that rank, whatever the preset says.",
  "agentTeams.escalationModel": "The model of that rank, whatever the preset says.",
  "limits.modelCalls": "Model calls at once, over all projects.",
  "limits.toolCalls": "Tool calls at once, in one project.",
  "limits.runs": "Runs at once, over all projects.",
  "limits.runsPerProject": "Runs at once, in one project.",
  "limits.turns": "Turns that a run may take.",
  "limits.spawnDepth": "How deep agents may start agents.",
  "limits.spawnsPerRun": "Agents that one run may start.",
  "limits.spawnsPerTree": "Agents that a run and all it started may start together.",
  "limits.spawnsPerMinute": "Agents that the agents of one project may start within a minute.",
  "limits.spawnsAlike": "How often a run and all it started may give one role a task of the same title.",
  "projects.parkAfterMinutes":
    "A project's process that has nothing to do ends after this time; fractions of a minute may be given.",
  "projects.suspendAfterDays": "An active project in which nothing happened for so long is suspended, 0 never.",
  "projects.heartbeatMinutes":
    "How often an active project's agent is asked to look at what changed since: 0 never, else at least 1.",
  "budget.runUsd": "US dollars that a run and all it starts may cost.",
  "budget.dayUsd": "US dollars that all runs together may cost on a day (UTC).",
  "budget.totalUsd": "US dollars that the workspace may ever cost.",
  "budget.runTokens": "Tokens, read and written, for a run and all it starts.",
  "budget.dayTokens": "Tokens for all runs together on a day.",
  "budget.totalTokens": "Tokens for the workspace.",
  "memory.reflection": "Whether the hall looks back on runs that completed a task, and keeps what may help later.",
  "memory.reflectionTokens": "Once a reflection has used so many tokens, it asks the model no more; 2000 to 100000.",
  "checkpoints.keep": "The last checkpoints of a project that are kept in any case.",
  "checkpoints.days": "Checkpoints younger than this are kept in any case.",
  "checkpoints.fileMb": "Larger files are not kept, in MiB.",
  "checkpoints.files": "Files that a checkpoint holds at most.",
  "knowledge.promptTokens": "Tokens that knowledge may take in the prompt of a run; 0 puts none in.",
  "git.authorName": "Who the commits of runs are by, as author and committer.",
  "git.authorEmail": "Their e-mail address.",
  "git.keepBranchesDays":
    "Days until the branch of a failed, stopped or superseded run is deleted; its commit stays in a hidden ref. 0 keeps branches.",
  "review.undoSeconds": "How long a discard can be undone, in seconds.",
  "git.fileMb": "The largest file a run may commit, in MiB.",
  "git.totalMb": "All files a run may commit together, in MiB.",
  "controlFiles.add": "More files that always wait for your review when a run changes them.",
  "controlFiles.remove": "Files of the default list that do not wait for your review.",
  "channels.telegram.owners": "The numbers of the Telegram users who are you.",
  "channels.telegram.botTokenEnv":
    "The name of the variable, or of the line in .guildhall/secrets of the workspace, that holds the bot's token; TELEGRAM_BOT_TOKEN unless given.",
  "channels.telegram.apiUrl": "The server of the Bot API, https://api.telegram.org unless given.",
  "channels.telegram.enabled": "false: the bot rests; what is said to you there is sent when it is woken again.",
  "notify.url": "The http or https address that notifications go to.",
  "notify.secretEnv":
    "The name of the variable, or of the line in .guildhall/secrets of the workspace, that holds the secret they are signed with.",
  "web.userAgent": "How the web is told who reads.",
  "web.ports": "The ports that web_fetch may connect to.",
  "web.allow": "A list of host:port that web_fetch may reach although they are not public.",
  "web.search.kind": "Who searches the web: searxng, brave or tavily.",
  "web.search.url": "The address of the search; needed for searxng only.",
  "web.search.apiKeyEnv":
    "The name of the variable, or of the line in .guildhall/secrets of the workspace, with its key; BRAVE_API_KEY or TAVILY_API_KEY unless given.",
};
