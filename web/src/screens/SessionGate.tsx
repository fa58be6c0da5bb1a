/** Lets those in whom the service knows, and asks all others for their key. */
import { type ReactNode, Suspense } from "react";
import { useRouterState } from "@tanstack/react-router";
import { useSession } from "@/api/queries";
import { later } from "@/parts/later";
import { Page } from "@/parts/Shell";
import { Failed, Loading } from "@/parts/states";

const SignIn = later(() => import("./SignIn"));

export function SessionGate({ children }: { children: ReactNode }) {
  const session = useSession();
  const open = useRouterState({ select: (state) => state.location.pathname.startsWith("/shared/") });
  if (open || session.data?.signed_in) return children;
  if (session.error) return <Failed error={session.error} retry={() => void session.refetch()} />;
  if (!session.data) return <Page title=""><Loading rows={5} /></Page>;
  return <Suspense><SignIn elsewhere={session.data.access === "oidc"} /></Suspense>;
}
