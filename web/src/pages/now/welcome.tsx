import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { FolderGit2, FolderOpen } from "lucide-react";
import { type ReactNode, useSyncExternalStore } from "react";
import type { Welcome as AtHand, WelcomeFolder } from "../../../../src/contract/routes/welcome-routes.ts";
import { hallCommand, programCommand, watchCaller } from "../../api/hall-command.ts";
import { queries } from "../../api/queries.ts";
import { shownInline, useAct } from "../../api/use-act.ts";
import { showPanel } from "../../shell/panels.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { Loaded, Trouble } from "../../ui/states.tsx";

/** The first thing a newcomer sees: what this is, and the shortest way to begin. */
export default function Welcome() {
  const found = useQuery(queries.welcome());
  const demo = useProgramCommand("demo");
  return (
    <Loaded query={found}>
      {(atHand) => (
        <div className="flex flex-col gap-6">
          <WhatItIs />
          <div className="grid items-start gap-6 lg:grid-cols-2">
            <Section title="Begin">
              <Begin atHand={atHand} />
            </Section>
            <Section title="Who thinks">
              <Minds atHand={atHand} />
            </Section>
          </div>
          <p className="text-sm text-faint">
            Only looking? Run <code className="wrap-anywhere">{demo}</code> in a terminal: it shows a hall at work in a
            folder of its own and touches nothing of yours.
          </p>
        </div>
      )}
    </Loaded>
  );
}

function WhatItIs() {
  return (
    <div className="rounded-lg border border-line bg-accent-soft px-5 py-4">
      <h2 className="text-base font-semibold">Welcome to your hall.</h2>
      <ol className="mt-2 flex list-decimal flex-col gap-1 pl-5 text-sm">
        <li>A project is a folder of yours, with a board of tasks and a team of roles.</li>
        <li>You give a task to a role, and an agent works on it here, on your machine, while you watch.</li>
        <li>You see every change before it counts, and can take back any of them.</li>
      </ol>
    </div>
  );
}

function Begin({ atHand }: { atHand: AtHand }) {
  return (
    <Card className="flex flex-col gap-4 p-4">
      {atHand.folder !== undefined && <BeginHere folder={atHand.folder} roles={atHand.roleTemplates} />}
      <div className="flex flex-wrap items-center gap-3">
        <Button kind={atHand.folder === undefined ? "primary" : "plain"} onClick={() => showPanel("choose-folder")}>
          <FolderOpen size={16} aria-hidden />
          Choose {atHand.folder === undefined ? "a" : "another"} folder
        </Button>
        <p className="text-xs text-faint">With a name, goals and a team of your choice.</p>
      </div>
    </Card>
  );
}

function BeginHere({ folder, roles }: { folder: WelcomeFolder; roles: readonly string[] }) {
  const navigate = useNavigate();
  const begin = useAct("beginProject", {
    done: ({ name }) => `${name} is ready.`,
    onDone: ({ projectId }) => void navigate({ to: "/projects/$id/board", params: { id: projectId } }),
    onFailure: shownInline,
  });
  const stack = [...folder.techStack.languages, ...folder.techStack.frameworks, ...folder.techStack.tools];
  return (
    <div className="flex flex-col gap-3 border-b border-line pb-4">
      <div className="flex items-start gap-3">
        <FolderGit2 size={20} className="mt-0.5 shrink-0 text-accent" aria-hidden />
        <div className="min-w-0">
          <p className="font-medium">
            <bdi>{folder.name}</bdi> {folder.isGit && <Badge tone="good">git</Badge>}
          </p>
          <p className="text-xs text-faint">
            <code>{folder.path}</code>
          </p>
          {stack.length > 0 && <p className="text-xs text-faint">{stack.join(", ")}</p>}
          <p className="mt-1 text-xs text-faint">Its team: {roles.join(", ")}. You can change it later.</p>
        </div>
      </div>
      {begin.error !== null && <Trouble error={begin.error} />}
      <Button
        kind="primary"
        className="self-start"
        busy={begin.isPending}
        onClick={() => begin.mutate({ body: { path: folder.path } })}
      >
        Make this folder my first project
      </Button>
    </div>
  );
}

/** A key may come from the environment or from the secrets of the workspace. */
const FOUND: Readonly<Record<string, string>> = {
  config: "from config.yml",
  environment: "found by its key",
  local: "found on this machine",
};

function Minds({ atHand: { isOffline, providers, clis, defaultModel, secretsFile } }: { atHand: AtHand }) {
  return (
    <Card className="flex flex-col gap-3 p-4 text-sm">
      {isOffline ? <Offline secretsFile={secretsFile} /> : <Found name="Model">{defaultModel}</Found>}
      {providers.length > 0 && (
        <Found name="Providers">
          {providers.map(({ name, source, key, keyNames }) => (
            <span key={name} className="mr-3 inline-block">
              {name}{" "}
              <span className="text-faint">
                {key || keyNames === undefined
                  ? (FOUND[source] ?? `found in ${source}`)
                  : `needs ${keyNames.join(" or ")}`}
              </span>
            </span>
          ))}
        </Found>
      )}
      {clis.length > 0 && <Found name="Programs of agents">{clis.map(({ name }) => name).join(", ")}</Found>}
      {!isOffline && <p className="text-xs text-faint">Keys stay on this machine and are shown to nobody.</p>}
    </Card>
  );
}

function Found({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="text-xs font-semibold text-faint">{name}</h3>
      <p>{children}</p>
    </div>
  );
}

function Offline({ secretsFile }: { secretsFile: string }) {
  const down = useHallCommand("down");
  const up = useHallCommand("up");
  return (
    <>
      <p>
        <Badge tone="warn">Offline</Badge> No key was found, so the offline model plays: it costs nothing, sends nothing
        anywhere, and rehearses the moves of an agent without thinking.
      </p>
      <p>For real work, give it a key:</p>
      <ol className="flex list-decimal flex-col gap-2 pl-5">
        <li>
          Set it in the environment of the daemon, or put it as a line <code>ANTHROPIC_API_KEY=…</code> into the file{" "}
          <code className="wrap-anywhere">{secretsFile}</code>
        </li>
        <li>
          Start the daemon anew:
          <pre className="mt-1 rounded-md bg-sunk px-3 py-2 text-xs whitespace-pre-wrap wrap-anywhere">
            {down}
            {"\n"}
            {up}
          </pre>
        </li>
      </ol>
      <p className="text-xs text-faint">A model that Ollama serves on this machine is found without a key.</p>
    </>
  );
}

/** A command line of this hall in a page that may be shown before it is known how the hall is called. */
function useHallCommand(words: string): string {
  return useSyncExternalStore(watchCaller, () => hallCommand(words));
}

/** The same of a command that needs no hall. */
function useProgramCommand(words: string): string {
  return useSyncExternalStore(watchCaller, () => programCommand(words));
}
