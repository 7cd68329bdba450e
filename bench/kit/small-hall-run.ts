import { type ChildProcess, spawn } from "node:child_process";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

interface Place {
  workspace: string;
  modelUrl: string;
  file: string;
}

/** small-hall.ts in a process of its own. */
export class SmallHall {
  readonly #process: ChildProcess;
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(process: ChildProcess, url: string) {
    this.#process = process;
    this.#url = url;
  }

  static async open({ workspace, modelUrl, file }: Place): Promise<SmallHall> {
    const script = join(import.meta.dirname, "small-hall.ts");
    const child = spawn(process.execPath, [script, modelUrl, `${workspace}-small`, file], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines = createInterface({ input: child.stdout });
    return new SmallHall(child, await new Promise((resolve) => lines.once("line", resolve)));
  }

  /** Resolves when the run is over. */
  spawn(prompt: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const sent = request(this.#url, { method: "POST", agent: this.#agent }, (answer) =>
        text(answer).then(resolve, reject),
      );
      sent.on("error", reject).end(prompt);
    });
  }

  close(): void {
    this.#agent.destroy();
    this.#process.kill();
  }
}
