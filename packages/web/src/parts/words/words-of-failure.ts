import { TallybookClientError } from '@tallybook/client';
import type { Messages } from '../../texts/messages.js';

/** Why the service did not do something, in words. What this page has no words for, the service says in its own. */
export function wordsOfFailure(
  error: unknown,
  { failure: words, access }: Pick<Messages, 'failure' | 'access'>,
): string {
  if (!(error instanceof TallybookClientError)) return words.unexpected(String(error));
  if (error.kind !== 'http') return words.unreachable;
  if (error.status === 429) return words.tooSoon(Math.ceil((error.retryAfterMs ?? 1_000) / 1_000));
  if (error.status === 413) return words.tooLarge;
  if (error.roles.length > 0) {
    return words.onlyFor(error.roles.map((role) => access.roles[role] ?? role).join(', '));
  }
  return words.codes[error.code ?? ''] ?? words.unexpected(error.message);
}
