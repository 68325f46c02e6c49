export const LABEL_MAX_LENGTH = 100;

const unprintable = (): RegExp => /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Label of a session, a token or a passkey in lists: one line of at most 100 characters. */
export function cleanLabel(text: string): string {
  return Array.from(text.replace(unprintable(), '').trim()).slice(0, LABEL_MAX_LENGTH).join('');
}
