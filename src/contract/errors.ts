import { advice, type Hint, hint } from "./words/hint.ts";

/**
 * Every failure a person can meet, with its HTTP status, CLI exit code and what to do next.
 * Exit codes: 1 defect, 2 wrong usage or input, 3 not found, 4 conflict, 5 not allowed, 6 daemon away, 7 storage or configuration.
 */
export const errorTable = {
  malformed: { status: 400, exit: 2, hint: advice("Send one JSON object, encoded as UTF-8.") },
  unauthorized: {
    status: 401,
    exit: 5,
    hint: advice("Send the header 'Authorization: Bearer <token>'; the token is in .guildhall/token of the workspace."),
  },
  link_refused: { status: 403, exit: 5, hint: hint("browser-link") },
  forbidden: { status: 403, exit: 5, hint: advice("Call the API from the same machine and origin.") },
  pair_refused: { status: 409, exit: 5, hint: advice("Set server.publicUrl to an https:// address.") },
  plain_http: {
    status: 403,
    exit: 5,
    hint: advice("Use an https:// address: set server.tls, or put a reverse proxy with a certificate in front."),
  },
  path_refused: {
    status: 403,
    exit: 5,
    hint: advice("Use a relative path inside the project, without '..', links or reserved names."),
  },
  route_not_found: { status: 404, exit: 3, hint: advice("See /api/docs for the endpoints.") },
  role_not_found: { status: 404, exit: 3, hint: hint("role-list") },
  template_not_found: { status: 404, exit: 3, hint: hint("role-templates") },
  project_not_found: { status: 404, exit: 3, hint: hint("project-list") },
  assignment_not_found: { status: 404, exit: 3, hint: hint("project-team") },
  task_not_found: { status: 404, exit: 3, hint: hint("task-list") },
  run_not_found: { status: 404, exit: 3, hint: hint("run-list") },
  checkpoint_not_found: {
    status: 404,
    exit: 3,
    hint: hint("checkpoint-list"),
  },
  statement_not_found: {
    status: 404,
    exit: 3,
    hint: hint("knowledge-list"),
  },
  provider_not_found: { status: 404, exit: 3, hint: hint("provider-list") },
  skill_not_found: {
    status: 404,
    exit: 3,
    hint: hint("skill-list"),
  },
  file_not_found: {
    status: 404,
    exit: 3,
    hint: hint("project-files"),
  },
  device_not_found: { status: 404, exit: 3, hint: hint("device-list") },
  escalation_not_found: { status: 404, exit: 3, hint: hint("escalation-list") },
  team_not_found: { status: 404, exit: 3, hint: hint("team-list") },
  team_refused: { status: 409, exit: 5, hint: hint("team-list") },
  message_not_found: { status: 404, exit: 3, hint: hint("team-messages") },
  message_limit: { status: 429, exit: 4, hint: advice("Send fewer messages, or retry in some minutes.") },
  message_ping_pong: { status: 409, exit: 4, hint: advice("Continue with the task instead of answering.") },
  mailbox_full: { status: 409, exit: 4, hint: hint("team-messages") },
  talk_refused: {
    status: 403,
    exit: 5,
    hint: advice("Report to the lead. A role-spec allows talk between members with 'talk' under message_types."),
  },
  memory_conflict: { status: 409, exit: 4, hint: advice("Read the key again, and send its etag.") },
  gate_not_found: { status: 404, exit: 3, hint: hint("gate-list") },
  gate_refused: { status: 409, exit: 4, hint: advice("See the message for what to do first.") },
  finding_not_found: { status: 404, exit: 3, hint: advice("See the gate report for its findings.") },
  grant_not_found: { status: 404, exit: 3, hint: hint("grant-list") },
  rule_not_found: { status: 404, exit: 3, hint: hint("rule-list") },
  hook_not_found: { status: 404, exit: 3, hint: hint("hook-list") },
  initiative_not_found: { status: 404, exit: 3, hint: hint("initiative-list") },
  lead_refused: { status: 409, exit: 4, hint: hint("initiative-list") },
  trigger_not_found: { status: 404, exit: 3, hint: hint("trigger-list") },
  orchestrator_refused: { status: 409, exit: 4, hint: hint("orchestrator-show") },
  trigger_refused: { status: 409, exit: 4, hint: hint("trigger-list") },
  signature_refused: {
    status: 401,
    exit: 5,
    hint: advice("Sign the request with the secret of this trigger; docs/triggers.md describes the headers."),
  },
  too_many_requests: { status: 429, exit: 4, hint: advice("Retry after the time in the header Retry-After.") },
  clone_not_found: { status: 404, exit: 3, hint: advice("Start a new clone.") },
  method_not_allowed: { status: 405, exit: 2, hint: advice("See /api/docs for the methods of this path.") },
  already_exists: { status: 409, exit: 4, hint: advice("Choose another id.") },
  role_assigned: {
    status: 409,
    exit: 4,
    hint: hint("role-unassign"),
  },
  illegal_move: { status: 409, exit: 4, hint: advice("Use one of the statuses listed.") },
  dependency_cycle: { status: 409, exit: 4, hint: advice("Remove one of the dependencies listed.") },
  project_closed: {
    status: 409,
    exit: 4,
    hint: hint("project-reopen"),
  },
  run_ended: { status: 409, exit: 4, hint: hint("run-retry") },
  spawn_refused: {
    status: 409,
    exit: 4,
    hint: advice("Raise this limit in config.yml, or let the agent do the work itself."),
  },
  workdir_missing: {
    status: 409,
    exit: 4,
    hint: hint("project-workdir"),
  },
  workdir_changed: {
    status: 409,
    exit: 4,
    hint: hint("project-folder"),
  },
  folder_busy: {
    status: 409,
    exit: 4,
    hint: hint("run-cancel"),
  },
  repository_refused: {
    status: 409,
    exit: 4,
    hint: advice("Check out a branch with a commit, or name one with 'branch' in the project's config."),
  },
  repository_damaged: {
    status: 409,
    exit: 4,
    hint: hint("doctor-repository"),
  },
  clone_failed: { status: 409, exit: 4, hint: advice("Check the address, then retry.") },
  repository_empty: { status: 409, exit: 4, hint: hint("project-first-commit") },
  diff_changed: { status: 409, exit: 4, hint: hint("run-diff") },
  merge_refused: { status: 409, exit: 4, hint: advice("Commit or stash the changes named, or request changes.") },
  file_invalid: {
    status: 409,
    exit: 4,
    hint: advice("Fix the file; it reloads on save."),
  },
  restart_refused: { status: 409, exit: 4, hint: hint("daemon-restart-by-hand") },
  key_in_environment: {
    status: 409,
    exit: 4,
    hint: advice("Change the environment the daemon is started with, then restart it."),
  },
  escalation_resolved: {
    status: 409,
    exit: 4,
    hint: advice(
      "The answer shown is in effect. Undo it while that is possible, or record a new decision that replaces it.",
    ),
  },
  hook_refused: { status: 409, exit: 4, hint: advice("Change the request, or disable the hook if it is wrong.") },
  escalation_refused: { status: 409, exit: 4, hint: hint("escalation-list") },
  idempotency_mismatch: { status: 409, exit: 4, hint: advice("Use a new Idempotency-Key for a different request.") },
  version_mismatch: {
    status: 412,
    exit: 4,
    hint: advice("Read the document again, apply your change to it and retry."),
  },
  too_large: { status: 413, exit: 2, hint: advice("Send a smaller request.") },
  unsupported_type: { status: 415, exit: 2, hint: advice("Send 'Content-Type: application/json'.") },
  wrong_host: { status: 421, exit: 5, hint: hint("hall-address") },
  invalid: { status: 422, exit: 2, hint: advice("Correct these fields.") },
  key_rejected: {
    status: 422,
    exit: 5,
    hint: advice(
      "Copy the whole key again, or create a new one on the provider's page: it may be wrong, revoked or expired.",
    ),
  },
  key_untested: {
    status: 422,
    exit: 4,
    hint: advice("Check the address and try again, or save the key without a test."),
  },
  key_required: { status: 422, exit: 2, hint: advice("Paste the key as well.") },
  key_mismatch: { status: 422, exit: 2, hint: advice("Choose the provider that the key belongs to.") },
  confirmation_required: { status: 409, exit: 4, hint: advice("List the changed settings in 'confirm'.") },
  internal: {
    status: 500,
    exit: 1,
    hint: advice("This is a bug. The daemon's log has the details under the request id."),
  },
  stopping: { status: 503, exit: 6, hint: advice("Retry when the daemon is running.") },
  storage_failed: {
    status: 503,
    exit: 7,
    hint: advice("Nothing was changed. Check free space and permissions of the workspace, then retry."),
  },
  usage: { status: 400, exit: 2, hint: advice("See --help.") },
  daemon_unreachable: { status: 503, exit: 6, hint: hint("daemon-start") },
  workspace_busy: {
    status: 409,
    exit: 4,
    hint: hint("daemon-stop"),
  },
  workspace_refused: {
    status: 422,
    exit: 7,
    hint: advice("Choose another folder with --workspace or GUILDHALL_WORKSPACE."),
  },
  newer_format: {
    status: 409,
    exit: 7,
    hint: advice("Install a newer version of Guildhall. Nothing was changed."),
  },
  port_taken: { status: 409, exit: 7, hint: advice("Choose another port with --port, or server.port in config.yml.") },
  service_failed: { status: 503, exit: 7, hint: hint("daemon-start") },
  config_invalid: { status: 422, exit: 7, hint: advice("Correct config.yml; docs/configuration.md lists every key.") },
} as const satisfies Record<string, { status: number; exit: number; hint: Hint }>;

export type ErrorCode = keyof typeof errorTable;

export interface ErrorPlace {
  file?: string | undefined;
  line?: number | undefined;
  /** What to do about it, where the table has nothing better; a sentence without a command may be given as it is. */
  hint?: Hint | string | undefined;
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
  readonly hint: Hint;
  readonly retryable: boolean;
  readonly changed: "no" | "unknown";

  constructor(code: ErrorCode, message: string, place: ErrorPlace = {}) {
    super(message);
    this.name = "HallError";
    this.code = code;
    this.file = place.file;
    this.line = place.line;
    this.hint = typeof place.hint === "string" ? advice(place.hint) : (place.hint ?? errorTable[code].hint);
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
