/** Programs that run inside the sandbox, next to the code under judgement, and say in lines of JSON what they saw. */
export const REPORTERS = {
  "node-reporter.mjs": `
import { resolve } from "node:path";
const stacks = new Map();
const errors = new Map();
const files = [];
const line = (value) => JSON.stringify(value) + "\\n";
export default async function* report(source) {
  for await (const { type, data } of source) {
    if (type === "test:stderr") {
      const file = resolve(data.entryFile ?? data.file);
      errors.set(file, ((errors.get(file) ?? "") + data.message).slice(-4000));
      continue;
    }
    if (type === "test:start") {
      const stack = stacks.get(data.file) ?? [];
      stack[data.nesting] = data.name;
      stacks.set(data.file, stack);
      continue;
    }
    if (type !== "test:pass" && type !== "test:fail") continue;
    const { name, nesting, file, details = {} } = data;
    const failure = details.error;
    const how = failure?.failureType;
    const isFile = nesting === 0 && file !== undefined && (name === file || file.endsWith("/" + name));
    if (details.type === "suite" && (type === "test:pass" || how === "subtestsFailed")) continue;
    if (type === "test:fail" && how === "subtestsFailed") continue;
    if (isFile && type === "test:pass") continue;
    const around = (stacks.get(file) ?? []).slice(0, nesting);
    const one = { name: isFile ? "(file)" : [...around, name].join(" > "), file, line: data.line > 0 && !isFile ? data.line : undefined };
    if (data.skip !== undefined || data.todo !== undefined) yield line({ ...one, status: "skipped" });
    else if (type === "test:pass") yield line({ ...one, status: "passed" });
    else {
      const cause = failure?.cause ?? failure ?? {};
      const failed = {
        ...one,
        status: "failed",
        phase: isFile || how === "hookFailed" ? "load" : "body",
        error: [cause?.name, cause?.code].filter(Boolean).join(" "),
        message: String(cause?.stack ?? cause?.message ?? cause),
      };
      // What the file printed may still come.
      if (isFile) files.push(failed);
      else yield line(failed);
    }
  }
  for (const one of files) yield line({ ...one, message: errors.get(one.file) ?? one.message });
  yield line({ end: true });
}
`,
  "unittest-reporter.py": `
import json, os, sys, traceback, unittest

out = open(sys.argv[1], "w", encoding="utf-8")
args = sys.argv[2:]
root = os.getcwd()
sys.path.insert(0, root)


def place(test):
    import inspect
    try:
        method = getattr(test, test._testMethodName)
        code = inspect.unwrap(method).__code__
        return code.co_filename, code.co_firstlineno
    except Exception:
        return None, None


def put(test, status, error=None, phase="body"):
    entry = {"name": test.id() if hasattr(test, "id") else str(test), "status": status}
    file, line = place(test)
    if file is not None:
        entry["file"] = file
        entry["line"] = line
    if error is not None:
        kind, value, trace = error
        entry["error"] = kind.__name__
        entry["message"] = "".join(traceback.format_exception(kind, value, trace))[-4000:]
        entry["phase"] = phase
        frames = [frame for frame in traceback.extract_tb(trace) if file is not None and frame.filename == file]
        if frames:
            entry["line"] = frames[-1].lineno
    out.write(json.dumps(entry) + "\\n")


def is_load(test):
    return type(test).__name__ in ("_FailedTest", "_ErrorHolder")


class Result(unittest.TestResult):
    def addSuccess(self, test):
        super().addSuccess(test)
        put(test, "passed")

    def addFailure(self, test, error):
        super().addFailure(test, error)
        put(test, "failed", error)

    def addError(self, test, error):
        super().addError(test, error)
        put(test, "failed", error, "load" if is_load(test) else "body")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        put(test, "skipped")

    def addExpectedFailure(self, test, error):
        super().addExpectedFailure(test, error)
        put(test, "passed")

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        put(test, "failed", (AssertionError, AssertionError("unexpected success"), None))

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error is not None:
            put(subtest, "failed", error)


loader = unittest.TestLoader()
suite = unittest.TestSuite()
if args:
    for path in args:
        name = os.path.splitext(os.path.relpath(path, root))[0].replace(os.sep, ".")
        suite.addTests(loader.loadTestsFromName(name))
else:
    for pattern in ("test*.py", "*_test.py"):
        starts = [root] + [os.path.join(root, name) for name in ("tests", "test") if os.path.isdir(os.path.join(root, name)) and not os.path.exists(os.path.join(root, name, "__init__.py"))]
        for start in starts:
            suite.addTests(unittest.TestLoader().discover(start, pattern=pattern, top_level_dir=start))
result = Result()
suite.run(result)
out.write(json.dumps({"end": True}) + "\\n")
out.close()
sys.exit(0 if result.wasSuccessful() else 1)
`,
  "python-module.py": `
import importlib, os, runpy, sys

# Not from the working folder, where a change could put a module of this name.
del sys.path[0]
del sys.argv[0]
name = sys.argv[0]
try:
    importlib.import_module(name)
except ModuleNotFoundError as error:
    if error.name != name:
        raise
    sys.exit("No module named " + name)
if name == "pytest":
    # Tests import the code from there.
    sys.path.insert(0, os.getcwd())
runpy.run_module(name, run_name="__main__", alter_sys=True)
`,
  "parse-python.py": `
import ast, json, sys, tokenize

errors = []
for path in sys.argv[1:]:
    try:
        with tokenize.open(path) as file:
            compile(file.read(), path, "exec", ast.PyCF_ONLY_AST)
    except SyntaxError as error:
        errors.append({"file": path, "line": error.lineno or 1, "message": "%s: %s" % (type(error).__name__, error.msg)})
    except (ValueError, UnicodeDecodeError, RecursionError, MemoryError) as error:
        errors.append({"file": path, "line": 1, "message": "%s: %s" % (type(error).__name__, error)})
print(json.dumps({"errors": errors}))
sys.exit(1 if errors else 0)
`,
  "parse-javascript.mjs": `
import { readFileSync } from "node:fs";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";
import { spawnSync } from "node:child_process";
import vm from "node:vm";

process.removeAllListeners("warning");
const require = createRequire(join(process.cwd(), "x.js"));
const optional = (name) => {
  try {
    return require(name);
  } catch {
    return undefined;
  }
};
const number = (error) => Number(error.startLine ?? error.line ?? error.loc?.line ?? /:(\\d+)(?::\\d+)?\\)?$/m.exec(error.stack ?? "")?.[1] ?? 1) || 1;

function typescript(source) {
  stripTypeScriptTypes(source, { mode: "transform" });
}

/** Node itself knows no JSX: one of the parsers that the project has installed does. */
function jsx(source, path) {
  const esbuild = optional("esbuild");
  if (esbuild !== undefined) {
    try {
      esbuild.transformSync(source, { loader: path.endsWith("x") ? path.slice(path.lastIndexOf(".") + 1) : "jsx", logLevel: "silent", jsx: "preserve" });
    } catch (error) {
      const [first] = error.errors ?? [];
      throw Object.assign(new SyntaxError(first?.text ?? error.message), { line: first?.location?.line });
    }
    return true;
  }
  const babel = optional("@babel/parser");
  if (babel !== undefined) {
    babel.parse(source, { sourceType: "unambiguous", plugins: ["jsx", ...(path.endsWith(".tsx") ? ["typescript"] : [])] });
    return true;
  }
  const oxc = optional("oxc-parser");
  if (oxc !== undefined) {
    const [first] = oxc.parseSync(path, source).errors;
    if (first !== undefined) throw Object.assign(new SyntaxError(first.message), { line: source.slice(0, first.labels[0]?.start ?? 0).split("\\n").length });
    return true;
  }
  return false;
}

const types = new Map();

/** What the package around a file says its scripts are. */
function typeOf(folder) {
  if (types.has(folder)) return types.get(folder);
  let type;
  try {
    ({ type } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  } catch (error) {
    type = folder === "." ? undefined : typeOf(dirname(folder));
  }
  types.set(folder, type);
  return type;
}

const asModule = (source) => new vm.SourceTextModule(source);
const asScript = (source) => vm.compileFunction(source, ["exports", "require", "module", "__filename", "__dirname"]);

/** Whether it can be parsed, without a process of its own. */
function isParsed(path, source) {
  const type = path.endsWith(".mjs") ? "module" : path.endsWith(".cjs") ? "commonjs" : typeOf(dirname(path));
  const ways = type === "module" ? [asModule] : type === "commonjs" ? [asScript] : [asScript, asModule];
  return ways.some((parse) => {
    try {
      parse(source);
      return true;
    } catch {
      return false;
    }
  });
}

/** As node would load it: a module or a script. It says where it stops. */
function javascript(path, source) {
  if (isParsed(path, source)) return;
  const { status, stderr } = spawnSync(process.execPath, ["--check", path], { encoding: "utf8" });
  if (status === 0) return;
  const line = Number(/:(\\d+)\\n/.exec(stderr)?.[1] ?? 1);
  throw Object.assign(new SyntaxError(/SyntaxError: (.*)/.exec(stderr)?.[1] ?? stderr.slice(0, 500)), { line });
}

const errors = [];
const unread = [];
for (const path of process.argv.slice(2)) {
  try {
    const source = readFileSync(path, "utf8");
    if (/\\.[mc]?ts$/.test(path)) typescript(source);
    else if (/\\.[jt]sx$/.test(path)) jsx(source, path) || unread.push(path);
    else {
      try {
        javascript(path, source);
      } catch (error) {
        // Much JSX is in files named .js.
        if (!/<[A-Za-z>]/.test(source) || !jsx(source, path)) throw error;
      }
    }
  } catch (error) {
    const [first] = String(error.message ?? error).trim().split("\\n");
    errors.push({ file: path, line: number(error), message: "SyntaxError: " + first });
  }
}
console.log(JSON.stringify({ errors, unread }));
process.exitCode = errors.length > 0 ? 1 : unread.length > 0 ? 3 : 0;
`,
} as const;
export type ReporterName = keyof typeof REPORTERS;
