import type { Tap } from '../../state/service/service.js';
import type { Messages } from '../../texts/messages.js';

/** The outcome of a tap, in words. */
export function wordsOf(tap: Tap, { tap: words }: Pick<Messages, 'tap'>): string {
  switch (tap.outcome) {
    case 'counted':
      return words.counted;
    case 'already-counted':
      return words.alreadyCounted;
    case 'provisional':
      return words.provisional;
    case 'failed':
      return tap.isKept ? words.failedKept : words.failedLost;
  }
}
