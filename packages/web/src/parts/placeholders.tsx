import type { ComponentChildren, ComponentType, VNode } from 'preact';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { usePage } from '../page-context.js';
import { paths } from '../routing.js';
import type { Asked } from './use-requests.js';
import { Button } from './button.js';

/** The head of a page: its title, a line below it, and buttons. */
export function PageHead({
  title,
  hint,
  actions,
  children,
}: {
  readonly title: string;
  readonly hint?: ComponentChildren;
  /** Buttons and links. */
  readonly actions?: ComponentChildren;
  /** Other content, such as fields of a search. */
  readonly children?: ComponentChildren;
}): VNode {
  return (
    <div class="page-head">
      <div>
        <h1>{title}</h1>
        {hint && <p class="quiet">{hint}</p>}
      </div>
      {children}
      {actions && <div class="actions no-print">{actions}</div>}
    </div>
  );
}

/** A page that needs the present day of the service. */
export function WithToday({
  title,
  children,
}: {
  readonly title: string;
  readonly children: (today: number) => VNode;
}): VNode {
  const today = usePage().session.clock.told.value?.day;
  if (today !== undefined) return children(today);
  return (
    <>
      <h1>{title}</h1>
      <Loading />
    </>
  );
}

/** The reason for a failure, announced. */
export function Failure({ text }: { readonly text: string | undefined }): VNode {
  return (
    <p class="field-error" role="alert">
      {text}
    </p>
  );
}

/** The reason for a failure of work without a form, announced. */
export function FailureNotice({ text }: { readonly text: string | undefined }): VNode {
  return <div role="alert">{text !== undefined && <p class="notice notice-bad">{text}</p>}</div>;
}

/** Placeholder for data that is being read. */
export function Loading(): VNode {
  return <p class="quiet page-loading">{usePage().texts.app.loading}</p>;
}

/** Says that there is no data, and how to get some. */
export function Empty({
  title,
  hint,
  isPage = false,
  children,
}: {
  readonly title: string;
  readonly hint: string;
  /** Whether the page shows nothing else, so that this is the title of the page. */
  readonly isPage?: boolean;
  readonly children?: ComponentChildren;
}): VNode {
  return (
    <div class="empty">
      {isPage ? <h1>{title}</h1> : <p class="empty-title">{title}</p>}
      <p class="quiet">{hint}</p>
      {children}
    </div>
  );
}

/** For an address without a page. */
export function NotFound(): VNode {
  const { texts } = usePage();
  return (
    <Empty title={texts.app.notFound} hint={texts.app.notFoundHint} isPage>
      <a href={paths.today} class="button">
        {texts.app.backToToday}
      </a>
    </Empty>
  );
}

/** Says that the service does not answer, with a button to try again. */
function CannotRead({ onTryAgain }: { readonly onTryAgain: () => void }): VNode {
  const { texts } = usePage();
  return (
    <p class="notice notice-bad" role="alert">
      {texts.days.cannotRead} <Button onClick={onTryAgain}>{texts.app.tryAgain}</Button>
    </p>
  );
}

/**
 * Shows an answer of the service. Before the first answer, it shows that the page is loading or that the service does not answer.
 * An earlier answer stays until the next one.
 */
export function Answered<T>({
  asked: { value, isMissing, load },
  children,
}: {
  readonly asked: Asked<T>;
  readonly children: (value: T) => VNode;
}): VNode {
  return (
    <>
      {isMissing && <CannotRead onTryAgain={load} />}
      {value !== undefined ? children(value) : isMissing ? undefined : <Loading />}
    </>
  );
}

type PropsOf<C> = C extends (props: infer P extends object) => unknown ? P : never;

/** A component whose code is loaded when it is first drawn, so that the first code to load stays small. */
export function lazy<M, K extends keyof M, P extends object = PropsOf<M[K]>>(
  load: () => Promise<M>,
  name: K,
): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P): VNode {
    const { session } = usePage();
    const state = useSignal<'loading' | 'there' | 'missing'>('loading');
    const begin = async (isAgain: boolean): Promise<void> => {
      try {
        loaded = (await load())[name] as ComponentType<P>;
        state.value = 'there';
      } catch {
        // The service may have a newer build of the page, without this file.
        if (isAgain && session.connection.current.peek().state === 'open') location.reload();
        state.value = 'missing';
      }
    };
    useEffect(() => {
      if (loaded === undefined) void begin(false);
    }, []);
    const Loaded = loaded;
    if (Loaded !== undefined) return <Loaded {...props} />;
    return state.value === 'missing' ? <CannotRead onTryAgain={() => void begin(true)} /> : <Loading />;
  };
}
