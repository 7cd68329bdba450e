import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Everything below a folder by path: kind, permissions and every byte. Folders named in `without` are not looked at. */
export function pictureOf(folder: string, without: readonly string[] = []): Map<string, string> {
  const picture = new Map<string, string>();
  const look = (prefix: string) => {
    for (const name of readdirSync(join(folder, prefix))) {
      const path = prefix + name;
      if (without.includes(path)) continue;
      const at = join(folder, path);
      const stats = lstatSync(at);
      const mode = (stats.mode & 0o7777).toString(8);
      if (stats.isSymbolicLink()) picture.set(path, `link ${readlinkSync(at)}`);
      else if (!stats.isDirectory()) picture.set(path, `file ${mode} ${readFileSync(at).toString("base64")}`);
      else {
        picture.set(path, `folder ${mode}`);
        look(`${path}/`);
      }
    }
  };
  look("");
  return picture;
}
