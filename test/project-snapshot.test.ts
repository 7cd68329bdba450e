import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { BUILT_PROJECT } from "./harness/built-program.ts";

/** Notes what the program itself looks at while it is loaded, which is over when it begins to serve. */
const WATCH = `
const [os, crypto] = [require("node:os"), require("node:crypto")];
const seen = new Set();
let isLoading = true;
const note = (what) => {
  const caller = new Error().stack.split("\\n")[3] ?? "";
  if (isLoading && caller.includes(PROGRAM)) seen.add(what);
};
const watch = (object, ...names) => {
  for (const name of names) {
    const real = object[name];
    object[name] = function (...args) {
      note(name);
      return Reflect.apply(real, this, args);
    };
  }
};
watch(Math, "random");
watch(performance, "now");
watch(process, "cwd", "hrtime", "uptime");
watch(os, "homedir", "tmpdir", "hostname", "userInfo");
watch(crypto, "randomBytes", "randomUUID", "randomInt", "getRandomValues");
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) note("new Date");
    super(...args);
  }
  static now() {
    note("Date.now");
    return RealDate.now();
  }
};
const get = (env, name) => {
  if (typeof name === "string") note("process.env." + name);
  return env[name];
};
Object.defineProperty(process, "env", { value: new Proxy(process.env, { get }) });
const { on, exit } = process;
process.on = (event, ...rest) => {
  if (event === "disconnect") isLoading = false;
  return Reflect.apply(on, process, [event, ...rest]);
};
process.exit = (code) => {
  console.log(JSON.stringify({ isLoading, seen: [...seen] }));
  exit(code);
};
`;

function load(program: string, code = `require(${JSON.stringify(program)});`) {
  const script = `const PROGRAM = ${JSON.stringify(program)};\n${WATCH}\n${code}`;
  return JSON.parse(execFileSync(process.execPath, ["--eval", script], { encoding: "utf8" }));
}

it("the program of a project's process looks at neither time, chance, environment nor place while it is loaded", () => {
  expect(load(BUILT_PROJECT)).toEqual({ isLoading: false, seen: [] });
});

it("what a program looks at while it is loaded would be noticed", () => {
  const looks =
    "Date.now(); new Date(); Math.random(); process.env.HOME; process.cwd(); os.homedir(); crypto.randomUUID();";
  const code = `new (require("node:vm").Script)(${JSON.stringify(`(os, crypto) => { ${looks} process.exit(0); }`)}, { filename: PROGRAM })
    .runInThisContext()(os, crypto);`;
  expect(load("/some/program.cjs", code)).toEqual({
    isLoading: true,
    seen: ["Date.now", "new Date", "random", "process.env.HOME", "cwd", "homedir", "randomUUID"],
  });
});
