import type { Answer } from '../../parts/answer-sign.js';
import type { Tap } from '../../state/service/service.js';

/** The answer to a tap, the same as that of indicators at the readers. Red only if the person has to act. */
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
