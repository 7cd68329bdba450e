import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { fieldsAt } from "../../../test/faults/escalation-load.ts";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { ESCALATION_STATUSES, type EscalationStatus } from "../../contract/documents/escalation-status.ts";
import { type OpenHall, openHall } from "../hall/open-hall.ts";

const change = { actor: { kind: "person" as const, via: "http" as const } };
const VERSION_OF: Record<EscalationStatus, number> = { draft: 0, pending: 1, resolved: 2 };

const statuses = fc.constantFrom(...ESCALATION_STATUSES);
const which = fc.nat({ max: 20 });
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant("create" as const), to: statuses }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("change" as const), which, to: statuses }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("drag" as const), which, to: statuses }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("edit" as const), which, to: statuses }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("write" as const), to: statuses, skip: fc.nat({ max: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("break" as const), which }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), which }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constantFrom("rebuild" as const, "forget" as const, "look" as const) }),
    },
  ),
  { maxLength: 25 },
);
type Step = typeof steps extends fc.Arbitrary<(infer Each)[]> ? Each : never;

/** A workspace, and what must be true of it: each id with the words that only its file has. */
class Model {
  readonly #folder: string;
  readonly #known = new Map<string, string>();
  readonly #given: string[] = [];
  #open: OpenHall;
  #words = 0;

  private constructor(folder: string, open: OpenHall) {
    this.#folder = folder;
    this.#open = open;
  }

  static async start(): Promise<Model> {
    const folder = temporaryFolder();
    return new Model(folder, await opened(folder));
  }

  async take(step: Step): Promise<void> {
    const id = "which" in step ? [...this.#known.keys()][step.which % Math.max(1, this.#known.size)] : undefined;
    const path = id === undefined ? undefined : this.#fileOf(id);
    switch (step.do) {
      case "create": {
        const words = this.#newWords();
        const made = await this.#open.hall.escalations.create({ ...this.#fields(step.to), initiative: words }, change);
        this.#given.push(made.id);
        this.#known.set(made.id, words);
        return;
      }
      case "change":
        if (id !== undefined) await this.#change(id, step.to);
        return;
      case "drag":
        if (path !== undefined) renameSync(path, this.#at(step.to, path.split("/").at(-1) ?? ""));
        return;
      case "edit":
        if (path !== undefined)
          writeFileSync(path, readFileSync(path, "utf8").replace(/"status": "\w+"/, `"status": "${step.to}"`));
        return;
      case "break":
        if (path !== undefined) writeFileSync(path, `${readFileSync(path, "utf8")} ]`);
        return;
      case "delete":
        if (path === undefined || id === undefined) return;
        rmSync(path);
        this.#known.delete(id);
        return;
      case "write":
        return this.#writeByHand(step.to, step.skip);
      case "rebuild":
        await this.#open.hall.index.rebuild();
        return;
      case "forget":
        await this.#open.close();
        rmSync(join(this.#folder, ".guildhall/index.db"));
        this.#open = await opened(this.#folder);
        return;
      case "look":
        for (const each of this.#known.keys()) await this.#open.hall.escalations.get(each).catch(() => undefined);
    }
  }

  /** No id was given twice, no document is lost, and what is listed is what the files say. */
  async check(): Promise<void> {
    expect(new Set(this.#given).size).toBe(this.#given.length);
    const { hall } = this.#open;
    await hall.index.rebuild();
    const { escalations, invalid } = hall.escalations.list({ limit: 1_000, snoozed: true });
    const reported = invalid.map(({ file }) => join(this.#folder, file));
    for (const [id, words] of this.#known) {
      const path = this.#fileOf(id);
      expect(path, `${id} is gone`).toBeDefined();
      expect(readFileSync(path ?? "", "utf8")).toContain(`"initiative": "${words}"`);
      const listed = escalations.find((escalation) => escalation.id === id);
      if (listed === undefined) expect(reported, `${id} is neither listed nor reported`).toContain(path);
      else expect([join(this.#folder, listed.path), listed.initiative]).toEqual([path, words]);
    }
    expect(escalations.map(({ id }) => id).filter((id) => !this.#known.has(id))).toEqual([]);
    for (const { status, path } of escalations) expect(path).toContain(`/${status}/`);
    expect(await hall.events.verify()).toMatchObject({ ok: true });
  }

  close(): Promise<void> {
    return this.#open.close();
  }

  #fields(status: EscalationStatus) {
    return fieldsAt(VERSION_OF[status]);
  }

  #newWords(): string {
    this.#words++;
    return `word-${this.#words}`;
  }

  /** Refused while the file is broken. */
  async #change(id: string, to: EscalationStatus): Promise<void> {
    const edit = { type: "escalation.updated" as const };
    try {
      await this.#open.hall.escalations.change(id, (now) => ({ ...now, ...this.#fields(to) }), edit, change);
    } catch (error) {
      expect((error as { code?: string }).code).toBe("file_invalid");
    }
  }

  /** With a number that was never used. */
  #writeByHand(to: EscalationStatus, skip: number): void {
    const numbers = [...this.#given, ...this.#known.keys()].map((id) => Number(id.slice(4)));
    const id = `esc-${String(Math.max(0, ...numbers) + 1 + skip).padStart(3, "0")}`;
    const words = this.#newWords();
    this.#known.set(id, words);
    const fields = { id, question: "By hand?", initiative: words, ...(to === "resolved" && { resolution: "Yes" }) };
    writeFileSync(this.#at(to, `${id}.json`), JSON.stringify(fields, null, 2));
  }

  #at(status: EscalationStatus, name: string): string {
    return join(this.#folder, "escalations", status, name);
  }

  #fileOf(id: string): string | undefined {
    return ESCALATION_STATUSES.map((status) => this.#at(status, `${id}.json`)).find((path) => existsSync(path));
  }
}

const opened = (workspace: string) => openHall({ workspace, clock: () => new Date(), version: "0" });

it("any sequence of changes, file edits and rebuilds keeps ids unique and loses no document", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const model = await Model.start();
      try {
        for (const step of sequence) await model.take(step);
        await model.check();
      } finally {
        await model.close();
      }
    }),
    { numRuns: Number(process.env.GUILDHALL_SEQUENCES ?? 10) },
  );
}, 300_000);
