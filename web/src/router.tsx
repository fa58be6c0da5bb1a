/** Where everything is. What a screen shows of itself is in its address, so that it can be shared. */
import { type ComponentType, lazy, Suspense } from "react";
import { Outlet, createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import { Unreachable } from "@/api/client";
import { Elsewhere, Empty, Failed, Loading } from "@/parts/states";
import { Page, Shell } from "@/parts/Shell";
import { AskScreen } from "@/screens/Ask";
import { SessionGate } from "@/screens/SessionGate";
import { useText } from "@/i18n";
import { STATUSES, type Status } from "@/api/queries";

/** A screen that is fetched when it is first shown; while the service is gone, that says so. */
function screen(load: () => Promise<{ default: ComponentType }>) {
  return lazy(() => load().catch(() => { throw new Unreachable(); }));
}

const CheckScreen = screen(() => import("@/screens/Check"));
const ChatScreen = screen(() => import("@/screens/Chat"));
const DiffScreen = screen(() => import("@/screens/Diff"));
const DocumentScreen = screen(() => import("@/screens/Document"));
const FoldersScreen = screen(() => import("@/screens/Folders"));
const RunScreen = screen(() => import("@/screens/Run"));
const RunsScreen = screen(() => import("@/screens/Runs"));
const SettingsScreen = screen(() => import("@/screens/Settings"));
const SharedScreen = screen(() => import("@/screens/Shared"));
const TraceScreen = screen(() => import("@/screens/Trace"));
const AdminScreen = screen(() => import("@/screens/Admin"));

function Root() {
  return (
    <Shell>
      <SessionGate>
        <Suspense fallback={<Page title=""><Loading rows={6} /></Page>}>
          <Outlet />
        </Suspense>
      </SessionGate>
    </Shell>
  );
}

function NotFound() {
  const text = useText();
  return <Empty title={text.states.notFound}>{text.states.notFoundWhy} <Elsewhere /></Empty>;
}

/** What could not be fetched is fetched by no second try, but when the page is loaded anew. */
function Broken({ error }: { error: unknown }) {
  return <Failed error={error as Error} retry={() => window.location.reload()} />;
}

const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFound,
  errorComponent: Broken,
});

const text = (value: unknown) => (typeof value === "string" && value ? value : undefined);
const number = (value: unknown) => (typeof value === "number" && value > 0 ? value : undefined);

export interface AskSearch {
  q?: string;
  folder?: string;
  /** The run whose choices are taken over. */
  as?: string;
}
export interface RunSearch {
  /** The sentence that is selected, from 1, and the citation that is open. */
  s?: number;
  c?: number;
  tab?: string;
  doubt?: boolean;
}
export interface DocumentSearch {
  /** The run whose quotes are marked, the sentence that is selected, and the citation that led here. */
  run?: string | undefined;
  s?: number | undefined;
  c?: number | undefined;
  /** The record of a table that is shown; without one all are. */
  place?: string | undefined;
}
export interface TraceSearch {
  at?: number;
  node?: string;
  raw?: boolean;
}
export interface RunsSearch {
  q?: string;
  status?: Status | undefined;
  tag?: string;
  pinned?: boolean;
}

export const askRoute = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: AskScreen,
  validateSearch: (search): AskSearch => ({ q: text(search.q), folder: text(search.folder), as: text(search.as) }),
});
export const runsRoute = createRoute({
  getParentRoute: () => root,
  path: "/runs",
  component: RunsScreen,
  validateSearch: (search): RunsSearch => ({
    q: text(search.q),
    // An address may have been typed.
    status: STATUSES.find((status) => status === search.status),
    tag: text(search.tag),
    pinned: search.pinned === true || undefined,
  }),
});
export const runRoute = createRoute({
  getParentRoute: () => root,
  path: "/runs/$id",
  component: () => (
    <Suspense fallback={<Page title="" wide><Loading rows={6} /></Page>}>
      <RunScreen />
    </Suspense>
  ),
  validateSearch: (search): RunSearch => ({
    s: number(search.s),
    c: number(search.c),
    tab: text(search.tab),
    doubt: search.doubt === true || undefined,
  }),
});
export const traceRoute = createRoute({
  getParentRoute: () => root,
  path: "/runs/$id/trace",
  component: TraceScreen,
  validateSearch: (search): TraceSearch => ({
    at: number(search.at),
    node: text(search.node),
    raw: search.raw === true || undefined,
  }),
});
export const diffRoute = createRoute({ getParentRoute: () => root, path: "/runs/$first/diff/$second", component: DiffScreen });
export const checkRoute = createRoute({ getParentRoute: () => root, path: "/check", component: CheckScreen });
export const chatRoute = createRoute({
  getParentRoute: () => root,
  path: "/chat",
  component: ChatScreen,
  validateSearch: (search): { id?: string } => ({ id: text(search.id) }),
});
export const foldersRoute = createRoute({ getParentRoute: () => root, path: "/folders", component: FoldersScreen });
export const documentRoute = createRoute({
  getParentRoute: () => root,
  path: "/folders/$id/files/$",
  component: DocumentScreen,
  validateSearch: (search): DocumentSearch => ({ run: text(search.run), s: number(search.s), c: number(search.c), place: text(search.place) }),
});
export const settingsRoute = createRoute({ getParentRoute: () => root, path: "/settings", component: SettingsScreen });
export const adminRoute = createRoute({ getParentRoute: () => root, path: "/admin", component: AdminScreen });
export const sharedRoute = createRoute({ getParentRoute: () => root, path: "/shared/$link", component: SharedScreen });

export const router = createRouter({
  routeTree: root.addChildren([
    askRoute,
    runsRoute,
    runRoute,
    traceRoute,
    diffRoute,
    checkRoute,
    chatRoute,
    foldersRoute,
    documentRoute,
    settingsRoute,
    adminRoute,
    sharedRoute,
  ]),
  defaultPreload: "intent",
  defaultErrorComponent: Broken,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
