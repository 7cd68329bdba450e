/** Sections of config.yml that apply at once; the others take effect after a restart. */
export const LIVE_SECTIONS = ["budget", "providers", "models", "agentTeams", "main", "memory", "knowledge"] as const;

export function isLive(key: string): boolean {
  return LIVE_SECTIONS.some((section) => key === section || key.startsWith(`${section}.`));
}

/** What each key of config.yml is for, in a sentence; docs/configuration.md tells more. */
export const SETTING_WORDS: Readonly<Record<string, string>> = {
  version: "Format version of this file.",
  "server.host": "Address to listen on: 127.0.0.1, ::1 or localhost.",
  "server.port": "Port: 1024 to 65535, or 0 for any free port. When unset, the last port is reused if it is free.",
  "server.allowNetwork": "Allows a server.host that other machines can reach.",
  providers: "Providers by name.",
  "models.default": "Default model. Auto-detected when unset.",
  "models.offline": "Use the offline model for every call.",
  "models.prices": "Prices and context windows of models.",
  "models.contextWindow": "Prices and context windows of models.",
  "main.model": "Model of the main agent. Defaults to the default model.",
  "agentTeams.enabled": "Choose models by rank. When false, ranks don't affect the model.",
  "agentTeams.modelPreset":
    "Model preset for ranks: max-quality, balanced, cost-optimized, budget, custom, codex-balanced or codex-full.",
  "agentTeams.leadModel": "Model for this rank. Overrides the preset.",
  "agentTeams.headModel": "Model for this rank. Overrides the preset.",
  "agentTeams.workerModel": "Model for this rank. Overrides the preset.",
  "agentTeams.reviewerModel": "Model for this rank. Overrides the preset.",
  "agentTeams.escalationModel": "Model for this rank. Overrides the preset.",
  "limits.modelCalls": "Concurrent model calls, all projects.",
  "limits.toolCalls": "Concurrent tool calls per project.",
  "limits.runs": "Concurrent runs, all projects.",
  "limits.runsPerProject": "Concurrent runs per project.",
  "limits.turns": "Maximum turns per run.",
  "limits.spawnDepth": "Maximum depth of sub-agents.",
  "limits.spawnsPerRun": "Maximum sub-agents per run.",
  "limits.spawnsPerTree": "Maximum sub-agents per run, including those of its sub-agents.",
  "limits.spawnsPerMinute": "Maximum sub-agents started per project and minute.",
  "limits.spawnsAlike": "Maximum sub-agents with the same role and title per run, including those of its sub-agents.",
  "projects.parkAfterMinutes": "Minutes until an idle project's process ends. Fractions are allowed.",
  "projects.suspendAfterDays": "Days of inactivity until a project is suspended. 0: never.",
  "projects.heartbeatMinutes":
    "Interval at which the agent of an active project checks for changes. 0: never, else at least 1.",
  "budget.runUsd": "Limit in US dollars per run, including sub-agents.",
  "budget.dayUsd": "Limit in US dollars per day (UTC), all runs.",
  "budget.totalUsd": "Lifetime limit in US dollars.",
  "budget.runTokens": "Limit in tokens, input and output, per run, including sub-agents.",
  "budget.dayTokens": "Limit in tokens per day, all runs.",
  "budget.totalTokens": "Lifetime limit in tokens.",
  "memory.reflection": "Reflect on completed runs, and save what helps later ones.",
  "memory.reflectionTokens": "Token limit of a reflection; 2000 to 100000.",
  "checkpoints.keep": "Number of latest checkpoints to keep per project.",
  "checkpoints.days": "Checkpoints newer than this are kept.",
  "checkpoints.fileMb": "Maximum file size in checkpoints, in MiB.",
  "checkpoints.files": "Maximum number of files in a checkpoint.",
  "knowledge.promptTokens": "Token limit for knowledge in a run's prompt. 0: none.",
  "git.authorName": "Author and committer name of runs' commits.",
  "git.authorEmail": "Author and committer email of runs' commits.",
  "git.keepBranchesDays":
    "Days until the branch of a failed, stopped or superseded run is deleted; its commit stays in a hidden ref. 0 keeps branches.",
  "review.undoSeconds": "How long a discard can be undone, in seconds.",
  "git.fileMb": "Maximum size of a committed file, in MiB.",
  "git.totalMb": "Maximum total size of committed files, in MiB.",
  "controlFiles.add": "Additional files whose changes always need your review.",
  "controlFiles.remove": "Files of the default list whose changes need no review.",
  "channels.telegram.owners": "Your Telegram user IDs.",
  "channels.telegram.botTokenEnv":
    "Environment variable, or name in .guildhall/secrets, with the bot token. Default: TELEGRAM_BOT_TOKEN.",
  "channels.telegram.apiUrl": "Bot API server. Default: https://api.telegram.org.",
  "channels.telegram.enabled": "Set to false to pause the bot. Queued messages are sent when it is enabled again.",
  "notify.url": "URL that receives notifications (http or https).",
  "notify.secretEnv": "Environment variable, or name in .guildhall/secrets, with the signing secret.",
  "web.userAgent": "User-Agent sent by web_fetch.",
  "web.ports": "Ports that web_fetch may connect to.",
  "web.allow": "Private hosts (host:port) that web_fetch may reach.",
  "web.search.kind": "Search service: searxng, brave or tavily.",
  "web.search.url": "URL of the search service. Required for searxng only.",
  "web.search.apiKeyEnv":
    "Environment variable, or name in .guildhall/secrets, with its key. Default: BRAVE_API_KEY or TAVILY_API_KEY.",
};
