import { TallybookClientError } from '@tallybook/client';
import type { Messages } from '../../texts/messages.js';

/** Why the service did not do something, in words. What this page has no words for, the service says in its own. */
export function wordsOfFailure(error: unknown, { failure: words }: Pick<Messages, 'failure'>): string {
  if (!(error instanceof TallybookClientError)) return words.unexpected(String(error));
  if (error.kind !== 'http') return words.unreachable;
  if (error.status === 429) return words.tooSoon(Math.ceil((error.retryAfterMs ?? 1_000) / 1_000));
  if (error.status === 413) return words.tooLarge;
  return words.codes[error.code ?? ''] ?? words.unexpected(error.message);
}
