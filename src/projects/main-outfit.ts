import { randomBytes } from "node:crypto";
import { memoryIndex } from "../agent/memory-index.ts";
import { availableSkills, SkillShelf } from "../agent/skills/skill-shelf.ts";
import { useSkillTool } from "../agent/skills/use-skill-tool.ts";
import type { Tool } from "../agent/tool.ts";
import { lookingTools } from "../agent/tools/file-tools.ts";
import { hallKnowledgeTools } from "../agent/tools/knowledge-tools.ts";
import { memoryTools } from "../agent/tools/memory-tools.ts";
import { sessionArchiveTool } from "../agent/tools/session-archive-tool.ts";
import type { SessionMessage } from "../contract/session.ts";
import { mainKnowledge } from "../runs/knowledge-questions.ts";
import { Files } from "../store/files.ts";
import type { Redactor } from "../store/redaction.ts";
import type { Core } from "../workspace/core.ts";
import type { Hall } from "../workspace/hall.ts";
import { assertPersonSpeaks, type MainDesk } from "./main-desk.ts";
import { mainTools } from "./main-tools.ts";
import { NO_SCRIPTS, type PromptPart, SKILL_TOKENS, skillsFor } from "./resident-prompts.ts";

const KNOWLEDGE_TOKENS = 2_000;
const MEMORY_TOKENS = 1_500;

interface Parts {
  core: Core;
  hall: Hall;
  desk: MainDesk;
  redactor: Redactor;
}

/** What the main agent has at hand, and what it is told of the hall as it is now. */
export class MainOutfit {
  readonly #parts: Parts;
  /** The workspace, of which it writes its memory and reads everything but what is secret. */
  readonly #files: Files;
  readonly #lasting: Tool[];
  readonly #skill: Tool;

  constructor(parts: Parts) {
    const { core, redactor } = parts;
    const { root } = core.files;
    this.#parts = parts;
    this.#files = new Files(root, "private", "refused");
    const hasProject = (id: string) => core.index.projects.status(id) !== undefined;
    const redact = (text: string) => redactor.text(text);
    this.#lasting = [
      ...lookingTools(this.#files),
      ...memoryTools({ files: this.#files, clock: core.clock, redact, hasProject }),
      sessionArchiveTool(this.#files),
    ];
    const nextMark = () => randomBytes(6).toString("hex");
    const shelf = new SkillShelf({ workspace: root });
    this.#skill = useSkillTool({ shelf, nextMark, scriptsIn: () => NO_SCRIPTS });
  }

  /** What it may do depends on who speaks. */
  toolsFor(message: SessionMessage): Tool[] {
    const { hall, desk } = this.#parts;
    const mayWrite = () => assertPersonSpeaks(message, "write what holds for all projects");
    return [
      ...mainTools(desk, message),
      ...this.#lasting,
      ...hallKnowledgeTools(mainKnowledge(hall.knowledge, mayWrite)),
      ...(availableSkills({ workspace: this.#files.root }).length === 0 ? [] : [this.#skill]),
    ];
  }

  promptParts(contextWindow: number): PromptPart[] {
    const { hall, desk } = this.#parts;
    const files = this.#files;
    const text = (path: string) => (files.exists(path) ? files.text(path) : "");
    return [
      { heading: "Who you are (IDENTITY.md)", text: text("IDENTITY.md"), tokens: 2_000 },
      { heading: "Whom you work for (USER.md)", text: text("USER.md"), tokens: 2_000 },
      { heading: "Across all projects (MEMORY.md)", text: text("MEMORY.md"), tokens: 3_000 },
      { heading: "Knowledge", text: hall.knowledge.index(undefined, KNOWLEDGE_TOKENS), tokens: 3_000 },
      { heading: "Your memory (memory/)", text: memoryIndex(files, MEMORY_TOKENS), tokens: 2 * MEMORY_TOKENS },
      { heading: "Projects", text: desk.listProjects(undefined), tokens: 4_000 },
      { heading: "Skills", text: skillsFor({ workspace: files.root }, contextWindow), tokens: SKILL_TOKENS },
    ];
  }
}
