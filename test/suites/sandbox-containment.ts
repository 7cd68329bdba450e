import { type StdioOptions, spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type ListenOptions } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { plainOrder } from "../../src/agent/sandbox/probe.ts";
import type { Sandbox } from "../../src/agent/sandbox/sandbox.ts";
import { commandFolder } from "../harness/command-folder.ts";

/** What a command must not reach. */
export function containment(sandbox: Sandbox): void {
  it("reads and writes nothing outside: other projects, the token, homes, the machine [S0-SEC-02]", async () => {
    const { run, said, above } = commandFolder(sandbox);
    const places = ["../other/secret.md", "../../.guildhall/token", `${above}/outside/secret.md`, "/etc/shadow"];
    for (const place of places) {
      const { output } = await run(`cat ${place}; echo by-agent >> ${place}`);
      expect(output, place).toMatch(/No such file|nonexistent/);
      expect(output).not.toContain("canary");
    }
    expect(await said("ls /root/.ssh /root/.bashrc /home/*/.ssh /var/run/docker.sock /sys /boot 2>/dev/null")).toBe(
      "(no output)",
    );
    await run("rm -rf /etc /home ~ ../* /usr/bin/env; echo evil >> ~/.bashrc");
    expect(existsSync("/usr/bin/env")).toBe(true);
    expect(readFileSync(join(above, "workspace/projects/other/secret.md"), "utf8")).toBe("canary\n");
    expect(readFileSync(join(above, "outside/secret.md"), "utf8")).toBe("canary\n");
    expect(readdirSync(join(above, "workspace")).sort()).toEqual([".guildhall", "projects"]);
  });

  it("finds env files and others with secrets empty, however deep, and cannot uncover them [S0-SEC-03]", async () => {
    const files = {
      ".env": "canary",
      "app/.env.local": "canary",
      "keys/id_rsa": "canary",
      "conf/own.txt": "canary",
      ".ssh/x": "canary",
    };
    const { run, at } = commandFolder(sandbox, { ...files, "linked.txt": "canary" }, { envFiles: ["conf/own.txt"] });
    symlinkSync("linked.txt", at(".env.link"));
    const { output } = await run(
      "cat .env app/.env.local keys/id_rsa conf/own.txt .env.link linked.txt .ssh/x; mv .env e; umount .env; cat e; ln .env f; cat f; cp -r app copy; cat copy/.env.local; grep -r canary .; tar c . | grep -a canary; rm -f .env; cat .env",
    );
    expect(output).not.toMatch(/canary(?!.*(Permission|cannot|such))/);
    for (const [path, content] of Object.entries(files)) expect(readFileSync(at(path), "utf8")).toBe(content);
  });

  it("finds them empty also after it moved them, hid them among others, or by another name [S0-SEC-03]", async () => {
    const { above, run, said, at } = commandFolder(sandbox, { "app/.env": "canary", "lib/server.key": "canary" });
    linkSync(at("app/.env"), at("app/notes.txt"));
    linkSync(at("lib/server.key"), at("copy.txt"));
    expect(await said("cat app/notes.txt copy.txt")).toBe("(no output)");
    await run("mkdir -p node_modules/x target; mv app node_modules/x/; mv lib target/");
    expect(await said("cat node_modules/x/app/.env target/lib/server.key; grep -r canary . ; echo over")).toBe("over");
    writeFileSync(join(above, "outside/.env"), "canary");
    const readable = commandFolder(sandbox, {}, { readable: [join(above, "outside")] });
    expect(await readable.said(`cat ${above}/outside/.env; echo over`)).toBe("over");
    const writable = commandFolder(sandbox, {}, { writable: [join(above, "outside")] });
    expect(await writable.said(`cat ${above}/outside/.env; mv ${above}/outside/.env x; echo over`)).toMatch(
      /^mv.*\nover$/,
    );
  });

  it("has no variable of the hall's but language and time zone", async () => {
    const hostile = [
      "NODE_OPTIONS",
      "SSH_AUTH_SOCK",
      "GIT_DIR",
      "LD_PRELOAD",
      "DBUS_SESSION_BUS_ADDRESS",
      "XDG_RUNTIME_DIR",
    ];
    const before = hostile.map((name) => [name, process.env[name]] as const);
    for (const name of hostile) process.env[name] = "/nowhere/canary";
    const { said } = commandFolder(sandbox);
    const told = await said("env").finally(() => {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    });
    const names = told.split("\n").map((line) => line.split("=")[0] ?? "");
    const allowed = [
      "CI",
      "HOME",
      "LANG",
      "LC_ALL",
      "LOGNAME",
      "PATH",
      "PWD",
      "OLDPWD",
      "SHLVL",
      "TERM",
      "TMPDIR",
      "TZ",
      "USER",
      "_",
    ];
    expect(names.filter((name) => !allowed.includes(name))).toEqual([]);
    expect(told).not.toContain("canary");
  });

  it("finds nothing open that the hall was started with, nor a terminal", async () => {
    const { above, at } = commandFolder(sandbox);
    const src = join(import.meta.dirname, "../../src/agent/sandbox");
    const command = "cat /proc/self/fd/30; ls -l /proc/self/fd; test -c /dev/tty && (: > /dev/tty) && echo terminal";
    const order = plainOrder(sandbox, { command, workdir: at(".") });
    const script = [
      `import { start } from "${src}/launch.ts"; import { sandboxNamed } from "${src}/probe.ts";`,
      `const order = ${JSON.stringify(order)};`,
      `await start(sandboxNamed(order.policy.name), order, (chunk) => process.stdout.write(chunk)).done;`,
    ].join("\n");
    const secret = openSync(join(above, "outside/secret.md"), "r");
    onTestFinished(() => closeSync(secret));
    const stdio = Array.from({ length: 31 }, (_, fd) => (fd === 1 ? "pipe" : fd === 30 ? secret : "ignore"));
    const told = (program: string, ...words: string[]) =>
      spawnSync(program, words, { encoding: "utf8", stdio: stdio as StdioOptions }).stdout;
    expect(told("sh", "-c", "cat /proc/self/fd/30")).toBe("canary\n");
    const inside = told(process.execPath, "--input-type=module", "-e", script);
    expect(inside).toMatch(/ 30 -> \/dev\/null/);
    expect(inside).not.toMatch(/canary|secret\.md|terminal/);
  });

  it("cannot write what steers git, the hall or other tools", async () => {
    const files = {
      ".git/hooks/pre-commit": "own",
      ".git/config": "own",
      "PROJECT.md": "own",
      "TASKS/todo/x.md": "own",
      ".gitattributes": "own",
      "runs/index.jsonl": "own",
    };
    const { run, at } = commandFolder(sandbox, files);
    const { files: changed } = await run(
      `for f in ${Object.keys(files).join(" ")}; do echo evil > $f; rm -f $f; mv $f x; done; echo evil > .git/hooks/post-checkout; mv .git old; rm -rf TASKS; git config filter.evil.clean evil`,
    );
    // A copy is anybody's to make.
    expect(changed).toEqual(["x"]);
    for (const [path, content] of Object.entries(files)) expect(readFileSync(at(path), "utf8")).toBe(content);
    expect(existsSync(at(".git/hooks/post-checkout"))).toBe(false);
  });

  it("reaches no server of the machine, by TCP, by a socket file or by an abstract name", async () => {
    const { said, above } = commandFolder(sandbox);
    let visitors = 0;
    const listen = (options: ListenOptions) =>
      new Promise<number>((resolve) => {
        const server = createServer((socket) => {
          visitors++;
          socket.end();
        });
        onTestFinished(() => void server.close());
        server.listen(options, () => {
          const address = server.address();
          resolve(typeof address === "object" && address !== null ? address.port : 0);
        });
      });
    const port = await listen({ port: 0, host: "127.0.0.1" });
    const abstract = `guildhall-${process.pid}-${sandbox.name}`;
    await listen({ path: join(above, "socket") });
    await listen({ path: `\0${abstract}` });
    const tries = [{ port, host: "127.0.0.1" }, { path: join(above, "socket") }, { path: `\0${abstract}` }];
    const script = `for (const to of ${JSON.stringify(tries)}) require("net").connect(to).on("connect", () => console.log("connected")).on("error", (e) => console.log(e.code))`;
    const told = await said(
      `node -e '${script}'; node -e 'require("dns").lookup("canary.invalid", (e) => console.log(e.code))'`,
    );
    expect(told.split("\n").sort()).toEqual(["EAI_AGAIN", "ECONNREFUSED", "ECONNREFUSED", "ENOENT"]);
    expect(visitors).toBe(0);
    const open = commandFolder(sandbox, {}, { network: true });
    expect(
      await open.said(`node -e 'require("net").connect(${port}).on("connect", () => console.log("connected"))'`),
    ).toBe("connected");
  });

  it("neither sees nor ends processes of the machine", async () => {
    const bystander = spawn("sleep", ["60"]);
    onTestFinished(() => void bystander.kill("SIGKILL"));
    const { said } = commandFolder(sandbox);
    const pids = (await said("ls /proc | grep -E '^[0-9]+$'")).split("\n").map(Number);
    expect(pids.length).toBeLessThan(12);
    await said(`kill -9 ${bystander.pid} ${process.pid}; kill -9 $PPID; kill -9 1; kill -9 -1`);
    expect([bystander.exitCode, bystander.signalCode]).toEqual([null, null]);
  });

  it("has no rights to mount, to make devices or namespaces, or to set the kernel, and can gain none", async () => {
    const { said } = commandFolder(sandbox);
    expect(await said("grep -E '^(CapPrm|CapEff|CapAmb|NoNewPrivs)' /proc/self/status | tr -s '\\t' ' '")).toBe(
      "CapPrm: 0000000000000000\nCapEff: 0000000000000000\nCapAmb: 0000000000000000\nNoNewPrivs: 1",
    );
    const tries = [
      "mount -t tmpfs none /tmp",
      "mount --bind / /tmp",
      "mount -o remount,rw /usr",
      "umount -l /proc",
      "unshare -Ur true",
      "unshare -Urm mount -t proc proc /proc",
      "mknod /tmp/disk b 254 0",
      "chroot / true",
      "cat /proc/1/root/etc/shadow",
      "test -w /proc/sys/kernel/core_pattern",
      "sh -c 'echo x > /proc/sys/kernel/core_pattern'",
      "sh -c 'echo x > /proc/sysrq-trigger'",
      "touch /usr/bin/guildhall-new",
      "nsenter -t 1 -m true",
      "hostname evil",
    ];
    const before = readFileSync("/proc/sys/kernel/core_pattern", "utf8");
    const told = await said(tries.map((line, at) => `${line} >/dev/null 2>&1 && echo "did ${at}"`).join("\n"));
    expect(told).toBe("(no output)");
    expect(readFileSync("/proc/sys/kernel/core_pattern", "utf8")).toBe(before);
    expect(
      await said(
        "find /proc -maxdepth 3 -type f -writable -not -path '/proc/[0-9]*' -not -path '/proc/self/*' -not -path '/proc/thread-self/*' 2>/dev/null | while read -r file; do test -c $file || echo $file; done",
      ),
    ).toBe("(no output)");
  });
}
