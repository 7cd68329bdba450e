import fs, { writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { DatabaseSync, StatementSync } from "node:sqlite";

// Loaded into a daemon before its own code: counts what it asks of SQLite and of the disk, by name.
const counts = {};
const count = (name) => {
  counts[name] = (counts[name] ?? 0) + 1;
};

function wrap(owner, method, nameOf) {
  const original = owner[method];
  owner[method] = function counted(...values) {
    count(nameOf(this, values));
    return original.apply(this, values);
  };
}

for (const method of ["run", "get", "all", "iterate"])
  wrap(StatementSync.prototype, method, (statement) => `sql ${statement.sourceSQL}`);
wrap(DatabaseSync.prototype, "exec", (_, [sql]) => `sql ${sql}`);
for (const method of ["fsync", "fdatasync", "fsyncSync", "fdatasyncSync"]) wrap(fs, method, () => `sync ${method}`);
const handle = await open(process.execPath);
for (const method of ["sync", "datasync"]) wrap(Object.getPrototypeOf(handle), method, () => `sync handle ${method}`);
await handle.close();
syncBuiltinESMExports();

process.on("SIGUSR2", () => {
  writeFileSync(`${process.env.GUILDHALL_COUNTS}.new`, JSON.stringify(counts));
  fs.renameSync(`${process.env.GUILDHALL_COUNTS}.new`, process.env.GUILDHALL_COUNTS);
  for (const name of Object.keys(counts)) delete counts[name];
});
