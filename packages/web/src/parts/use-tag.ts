import { effect, untracked, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { IdReading } from '@tallybook/client';
import { usePage } from '../page-context.js';
import type { Tap } from '../state/service.js';
import { wordsOfFailure } from './words.js';

/** Calls a function for every tap while the component is on the page. */
export function useTaps(take: (tap: Tap) => void): void {
  const { session } = usePage();
  const latest = useRef(take);
  latest.current = take;
  // A layout effect, so that it runs with the drawing: somebody who sees the page may tap at once.
  useLayoutEffect(() => {
    let seenNumber = session.today.lastTap.peek()?.number;
    return effect(() => {
      const seen = session.today.lastTap.value;
      if (seen === undefined || seen.number === seenNumber) return;
      seenNumber = seen.number;
      untracked(() => latest.current(seen.tap));
    });
  }, [session]);
}

/** What the service made of a typed text. */
export interface TypedTag {
  /** The tags that it may mean: one, or several to choose from. */
  readonly readings: readonly IdReading[];
  /** Why there is none. */
  readonly error?: string;
}

/** Typing pauses at least so long before the service is asked. */
const PAUSE_MS = 200;

/** How the page itself writes ids: nobody needs to be asked. */
const OWN = /^[0-9A-F]{2}(?: [0-9A-F]{2}){2,9}$/;

/** Reads typed ids as the service does. `found` is `undefined` until it has answered; `read` waits for that. */
export function useTypedTag(typed: string): {
  readonly found: TypedTag | undefined;
  readonly read: () => Promise<TypedTag>;
} {
  const { client, texts } = usePage();
  const answer = useSignal<TypedTag & { readonly text: string }>({ text: '', readings: [] });
  const text = typed.trim();
  const isOwn = OWN.test(text);
  const ask = async (): Promise<TypedTag> => {
    try {
      return await client.get('/api/id', { query: { text, format: undefined } });
    } catch (error) {
      return { readings: [], error: wordsOfFailure(error, texts) };
    }
  };
  useEffect(() => {
    if (text === '' || isOwn) return;
    let isOver = false;
    const timer = setTimeout(() => {
      void ask().then((tag) => {
        if (!isOver) answer.value = { ...tag, text };
      });
    }, PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text]);
  const found = isOwn
    ? {
        readings: [
          {
            id: text.replace(/ /g, ''),
            format: 'hex',
            name: null,
            person: null,
            isLost: false,
            lastSeen: null,
          } as const,
        ],
      }
    : answer.value.text === text
      ? answer.value
      : undefined;
  const read = async (): Promise<TypedTag> => {
    if (found !== undefined) return found;
    const tag = await ask();
    answer.value = { ...tag, text };
    return tag;
  };
  return { found, read };
}

/** The rows that a search by name has found; if there are none, those with the tag whose number was typed. */
export function useTagSearch<T extends { readonly ids: readonly string[] }>(
  search: string,
  found: readonly T[],
  all: readonly T[],
): readonly T[] {
  const readings = useTypedTag(found.length === 0 ? search : '').found?.readings ?? [];
  return found.length > 0 ? found : all.filter(({ ids }) => readings.some(({ id }) => ids.includes(id)));
}
