import type { ComponentChildren, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { Frame } from './frame.js';
import { PageContextProvider, usePage, type PageContext } from './page-context.js';
import { Announcer, ToastArea } from './parts/announcements.js';
import { shared } from './pages/late-pages.js';
import { lazy, Loading, NotFound } from './parts/placeholders.js';
import { routes, type PageRoute } from './routes.js';
import { areFirstStepsDue } from './state/first-steps.js';
import { matchPath, paths, type PathParams } from './routing.js';

const NotAllowed = lazy(shared, 'NotAllowed');
const SignInPage = lazy(shared, 'SignInPage');
const SetupPage = lazy(shared, 'SetupPage');

/** The whole page. */
export function App({ context }: { readonly context: PageContext }): VNode {
  return (
    <PageContextProvider value={context}>
      <Gate />
      <ToastArea />
    </PageContextProvider>
  );
}

/** Shows the page only to people who may see it. Until the user is known, no protected data is drawn. */
function Gate(): VNode {
  const { access, session } = usePage();
  const info = access.info.value;
  // While the service cannot be reached, the page shows data that this browser has kept.
  const mayBeGone = session.connection.current.value.state === 'waiting';
  if (info === undefined && !mayBeGone) {
    return (
      <Bare>
        <Loading />
      </Bare>
    );
  }
  if (info?.actions.length === 0)
    return <Bare>{info.access === 'unclaimed' ? <SetupPage /> : <SignInPage />}</Bare>;
  return (
    <>
      <AllowedPage />
      <Announcer />
    </>
  );
}

function Bare({ children }: { readonly children: ComponentChildren }): VNode {
  return <main id="content">{children}</main>;
}

/** The page of the address, if the user may see it. */
function AllowedPage(): VNode {
  const { access, address } = usePage();
  const user = access.info.value?.user ?? undefined;
  useFirstSteps(user !== undefined && access.may('manage-settings'));
  // A screen at the door has only one page.
  const isKiosk = user?.role === 'kiosk';
  const [route, params] = find(isKiosk ? paths.kiosk.slice(1) : address.path.value);
  if (route === undefined) {
    return (
      <Frame isBare={false}>
        <NotFound />
      </Frame>
    );
  }
  const isOutside = route.isForAll === true && access.isBound();
  return (
    <Frame key={route.path} isBare={route.isBare ?? false}>
      {!isOutside && (route.needs === '' || access.may(route.needs)) ? (
        <route.page {...params} />
      ) : (
        <NotAllowed action={route.needs} />
      )}
    </Frame>
  );
}

/** Opens the first steps on the first page, if nobody has taken them. */
function useFirstSteps(mayTakeThem: boolean): void {
  const { address, client, session } = usePage();
  useEffect(() => {
    if (!mayTakeThem || address.path.peek() !== '/') return;
    areFirstStepsDue(session.store, () => client.find('/api/settings')).then(
      (areDue) => areDue && address.path.peek() === '/' && address.replace(paths.firstSteps),
      // The next visit asks again.
      () => undefined,
    );
  }, [mayTakeThem]);
}

function find(path: string): readonly [PageRoute | undefined, PathParams] {
  for (const route of routes) {
    const params = matchPath(route.path, path);
    if (params !== undefined) return [route, params];
  }
  return [undefined, {}];
}
