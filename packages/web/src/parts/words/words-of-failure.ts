import { TallybookClientError } from '@tallybook/client';
import type { Messages } from '../../texts/messages.js';

/** Words for codes of the service that have a special meaning in one place. */
export type WordsByCode = Readonly<Partial<Record<string, string>>>;

/** The reason for a failure, in words of the page, or in words of the service if the page has none. */
export function wordsOfFailure(
  error: unknown,
  { failure: words, access }: Pick<Messages, 'failure' | 'access'>,
  particular: WordsByCode = {},
): string {
  if (!(error instanceof TallybookClientError)) return words.unexpected(String(error));
  const { [error.code ?? '']: said } = particular;
  if (said !== undefined) return said;
  if (error.kind !== 'http') return words.unreachable;
  if (error.status === 429) return words.tooSoon(Math.ceil((error.retryAfterMs ?? 1_000) / 1_000));
  if (error.status === 413) return words.tooLarge;
  if (error.roles.length > 0) {
    return words.onlyFor(error.roles.map((role) => access.roles[role] ?? role).join(', '));
  }
  return words.codes[error.code ?? ''] ?? words.unexpected(error.message, error.code ?? error.status);
}
