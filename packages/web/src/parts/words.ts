import { TallybookClientError, type LastSeen } from '@tallybook/client';
import type { Messages } from '../texts/en.js';
import type { Words } from '../texts/language.js';
import type { Formats } from '../state/formats.js';
import type { SeenTap } from '../state/presence.js';
import type { Tap } from '../state/service.js';

/** An id in pairs of digits, as on many printed tags, so that nobody takes it for a number. */
export function groupedId(id: string): string {
  return id.match(/../g)?.join(' ') ?? id;
}

/** The actor of an action: the name of a user or a token, or the page's word for `anyone`. */
export function actorOf(actor: string, { access }: Pick<Messages, 'access'>): string {
  return actor === 'anyone' ? access.anyone : actor;
}

/** Who tapped; without a name, what the tag is. */
export function whoTapped(
  { name, isLost }: Pick<SeenTap, 'name' | 'isLost'>,
  { tap }: Pick<Messages, 'tap'>,
  formats: Formats,
): string {
  return name !== undefined ? formats.name(name) : isLost ? tap.lostTag : tap.unknownTag;
}

/** When and where a tag was last seen. */
export function seenWords({ at, reader = '' }: LastSeen, texts: Messages, formats: Formats): string {
  return `${texts.enrol.seen}: ${formats.dateTime(at)} ${reader}`;
}

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
    return words.onlyFor(error.roles.map((role) => (access.roles as Words)[role] ?? role).join(', '));
  }
  return (
    (words.codes as Words)[error.code ?? ''] ?? words.unexpected(error.message, error.code ?? error.status)
  );
}
