import { useSignal } from '@preact/signals';
import type { ComponentType, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { usePage } from '../page-context.js';
import type { PageRoute } from '../page-route.js';

type Loaded = ComponentType<Record<string, string | undefined>>;

/** What has been loaded once is there at once the next time. */
const loaded = new Map<PageRoute, Loaded>();

/** A page of its own file: says so while it loads, and what to do if it does not. */
export function LazyPage({
  route,
  params,
}: {
  readonly route: PageRoute;
  readonly params: Readonly<Record<string, string | undefined>>;
}): VNode {
  const { texts } = usePage();
  const state = useSignal<Loaded | 'loading' | 'failed'>(loaded.get(route) ?? 'loading');
  const load = (): void => {
    state.value = 'loading';
    route.load().then(
      (page) => {
        loaded.set(route, page);
        state.value = page;
      },
      () => (state.value = 'failed'),
    );
  };
  useEffect(() => {
    if (state.peek() === 'loading') load();
  }, []);
  const Page = state.value;
  if (Page === 'loading') return <p class="quiet page-loading">{texts.app.loading}</p>;
  if (Page === 'failed') {
    return (
      <div class="empty" role="alert">
        <p>{texts.app.cannotLoad}</p>
        <button type="button" class="button" onClick={load}>
          {texts.app.tryAgain}
        </button>
      </div>
    );
  }
  return <Page {...params} />;
}
