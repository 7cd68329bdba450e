import type { WelcomeDesk } from "../../src/server/handlers/welcome-handlers.ts";

/** Finds nothing, and begins whatever it is asked to. */
export function fakeWelcome(): WelcomeDesk {
  return {
    look: async () => ({
      providers: [],
      clis: [],
      defaultModel: "offline/rehearsal",
      secretsFile: "/hall/.guildhall/secrets",
      isOffline: true,
      models: ["offline/rehearsal"],
      roleTemplates: ["coder", "reviewer"],
      projects: 0,
    }),
    begin: async ({ path, name = "Alpha", roles = [] }) => ({ projectId: "alpha", name, workdir: path, roles }),
  };
}
