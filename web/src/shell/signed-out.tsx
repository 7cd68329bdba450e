import { hallCommand, isCallerKnown } from "../api/hall-command.ts";
import { usePageTitle } from "../ui/page.tsx";

/** This browser has not been let in, or not any more. */
export function SignedOut({ why }: { why?: string | undefined }) {
  usePageTitle("Sign in");
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-3 px-6">
      <img src="/favicon.svg" alt="" width={40} height={40} />
      <h1 className="text-xl font-semibold">Open Guildhall in this browser</h1>
      {why !== undefined && (
        <p role="alert" className="text-bad">
          {why}
        </p>
      )}
      <p>Sign in with a one-time link, so other pages and users on this machine can't get in. Create one with:</p>
      <pre className="whitespace-pre-wrap wrap-anywhere rounded-md border border-line bg-sunk px-3 py-2">
        {hallCommand("open")}
      </pre>
      <p className="text-sm text-faint">
        {!isCallerKnown() && (
          <>
            In a clone of the repository, use <code>bin/guildhall</code>.{" "}
          </>
        )}
        If the daemon isn't running, <code className="wrap-anywhere">{hallCommand("up")}</code> starts it and prints a
        link.
      </p>
    </main>
  );
}
