import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { hintText } from "../../src/contract/words/hint.ts";
import { Failure, failureOf } from "./api/failure.ts";
import { isParting } from "./api/parting.ts";
import { STALE_MS } from "./api/queries.ts";
import { connection } from "./live/connection.ts";
import { keepFresh } from "./live/refresh.ts";
import { router } from "./router.tsx";
import { enterByLink } from "./shell/sign-in.ts";
import { SignedOut } from "./shell/signed-out.tsx";
import { applyTheme } from "./shell/theme.ts";
import "@fontsource-variable/inter/wght.css";
import "./styles.css";

applyTheme();

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      refetchOnWindowFocus: false,
      networkMode: "always",
      enabled: ({ queryKey }) => !isParting(queryKey),
      retry: (count, error) => !(error instanceof Failure && error.status >= 400 && error.status < 500) && count < 2,
    },
    mutations: { networkMode: "always" },
  },
});

const element = document.getElementById("root");
if (element === null) throw new Error("The page has no root element.");
const page = createRoot(element);

try {
  await enterByLink();
  connection.start();
  keepFresh(client);
  page.render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
} catch (error) {
  const { message, hint } = failureOf(error);
  page.render(<SignedOut why={hint === undefined ? message : `${message} ${hintText(hint)}`} />);
}
