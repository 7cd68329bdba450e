// Counts the tests of a Vitest report, with those of a second one in place of the files that failed. Fails where one failed, or none ran.
const { existsSync, readFileSync } = require("node:fs");

const [first, second] = process.argv.slice(2).map((path) => {
  const files = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).testResults : [];
  return new Map(files.map((file) => [file.name, file]));
});
// A file that could not even be loaded has no failed test in it, and counts as one.
const count = (file, status) => file.assertionResults.filter((test) => test.status === status).length;
let passed = 0;
let failed = 0;
for (const [name, file] of first) {
  const last = second.get(name) ?? file;
  passed += count(last, "passed");
  failed += count(last, "failed") || (last.status === "failed" ? 1 : 0);
  if (last === file || last.status === "failed") continue;
  for (const { status, fullName, failureMessages } of file.assertionResults) {
    if (status !== "failed") continue;
    const why = (failureMessages[0] ?? "").slice(0, 1500).split("\n").slice(0, 25).join("\n  ");
    console.log(`Unsteady, passed when its file ran alone: ${name}: ${fullName}\n  ${why}`);
  }
}
if (passed + failed === 0) console.error("No test ran.");
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = passed > 0 && failed === 0 ? 0 : 1;
