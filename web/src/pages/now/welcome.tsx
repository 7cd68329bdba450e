import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { FolderGit2, FolderOpen } from "lucide-react";
import { type ReactNode, useState, useSyncExternalStore } from "react";
import type { KeyAnswer } from "../../../../src/contract/routes/model-routes.ts";
import type { Welcome as AtHand, WelcomeFolder } from "../../../../src/contract/routes/welcome-routes.ts";
import { programCommand, watchCaller } from "../../api/hall-command.ts";
import { queries } from "../../api/queries.ts";
import { shownInline, useAct } from "../../api/use-act.ts";
import { showPanel } from "../../shell/panels.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { KeyForm } from "../../ui/keys/key-form.tsx";
import { SavedKey } from "../../ui/keys/saved-key.tsx";
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
            <Section title="Get started">
              <Begin atHand={atHand} />
            </Section>
            <Section title="Model">
              <ModelAtHand atHand={atHand} />
            </Section>
          </div>
          <p className="text-sm text-faint">
            Just looking? Run <code className="wrap-anywhere">{demo}</code> in a terminal. The demo uses its own folder
            and doesn't touch your files.
          </p>
        </div>
      )}
    </Loaded>
  );
}

function WhatItIs() {
  return (
    <div className="rounded-lg border border-line bg-accent-soft px-5 py-4">
      <h2 className="text-base font-semibold">Welcome to Guildhall</h2>
      <ol className="mt-2 flex list-decimal flex-col gap-1 pl-5 text-sm">
        <li>A project is one of your folders with a task board and a team of roles.</li>
        <li>Give a task to a role, and an agent works on it on your machine while you watch.</li>
        <li>Review every change before it's merged; revert any time.</li>
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
        <p className="text-xs text-faint">Then set a name, goals and a team.</p>
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
          <p className="mt-1 text-xs text-faint">Team: {roles.join(", ")}. You can change it later.</p>
        </div>
      </div>
      {begin.error !== null && <Trouble error={begin.error} />}
      <Button
        kind="primary"
        className="self-start"
        busy={begin.isPending}
        onClick={() => begin.mutate({ body: { path: folder.path } })}
      >
        Create a project from this folder
      </Button>
    </div>
  );
}

/** What answers, and where a key is added. What was just saved stays in sight although a model is there by then. */
function ModelAtHand({ atHand: { isOffline, providers, clis, defaultModel } }: { atHand: AtHand }) {
  const [saved, setSaved] = useState<KeyAnswer>();
  const [isAdding, setAdding] = useState(false);
  const done = (answer: KeyAnswer) => {
    setSaved(answer);
    setAdding(false);
  };
  return (
    <Card className="flex flex-col gap-3 p-4 text-sm">
      {saved !== undefined && <SavedKey answer={saved} />}
      {saved === undefined && isOffline && (
        <p>
          <Badge tone="warn">Offline demo model</Badge> It's free but only rehearses tasks. Add an API key to run real
          agents.
        </p>
      )}
      {saved === undefined && !isOffline && (
        <>
          <Found name="Default model">{defaultModel}</Found>
          <Found name="Providers">{providers.map(({ name }) => name).join(", ")}</Found>
        </>
      )}
      {(saved === undefined && isOffline) || isAdding ? (
        <KeyForm focus={isAdding} onSaved={done} />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button kind={saved === undefined ? "plain" : "primary"} onClick={() => showPanel("chat")}>
            Ask the main agent
          </Button>
          <Button onClick={() => setAdding(true)}>Add another key</Button>
        </div>
      )}
      {isOffline && saved === undefined && (
        <p className="text-xs text-faint">
          Ollama on this machine works without a key.
          {clis.length > 0 && ` Installed: ${clis.map(({ name }) => name).join(", ")}.`}
        </p>
      )}
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

/** A command line in a page that may be shown before it is known how the program is called. */
function useProgramCommand(words: string): string {
  return useSyncExternalStore(watchCaller, () => programCommand(words));
}
