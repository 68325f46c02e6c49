import { effect, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { usePage } from '../page-context.js';
import { Button } from './button.js';
import { whoTapped } from './words.js';

/**
 * Minimum time between two announcements, in milliseconds: three hundred pupils may come through a door in a few
 * minutes.
 */
const EVERY_MS = 5_000;
const NAMES_OF_ANNOUNCEMENT = 3;

/** Announces arrivals to a screen reader: not each tap, but the taps of a few seconds together. */
export function Announcer(): VNode {
  const { session, texts } = usePage();
  const text = useSignal('');
  useEffect(() => {
    let names: string[] = [];
    let others = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const say = (): void => {
      timer = undefined;
      text.value = texts.tap.announce(names, others, session.today.people.peek().length);
      names = [];
      others = 0;
    };
    const stop = effect(() => {
      const seen = session.today.lastTap.value;
      if (seen === undefined) return;
      const name = whoTapped(seen, texts, session.formats.peek());
      if (names.length < NAMES_OF_ANNOUNCEMENT) names.push(name);
      else others++;
      timer ??= setTimeout(say, EVERY_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [session, texts]);
  return (
    <p class="only-read" aria-live="polite">
      {text.value}
    </p>
  );
}

/** How long a message stays, in milliseconds. */
const STAYS_MS = 6_000;

/** Shows and announces the latest message. */
export function ToastArea(): VNode {
  const { toasts, texts } = usePage();
  const toast = toasts.current.value;
  useEffect(() => {
    if (toast === undefined) return undefined;
    const timer = setTimeout(() => toasts.dismiss(toast), STAYS_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <div class="toasts no-print" role="status">
      {toast === undefined ? undefined : (
        <div class={`toast toast-${toast.kind}`} key={toast.number}>
          <p>{toast.text}</p>
          <Button
            icon="close"
            class="button-plain"
            label={texts.app.close}
            onClick={() => toasts.dismiss(toast)}
          />
        </div>
      )}
    </div>
  );
}
