import { useSignal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { usePage } from './page-context.js';
import { shared } from './pages/late-pages.js';
import { lazy } from './parts/placeholders.js';
import { routes } from './routes.js';
import { ConnectionNotice, ConnectionPill } from './parts/connection.js';
import { Icon, Mark } from './parts/icon.js';
import { paths } from './routing.js';
import { Button } from './parts/button.js';

const SignInDialog = lazy(shared, 'SignInDialog');

/** Warns that everybody may do everything here, or that the session ends soon, so that nobody loses typed text. */
function AccessNotices(): VNode {
  const { access, session, texts, formats } = usePage();
  const isSigningIn = useSignal(false);
  const info = access.info.value;
  void session.tick.value;
  const isEnding = access.endsIn(session.clock.now()) !== undefined;
  return (
    <>
      <div role="status">
        {info?.isInsecure === true && (
          <p class="notice">
            <strong>{texts.access.insecure}</strong> {texts.access.insecureHint}
          </p>
        )}
        {isEnding && (
          <p class="notice">
            {texts.access.endsAt(formats.time(info?.expiresAt ?? 0))}{' '}
            <Button onClick={() => (isSigningIn.value = true)}>{texts.access.goOn}</Button>
          </p>
        )}
      </div>
      {isSigningIn.value && <SignInDialog onClose={() => (isSigningIn.value = false)} />}
    </>
  );
}

/** The frame of a page: links to the other pages, and the state of the connection. */
export function Frame({
  isBare,
  children,
}: {
  readonly isBare: boolean;
  readonly children: ComponentChildren;
}): VNode {
  const { texts, address, access, session } = usePage();
  const user = access.info.value?.user;
  const path = address.path.value;
  // The link to this page went with the page before, and the focus with it. The first page has no title yet.
  useLayoutEffect(() => {
    if (document.title !== texts.app.name && document.activeElement === document.body)
      document.getElementById('content')?.focus({ preventScroll: true });
  }, []);
  if (isBare)
    return (
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    );
  return (
    <>
      {/* A link to #content would be taken for an address of a page. */}
      <Button class="skip-link no-print" onClick={() => document.getElementById('content')?.focus()}>
        {texts.app.skipToContent}
      </Button>
      <header class="top no-print">
        <a href={paths.today} class="brand">
          <Mark />
          <span>{session.place.value || texts.app.name}</span>
        </a>
        <nav aria-label={texts.app.navigation}>
          {routes.map(({ path: pattern, entry, needs }) => {
            if (entry === undefined || !access.may(needs)) return undefined;
            // Parameters of a page follow its address.
            const [start = '/'] = pattern.split('/:');
            const isCurrent = path === start || (start !== '/' && path.startsWith(`${start}/`));
            return (
              <a key={pattern} href={`#${start}`} {...(isCurrent && { 'aria-current': 'page' })}>
                <Icon name={entry} />
                <span>{texts[entry].title}</span>
                {entry === 'system' && session.readers.missing.value.length > 0 && (
                  <span class="dot">
                    <span class="only-read">{texts.kiosk.readerMissing}</span>
                  </span>
                )}
              </a>
            );
          })}
        </nav>
        <ConnectionPill />
        {user && (
          <a
            href={paths.account}
            class="account"
            aria-label={texts.access.accountOf(user.name)}
            {...(path === '/account' && { 'aria-current': 'page' })}
          >
            <Icon name="account" />
            <span>{user.name}</span>
          </a>
        )}
      </header>
      <ConnectionNotice>
        <AccessNotices />
      </ConnectionNotice>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}
