/** What a run asks of the hall, by name. */
export const RUN_QUESTIONS = {
  spawn: "spawn",
  notify: "notify",
  escalate: "escalate",
  search: "web_search",
  teamMsg: "team_msg",
  /** What does a task of the team say? */
  teamTask: "team_task",
  /** Of a member: have a subagent look at something. */
  delegate: "delegate",
  /** What should the agent know before its first turn? */
  starting: "starting",
  /** May this call be carried out? */
  permit: "permit",
  /** This call was carried out. */
  called: "called",
  /** May the run end as completed? */
  ending: "ending",
} as const;

/** What a project's process asks of the hall about folders in which commands of several projects are at work. */
export const GIT_QUESTIONS = {
  setAside: "git_set_aside",
  begin: "git_census_begin",
  end: "git_census_end",
} as const;

/** What became of a run that another one started. */
export interface ChildAnswer {
  output: string;
  failed: boolean;
  /** What it changed, relative to the working folder. */
  files: string[];
}
