import type { Answer } from '../../parts/answer-sign.js';
import type { Tap } from '../../state/service/service.js';

/** The answer to a tap, as indicators at the readers show it; red only if somebody has to do something. */
export function answerOf(tap: Tap): Answer {
  if (tap.outcome === 'failed') return tap.isKept ? 'waiting' : 'refused';
  if (tap.name === null) return 'unknown';
  switch (tap.outcome) {
    case 'provisional':
      return 'waiting';
    case 'counted':
      return 'welcome';
    case 'already-counted':
      return 'again';
  }
}
