/** Shows a part of the page as the page itself does: with a router, a client and a language. */
import type { ReactNode } from "react";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider, createMemoryHistory, createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import { render } from "@testing-library/react";

/** Show `part` at `/`, with the routes that it may link to. */
export async function shown(part: ReactNode) {
  const root = createRootRoute();
  const paths = ["/runs/$id", "/runs/$id/trace", "/runs"];
  const routeTree = root.addChildren([
    createRoute({ getParentRoute: () => root, path: "/", component: () => part }),
    ...paths.map((path) => createRoute({ getParentRoute: () => root, path, component: () => null })),
  ]);
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: ["/"] }) });
  await router.load();
  const result = render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  return { ...result, router };
}
