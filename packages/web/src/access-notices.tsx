import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from './page-context.js';
import { lazy } from './parts/placeholders/lazy.js';

const SignInDialog = lazy(async () => (await import('./pages/sign-in/sign-in-dialog.js')).SignInDialog);

/** Warns that everybody may do everything here, or that the session ends soon, so that nobody loses typed text. */
export function AccessNotices(): VNode {
  const { access, session, texts, formats } = usePage();
  const isSigningIn = useSignal(false);
  const info = access.info.value;
  void session.tick.value;
  const isEnding = access.endsIn(session.clock.now()) !== undefined;
  return (
    <>
      <div role="status">
        {info?.insecure === true && (
          <p class="notice">
            <strong>{texts.access.insecure}</strong> {texts.access.insecureHint}
          </p>
        )}
        {isEnding && (
          <p class="notice">
            {texts.access.endsAt(formats.time(info?.expiresAt ?? 0))}{' '}
            <button type="button" class="button" onClick={() => (isSigningIn.value = true)}>
              {texts.access.goOn}
            </button>
          </p>
        )}
      </div>
      {isSigningIn.value && <SignInDialog onClose={() => (isSigningIn.value = false)} />}
    </>
  );
}
