/**
 * Every failure a person can meet, with its HTTP status, CLI exit code and what to do next.
 * Exit codes: 1 defect, 2 wrong usage or input, 3 not found, 4 conflict, 5 not allowed, 6 daemon away, 7 storage or configuration.
 */
export const errorTable = {
  malformed: { status: 400, exit: 2, hint: "Send one JSON object, encoded as UTF-8." },
  unauthorized: {
    status: 401,
    exit: 5,
    hint: "Send the header 'Authorization: Bearer <token>'; the token is in .guildhall/token of the workspace.",
  },
  link_refused: { status: 403, exit: 5, hint: "Run 'guildhall open' for a new link." },
  forbidden: { status: 403, exit: 5, hint: "Call the API from the same machine and origin." },
  path_refused: {
    status: 403,
    exit: 5,
    hint: "Give a relative path inside the project, without '..', links or reserved names.",
  },
  route_not_found: { status: 404, exit: 3, hint: "See /api/docs for the endpoints." },
  role_not_found: { status: 404, exit: 3, hint: "List the roles with 'guildhall role list'." },
  template_not_found: { status: 404, exit: 3, hint: "List the templates with 'guildhall role templates'." },
  project_not_found: { status: 404, exit: 3, hint: "List the projects with 'guildhall project list'." },
  assignment_not_found: { status: 404, exit: 3, hint: "List the team with 'guildhall project team <project>'." },
  task_not_found: { status: 404, exit: 3, hint: "List the tasks with 'guildhall task list -p <project>'." },
  run_not_found: { status: 404, exit: 3, hint: "List the runs with 'guildhall run list'." },
  checkpoint_not_found: {
    status: 404,
    exit: 3,
    hint: "List them with 'guildhall checkpoint list -p <project>'.",
  },
  statement_not_found: {
    status: 404,
    exit: 3,
    hint: "List the statements with 'guildhall knowledge list'.",
  },
  skill_not_found: {
    status: 404,
    exit: 3,
    hint: "List them with 'guildhall skill list', and those of a project with -p <project>.",
  },
  file_not_found: {
    status: 404,
    exit: 3,
    hint: "The project's files are listed by 'guildhall project show <project>'.",
  },
  method_not_allowed: { status: 405, exit: 2, hint: "See /api/docs for the methods of this path." },
  already_exists: { status: 409, exit: 4, hint: "Choose another id." },
  role_assigned: {
    status: 409,
    exit: 4,
    hint: "Unassign it first with 'guildhall role unassign <role> -p <project>'.",
  },
  illegal_move: { status: 409, exit: 4, hint: "Move it to one of the statuses named." },
  dependency_cycle: { status: 409, exit: 4, hint: "Remove one of the dependencies named." },
  project_closed: {
    status: 409,
    exit: 4,
    hint: "Reopen a completed project with 'guildhall project reopen <project>'; an archived one is final.",
  },
  run_ended: { status: 409, exit: 4, hint: "Start it again with 'guildhall run retry <run>'." },
  spawn_refused: {
    status: 409,
    exit: 4,
    hint: "Raise the limit named in config.yml, or let the agent do the work itself.",
  },
  workdir_missing: {
    status: 409,
    exit: 4,
    hint: "Make the folder, or name another with 'guildhall project edit <project> --workdir <folder>'.",
  },
  workdir_changed: {
    status: 409,
    exit: 4,
    hint: "Look at it with 'guildhall project folder <project>', and confirm it there if it is right.",
  },
  folder_busy: {
    status: 409,
    exit: 4,
    hint: "Wait for the run named, or cancel it with 'guildhall run cancel <run>'.",
  },
  repository_refused: {
    status: 409,
    exit: 4,
    hint: "Check out a branch with a commit, or name one with 'branch' in the project's config.",
  },
  repository_damaged: {
    status: 409,
    exit: 4,
    hint: "Repair the repository; 'guildhall doctor' says what is damaged and what helps.",
  },
  diff_changed: { status: 409, exit: 4, hint: "Look at it again with 'guildhall run diff <run>'." },
  merge_refused: { status: 409, exit: 4, hint: "Commit or put away what is named, or send the run back." },
  file_invalid: { status: 409, exit: 4, hint: "Mend the file by hand; it is read again as soon as it is saved." },
  idempotency_mismatch: { status: 409, exit: 4, hint: "Use a new Idempotency-Key for a different request." },
  version_mismatch: { status: 412, exit: 4, hint: "Read the document again, apply your change to it and retry." },
  too_large: { status: 413, exit: 2, hint: "Send less at once." },
  unsupported_type: { status: 415, exit: 2, hint: "Send 'Content-Type: application/json'." },
  wrong_host: { status: 421, exit: 5, hint: "Use the address that 'guildhall status' shows." },
  invalid: { status: 422, exit: 2, hint: "Correct the fields named." },
  internal: { status: 500, exit: 1, hint: "This is a defect; the daemon's log has the request id." },
  stopping: { status: 503, exit: 6, hint: "Try again when the daemon is up." },
  storage_failed: {
    status: 503,
    exit: 7,
    hint: "Nothing was changed. Check free space and permissions of the workspace, then retry.",
  },
  usage: { status: 400, exit: 2, hint: "See --help." },
  daemon_unreachable: { status: 503, exit: 6, hint: "Start it with 'guildhall up'." },
  workspace_busy: {
    status: 409,
    exit: 4,
    hint: "Stop the other daemon with 'guildhall down', or use another --workspace.",
  },
  workspace_refused: { status: 422, exit: 7, hint: "Choose another folder with --workspace or GUILDHALL_WORKSPACE." },
  port_taken: { status: 409, exit: 7, hint: "Choose another port with --port, or server.port in config.yml." },
  config_invalid: { status: 422, exit: 7, hint: "Correct config.yml; docs/configuration.md lists every key." },
} as const satisfies Record<string, { status: number; exit: number; hint: string }>;

export type ErrorCode = keyof typeof errorTable;

export interface ErrorPlace {
  file?: string | undefined;
  line?: number | undefined;
  hint?: string | undefined;
  /** The daemon is already recovering: the same request will work in a moment. */
  retryable?: boolean | undefined;
  /** Of a failed change: whether something of it may be there all the same. Unless said, nothing is. */
  changed?: "no" | "unknown" | undefined;
}

/** The one error of the house: a refused request or a failure the person can act on. Anything else thrown is a defect. */
export class HallError extends Error {
  readonly code: ErrorCode;
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly hint: string;
  readonly retryable: boolean;
  readonly changed: "no" | "unknown";

  constructor(code: ErrorCode, message: string, place: ErrorPlace = {}) {
    super(message);
    this.name = "HallError";
    this.code = code;
    this.file = place.file;
    this.line = place.line;
    this.hint = place.hint ?? errorTable[code].hint;
    this.retryable = place.retryable ?? false;
    this.changed = place.changed ?? "no";
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  get exit(): number {
    return errorTable[this.code].exit;
  }
}
