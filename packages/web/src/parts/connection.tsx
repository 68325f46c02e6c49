import type { ComponentChildren, VNode } from 'preact';
import { usePage } from '../page-context.js';

/** State of the connection to the service, in one word. */
export function ConnectionPill(): VNode {
  const { session, texts } = usePage();
  const { state } = session.connection.current.value;
  const isMissing = session.readers.missing.value.length > 0;
  const words = {
    open: isMissing ? texts.kiosk.readerMissing : texts.connection.live,
    connecting: texts.connection.connecting,
    waiting: '',
  };
  return (
    <p class="pill" data-state={state} data-odd={isMissing} role="status">
      {words[state]}
    </p>
  );
}

/** Shows since when there is no connection; and, also on paper, readers at which nobody can tap, and an untrusted clock. */
export function ConnectionNotice({ children }: { readonly children: ComponentChildren }): VNode {
  const { session, texts, formats } = usePage();
  const { state } = session.connection.current.value;
  const isUntrusted = session.clock.told.value?.isTrusted === false;
  const missing = session.readers.missing.value;
  return (
    <div class="notices">
      <div role="alert" class="no-print">
        {state === 'waiting' && (
          <p class="notice notice-bad">
            <strong>
              <LostSince />.
            </strong>{' '}
            {texts.connection.lostHint}
          </p>
        )}
      </div>
      <div role="status">
        {missing.length > 0 && (
          <p class="notice notice-bad">
            {missing.map(({ name, since }) => (
              <strong key={name}>{texts.kiosk.readerTrouble(name, formats.dateTime(since))}. </strong>
            ))}
            {texts.kiosk.readerTroubleHint}
          </p>
        )}
        {isUntrusted && (
          <p class="notice">
            <strong>{texts.clock.untrusted}.</strong> {texts.clock.untrustedHint}
          </p>
        )}
      </div>
      <div class="no-print">{children}</div>
    </div>
  );
}

/** Shows since when and for how long there is no connection. Screen readers do not read each new length of time. */
export function LostSince(): VNode {
  const { session, texts, formats } = usePage();
  const { sinceMs } = session.connection.current.value;
  const seconds = Math.max(0, Math.floor((session.tick.value - sinceMs) / 1_000));
  const since = formats.time(session.clock.toServiceTime(sinceMs));
  return <span aria-live="off">{texts.connection.lost(since, formats.duration(seconds))}</span>;
}
