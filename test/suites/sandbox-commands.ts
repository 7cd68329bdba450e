import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Sandbox } from "../../src/agent/sandbox/sandbox.ts";
import { commandFolder } from "../harness/command-folder.ts";
import { eventually } from "../harness/daemon.ts";

/** What a command finds, says and leaves. */
export function commands(sandbox: Sandbox): void {
  it("runs in the working folder; exit code, duration, output and changed files are told", async () => {
    const { run, at } = commandFolder(sandbox, { "a.txt": "a\n", "b.txt": "b\n", "c/d.txt": "d\n" });
    const { output, failed, files } = await run(
      "pwd; cat a.txt; echo more >> a.txt; rm b.txt; echo new > c/e.txt; exit 3",
    );
    expect(output).toMatch(/^Exit code 3 after \d+\.\d s\.\n/);
    expect(output).toContain(`\n${at(".").replace(/\/$/, "")}\na`);
    expect([failed, files]).toEqual([true, ["a.txt", "b.txt", "c/e.txt"]]);
    expect(readFileSync(at("a.txt"), "utf8")).toBe("a\nmore\n");
    expect(statSync(at("c/e.txt")).uid).toBe(process.getuid?.());
    expect(await run("true")).toEqual({ output: expect.stringMatching(/^Exit code 0 after .* s\.\n\(no output\)$/) });
  });

  it("is told what a program that is missing, one that is none, and a working folder that is gone come to", async () => {
    const { run, at } = commandFolder(sandbox, { "plain.txt": "text" });
    expect((await run("no-such-program")).output).toMatch(
      /^Exit code 127 \(command not found\) after .*\n.*no-such-program/,
    );
    expect((await run("./plain.txt")).output).toMatch(/^Exit code 126 \(not executable\) after/);
    rmSync(at("."), { recursive: true });
    const { output, failed } = await run("echo ran");
    expect([output, failed]).toEqual([
      `The working folder '${at(".").replace(/\/$/, "")}' does not exist. The command was not run.`,
      true,
    ]);
  });

  it("has the toolchains of PATH, /tmp, a home of its own, and none of the hall's environment", async () => {
    process.env.GUILDHALL_CANARY_KEY = "canary";
    const { said } = commandFolder(sandbox);
    const told = await said("env; cd && pwd; echo x > /tmp/x && cat /tmp/x; node -e 'console.log(6*7)'; git --version");
    delete process.env.GUILDHALL_CANARY_KEY;
    expect(told).not.toMatch(/canary|^\w*(KEY|GUILDHALL|VITEST|NODE)\w*=/m);
    expect(told).toMatch(/\n\/home\/agent\nx\n42\ngit version/);
    expect(await said("ls -A /tmp/x ~ 2>&1 | grep -v workspace")).toMatch(/No such file|cannot access/);
  });

  it("runs in a folder whatever its name, with protected files in it", async () => {
    const { above } = commandFolder(sandbox);
    const workdir = join(above, 'it\'s "odd" $HOME #1 \\040 日本');
    const { said } = commandFolder(sandbox, { ".env": "canary", ".git/info/a b'c": "own" }, { workdir });
    expect(await said("cat .env; cat .git/info/*; touch .git/x || touch y; ls -A")).toMatch(
      /^own.*\.git.*\n\.env\n\.git\ny$/s,
    );
  });

  it("is told both of its outputs in order, and finds its input at the end", async () => {
    const { said } = commandFolder(sandbox);
    expect(await said("echo one; echo two >&2; echo three; cat; echo four")).toBe("one\ntwo\nthree\nfour");
  });

  it("has an output that no terminal acts on, and binary output is not shown", async () => {
    const { said } = commandFolder(sandbox);
    expect(await said("printf 'a\\033]52;c;aGVsbG8=\\007b\\033[2J\\033[31mc\\033[0m\\n10%%\\r20%%\\rdone\\r\\n'")).toBe(
      "abc\ndone",
    );
    expect(await said("head -c 3000 /dev/zero")).toMatch(/^\(binary output, 3000 bytes;/);
  });

  it("shows both ends of a long output and keeps all of it, up to a size", async () => {
    const { said, above } = commandFolder(sandbox);
    const text = await said("seq 1 20000");
    expect(text.length).toBeLessThan(41_000);
    expect(text).toMatch(
      /^1\n2\n[\s\S]*\(… \d+ bytes omitted; read 'output:call-1' to see the full output …\)\n[\s\S]*\n20000$/,
    );
    expect(readFileSync(join(above, "outputs/call-1"), "utf8").trim().split("\n")).toHaveLength(20_000);
    const flood = await said("head -c 60000000 /dev/zero | tr '\\0' a");
    expect(flood).toContain("to see its first 16777216 bytes");
    expect(statSync(join(above, "outputs/call-2")).size).toBe(16_777_216);
  });

  it("with NUL, or empty, is refused before anything is run", async () => {
    const { run } = commandFolder(sandbox);
    expect(await run("echo a\0b")).toEqual({
      output: "The input of exec is not valid: command: must not contain NUL.",
      failed: true,
    });
    expect((await run("")).output).toContain("command: Too small");
  });

  it("is bounded in the size of a file, and in the memory of each process", async () => {
    const { said } = commandFolder(sandbox, {}, { memoryMb: 200 });
    const node = (bytes: string) => `node -e 'Buffer.alloc(${bytes}, 1); console.log("had it")' 2>&1`;
    expect(await said(node("10e6"))).toBe("had it");
    expect(await said(node("1_800e6"))).not.toContain("had it");
    expect(await said("dd if=/dev/zero of=big bs=1M seek=2048 count=1 2>&1; ls -s big")).toMatch(
      /File (size|too large)|^0 big/i,
    );
  });

  it("ends when its processes hold too much memory together, and says so; what they share counts once", async () => {
    const { run } = commandFolder(sandbox, {}, { memoryMb: 300 });
    // It keeps the end of what it reads until somebody takes it.
    const hold = "head -c 100000000 /dev/zero | tail -c 100000000 | sleep 60 &";
    const many = await run(`${hold.repeat(20)} wait`);
    expect(many.output).toMatch(
      /^Killed after \d+\.\d s, with its child processes: its processes used more than the 300 MB of memory allowed\./,
    );
    expect([many.failed, many.stopped]).toEqual([true, "memory"]);
    const sharing = commandFolder(sandbox, {}, { memoryMb: 64 });
    const shared = await sharing.run(
      `x=$(head -c 10000000 /dev/zero | tr '\\0' a); for i in 1 2 3 4 5 6 7 8 9 10; do (sleep 0.7; true) & done; wait; echo over`,
    );
    expect(shared.output).toMatch(/^Exit code 0 .*\nover$/);
  });

  it("goes on when somebody else fills the disk", async () => {
    let looks = 0;
    const roomAt = () => ({ free: looks++ === 0 ? 4e9 : 1e6, size: 8e9 });
    const { run } = commandFolder(sandbox, {}, { roomAt });
    expect((await run("sleep 0.7; echo over")).output).toMatch(/^Exit code 0 .*\nover$/);
    expect(looks).toBeGreaterThan(1);
  });

  it("shows no secret, wherever the output is cut: not to those who watch, not in what is kept, not at its ends", async () => {
    const secret = "canary-Zx81kqLw09bVnM";
    const { run, told, above, at } = commandFolder(
      sandbox,
      { half: secret.slice(0, 9), rest: secret.slice(9) },
      { secrets: [secret] },
    );
    const fifo = at("go");
    execFileSync("mkfifo", [fifo]);
    const running = run(
      "echo begun; cat half; read go < go; cat rest; echo; printf 'half\\033[0m \\n'; printf 'canary-Zx81\\033[1mkqLw09bVnM\\n'",
    );
    await eventually(told, (text) => text.includes("begun"));
    writeFileSync(fifo, "go\n");
    const split = await running;
    expect(split.output.split("\n").slice(1)).toEqual(["begun", "[secret: CANARY]", "half ", "[secret: CANARY]"]);
    expect(told()).toContain("begun\n[secret: CANARY]\n");
    // So that it lies across every place where something is cut: pieces of a pipe, the ends that are shown.
    const flood = await run(
      "i=0; while [ $i -lt 6000 ]; do printf '%s%s' $(cat half) $(cat rest); i=$((i+1)); done".replaceAll(
        "$(cat half) $(cat rest)",
        `${secret.slice(0, 9)} ${secret.slice(9)}`,
      ),
    );
    expect(flood.output).toContain("bytes omitted");
    const kept = readFileSync(join(above, "outputs/call-2"), "utf8");
    expect(kept).toBe("[secret: CANARY]".repeat(6_000));
    for (const text of [split.output, flood.output, kept, told()])
      for (const part of [secret.slice(0, 9), secret.slice(9), secret.slice(4, 14)]) expect(text).not.toContain(part);
  });

  it("in a git worktree can look at its repository; a forged worktree shows nothing", async () => {
    const { above, at, said } = commandFolder(sandbox);
    const git = (...words: string[]) =>
      execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@t", ...words], { cwd: join(above, "outside") });
    git("init", "-q", "-b", "main");
    git("add", ".");
    git("commit", "-qm", "The first");
    git("worktree", "add", "-q", at("tree"));
    const worktree = commandFolder(sandbox, {}, { workdir: at("tree") });
    const commit = "git -c user.name=T -c user.email=t@t commit --allow-empty -m x";
    expect(await worktree.said(`git log --oneline; git status --short; ${commit}`)).toMatch(
      /^\w+ The first\n.*(Read-only|Unable)/i,
    );
    writeFileSync(at(".git"), `gitdir: ${join(above, "outside/.git/worktrees/tree")}\n`);
    expect(await said(`ls ${above}/outside`)).toMatch(/No such file/);
  });

  it("sees what the project allows, and may change only what it allows", async () => {
    const { above } = commandFolder(sandbox);
    const open = commandFolder(sandbox, {}, { readable: [join(above, "outside")], writable: [] });
    expect(await open.said(`cat ${above}/outside/secret.md; echo x > ${above}/outside/new`)).toMatch(
      /^canary\n.*[Rr]ead-only/,
    );
    const writable = commandFolder(sandbox, {}, { writable: [join(above, "outside")] });
    expect(await writable.said(`echo x > ${above}/outside/new && echo wrote`)).toBe("wrote");
    expect(existsSync(join(above, "outside/new"))).toBe(true);
  });
}
