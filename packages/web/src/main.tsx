import { TallybookClient } from '@tallybook/client';
import { effect, type ReadonlySignal } from '@preact/signals';
import { render } from 'preact';
import { App } from './app.js';
import { Address } from './routing.js';
import { Access, accessServiceOf, takeProviderAnswer } from './state/access.js';
import { serviceOf } from './state/service.js';
import { BrowserStore } from './state/kept.js';
import { REFRESH_MS, Session } from './state/session.js';
import { Toasts } from './state/toasts.js';
import { Lease, SharedStream, streamOf, type Channel } from './event-stream.js';
import { chooseLanguage } from './texts/languages.js';
import './styles/index.css';

/**
 * Keeps the title of the document: the heading of the page, then the name of the place, or of the program. Pages are drawn late and in parts,
 * so the heading is looked for after each change.
 *
 * Browsers keep titles. Where a heading may be the name of somebody, it has `data-title`, or is within such an element, and
 * this is taken instead.
 *
 * The title of each later page is announced to screen readers: to them, a change of the page is silent.
 */
function followHeading(place: ReadonlySignal<string>): void {
  let said = '';
  const write = (): void => {
    const { value: name } = place;
    if (said !== '') document.title = `${said} · ${name || 'Tallybook'}`;
  };
  effect(write);
  new MutationObserver(() => {
    const heading = document.querySelector<HTMLElement>('[data-title],h1');
    const title = heading === null ? said : (heading.dataset['title'] ?? heading.textContent);
    if (title === said) return;
    const live = document.getElementById('title');
    if (live !== null && said !== '') live.textContent = title;
    said = title;
    write();
  }).observe(document.body, { childList: true, subtree: true });
}

/** How often lengths of time are drawn again, in milliseconds. */
const BEAT_MS = 2_000;
/**
 * A page that was hidden for more milliseconds than this opens its connection again: the old one may be dead without an
 * error.
 */
const ASLEEP_MS = 30_000;
/** How long the page waits for the answer about its user, in milliseconds. */
const PATIENCE_MS = 3_000;
/**
 * How long the page waits for the first answers before it draws, in milliseconds: on a tablet, drawing twice takes longer than
 * waiting.
 */
const BLANK_MS = 300;
const UNAUTHORIZED = 401;

begin();

function begin(): void {
  // Before anything else, because the answer is in the address.
  const answer = takeProviderAnswer(window);
  const send: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (response.status === UNAUTHORIZED) access.noteRefusal();
    return response;
  };
  const client = new TallybookClient('./', { fetch: send });
  const access = new Access(accessServiceOf(client), Date.now);
  const store = new BrowserStore(openStorage(), `tallybook:${location.pathname}:`);
  const session = new Session({ service: serviceOf(client, access), store, nowMs: Date.now });
  const { messages, locale } = chooseLanguage(navigator.languages);
  document.documentElement.lang = messages.language;
  session.locale.value = locale;
  followHeading(session.place);
  const address = new Address(window);
  address.follow();
  const stream = new SharedStream(
    {
      open: streamOf(client),
      lease: new Lease(store, String(Math.random())),
      // Old versions of Safari have no BroadcastChannel.
      channel:
        'BroadcastChannel' in window ? channelOf(new BroadcastChannel(store.keyOf('stream'))) : undefined,
    },
    session,
  );
  const toasts = new Toasts();
  access.onLost = () => {
    session.forget();
    toasts.clear();
  };
  access.onSignedIn = () => {
    if (!stream.isStarted) stream.start();
    else stream.reconnect();
    session.load();
  };
  const context = { session, access, client, texts: messages, toasts, address };
  const known = answer === undefined ? access.load() : access.arrive(answer);
  const drawn = onceKnownWhat({ access, session }).then(() => {
    render(<App context={context} />, document.getElementById('app') ?? document.body);
  });
  beginOnceKnown({ known, drawn }, { access, session, stream });
  session.keepOnChange();
  setInterval(() => {
    session.beat();
    access.beat(session.clock.now());
  }, BEAT_MS);
  setInterval(() => {
    if (access.isOutside()) void access.lookAgain();
    else void session.refresh().catch(() => undefined);
  }, REFRESH_MS);
  // The service ends a stream whose session has ended, and another tab may have signed out.
  let was = '';
  effect(() => {
    const { state } = session.connection.current.value;
    if (state === 'waiting' || was === 'waiting') void access.load();
    was = state;
  });
  followTheBrowser({ access, session, stream });
}

/**
 * Resolves when the people who are here are known, or the user has to sign in first; but after {@link BLANK_MS} at the latest.
 */
function onceKnownWhat({ access, session }: Pick<Followed, 'access' | 'session'>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, BLANK_MS);
    effect(() => {
      if (!session.today.isLoaded.value && (access.info.value === undefined || !access.isOutside())) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Begins the requests only when the user is known: the service would refuse all of them before signing in. */
function beginOnceKnown(
  { known, drawn }: { readonly known: Promise<void>; readonly drawn: Promise<void> },
  { access, session, stream }: Pick<Followed, 'access' | 'session' | 'stream'>,
): void {
  const begin = (): void => {
    clearTimeout(patience);
    if (access.isOutside() || stream.isStarted) return;
    session.load();
    // After it opens, all data is read again. The data that was read already is drawn before that.
    void drawn.then(() => stream.start());
  };
  // The stream shows that the service does not answer.
  const patience = setTimeout(begin, PATIENCE_MS);
  void known.then(begin);
}

interface Followed {
  readonly access: Access;
  readonly session: Session;
  readonly stream: SharedStream;
}

/** Reacts when the page is hidden, shown, left, and shown again from the cache of the browser. */
function followTheBrowser({ access, session, stream }: Followed): void {
  let hiddenMs = Infinity;
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') {
      hiddenMs = Date.now();
      session.keep();
      return;
    }
    session.beat();
    stream.renew();
    // Somebody may have signed in in another tab.
    if (access.isOutside()) void access.lookAgain();
    if (Date.now() - hiddenMs > ASLEEP_MS) stream.reconnect();
  });
  addEventListener('pagehide', () => {
    session.keep();
    stream.stop();
  });
  // The browser may show the page from its cache, without its connections.
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted || access.isOutside()) return;
    stream.start();
    session.load();
  });
  addEventListener('online', () => stream.reconnect());
}

function channelOf(channel: BroadcastChannel): Channel {
  return {
    post: (message) => channel.postMessage(message),
    listen: (take) => (channel.onmessage = ({ data }) => take(data)),
  };
}

/** A browser whose settings forbid storage may refuse it. */
function openStorage(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}
