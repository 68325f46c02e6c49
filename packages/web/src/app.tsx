import type { VNode } from 'preact';
import { Route, Router, Switch } from 'wouter-preact';
import { useHashLocation } from 'wouter-preact/use-hash-location';
import { PageContextProvider, type PageContext } from './page-context.js';
import { Announcer } from './parts/announcer.js';
import { Frame } from './frame.js';
import { LazyPage } from './parts/lazy-page.js';
import { NotFound } from './parts/not-found.js';
import { ToastArea } from './parts/toast-area.js';
import { routes } from './routes.js';

/** The whole page. Where it is, the part of the address behind `#` says: so it works below any path, without a server's help. */
export function App({ context }: { readonly context: PageContext }): VNode {
  return (
    <PageContextProvider value={context}>
      <Router hook={useHashLocation}>
        <Switch>
          {routes.map((route) => (
            <Route key={route.path} path={route.path}>
              {(params) => (
                <Frame isBare={route.isBare ?? false}>
                  <LazyPage route={route} params={params} />
                </Frame>
              )}
            </Route>
          ))}
          <Route>
            <Frame isBare={false}>
              <NotFound />
            </Frame>
          </Route>
        </Switch>
        <Announcer />
        <ToastArea />
      </Router>
    </PageContextProvider>
  );
}
