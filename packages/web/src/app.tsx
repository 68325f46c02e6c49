import type { VNode } from 'preact';
import { Frame } from './frame.js';
import { PageContextProvider, type PageContext } from './page-context.js';
import { Announcer } from './parts/announcer.js';
import { NotFound } from './parts/not-found.js';
import { ToastArea } from './parts/toast-area.js';
import { routes } from './routes.js';
import { matchPath } from './routing/match-path.js';

/** The whole page. */
export function App({ context }: { readonly context: PageContext }): VNode {
  return (
    <PageContextProvider value={context}>
      <RoutedPage path={context.address.path.value} />
      <Announcer />
      <ToastArea />
    </PageContextProvider>
  );
}

/** The page that an address means. */
function RoutedPage({ path }: { readonly path: string }): VNode {
  for (const route of routes) {
    const params = matchPath(route.path, path);
    if (params === undefined) continue;
    return (
      <Frame key={route.path} isBare={route.isBare ?? false}>
        <route.page {...params} />
      </Frame>
    );
  }
  return (
    <Frame isBare={false}>
      <NotFound />
    </Frame>
  );
}
