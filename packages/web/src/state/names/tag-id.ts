const SPELLING = /^[0-9a-f]{2}(?:[ :-]?[0-9a-f]{2}){2,9}$/i;

/** The id that somebody has typed, as the service writes it; `undefined` if it is none: it has 3 to 10 bytes in hex. */
export function readTagId(text: string): string | undefined {
  const trimmed = text.trim();
  return SPELLING.test(trimmed) ? trimmed.replace(/[ :-]/g, '').toUpperCase() : undefined;
}
