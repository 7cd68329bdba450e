import { expect, it } from "vitest";
import type { SettingForm } from "../../../../src/contract/routes/settings-routes.ts";
import { changeOf, draftsOf } from "./setting-drafts.ts";

const setting = (key: string, form: SettingForm, value: unknown = null) => ({
  ...{ key, value, default: null, set: value !== null, about: "", section: "server.tls" },
  ...{ form, restart: true, editable: true, sensitive: false },
});
const text = { kind: "text" } as const;
const cert = setting("server.tls.cert", text, "/a");
const section = [cert, setting("server.tls.key", text), setting("server.tls.port", { kind: "number", max: 9 })];

it("sends the fields of a section that changed, and removes those that were emptied", () => {
  const start = draftsOf(section);
  expect(start).toEqual({ "server.tls.cert": "/a", "server.tls.key": "", "server.tls.port": "" });
  expect(changeOf(section, { ...start, "server.tls.key": " /b " })).toEqual({
    change: { set: { "server.tls.key": "/b" }, reset: [] },
  });
  expect(changeOf(section, { ...start, "server.tls.cert": "" })).toEqual({
    change: { set: {}, reset: ["server.tls.cert"] },
  });
});

it("names each field that can't be saved, and needs a value for a setting by itself", () => {
  expect(changeOf(section, { ...draftsOf(section), "server.tls.port": "12" })).toEqual({
    problems: { "server.tls.port": "Enter at most 9." },
  });
  expect(changeOf([cert], { "server.tls.cert": "" })).toEqual({
    problems: { "server.tls.cert": "Enter a value, or reset the setting." },
  });
});
