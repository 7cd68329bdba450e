import type { RoleCreate } from "../../contract/documents/role.ts";
import { HallError } from "../../contract/errors.ts";
import type { RoleImport } from "../../contract/routes/role-file-routes.ts";
import type { Models } from "../../models/open-models.ts";
import { FAMILIES } from "../../models/presets.ts";
import type { Change } from "../../workspace/change.ts";
import type { Hall, RoleView } from "../../workspace/hall/hall.ts";
import { parseAgentFile, renderAgentFile } from "../../workspace/roles/agent-file.ts";
import { roleIdFrom } from "../../workspace/roles/role-rules.ts";

/** Roles from and to the files in which other tools keep their agents. */
export class RoleExchange {
  readonly #roles: Hall["roles"];
  readonly #whyNot: Models["whyNot"];

  constructor(roles: Hall["roles"], whyNot: Models["whyNot"]) {
    this.#roles = roles;
    this.#whyNot = whyNot;
  }

  async import(body: RoleImport, change: Change): Promise<{ role: RoleView; notes: string[] }> {
    const { id: own, role, notes } = this.read(body.text);
    const id = body.id ?? own;
    if (id === undefined) throw new HallError("invalid", "id: is required, because the name can't be turned into one.");
    return { role: await this.#save(id, role, { replace: body.replace, change }), notes };
  }

  /** What such a file says. `id`: undefined where its name can't be turned into one. Throws with the line what can't be read. */
  read(text: string): { id: string | undefined; role: RoleCreate; notes: string[] } {
    const outcome = parseAgentFile(text);
    if (!outcome.ok)
      throw new HallError("invalid", `text: line ${outcome.line}: ${outcome.reason}.`, { line: outcome.line });
    const { name, role, model, notes } = outcome.file;
    const id = roleIdFrom(name);
    if (model === undefined) return { id, role, notes };
    const { model: chosen, note } = this.#model(model);
    return { id, role: { ...role, modelConfig: { model: chosen } }, notes: [notes, note ?? []].flat() };
  }

  export(id: string): { name: string; text: string; notes: string[] } {
    return { name: `${id}.md`, ...renderAgentFile(this.#roles.get(id)) };
  }

  #save(id: string, role: RoleCreate, how: { replace: boolean; change: Change }) {
    if (how.replace && this.#isThere(id)) return this.#roles.update(id, role, how.change);
    return this.#roles.create({ ...role, id }, how.change);
  }

  #isThere(id: string): boolean {
    try {
      this.#roles.get(id);
      return true;
    } catch (error) {
      if (error instanceof HallError && error.code === "role_not_found") return false;
      throw error;
    }
  }

  /** What cannot be asked in this hall is left to its default. */
  #model(named: string): { model: string; note?: string } {
    if (named === "inherit" || named === "") return { model: "default" };
    const full = Object.hasOwn(FAMILIES, named)
      ? (FAMILIES[named] ?? named)
      : named.includes("/")
        ? named
        : `anthropic/${named}`;
    const reason = this.#whyNot(full);
    if (reason === undefined) return { model: full };
    return { model: "default", note: `The default model is used instead of '${named}': ${reason}` };
  }
}
