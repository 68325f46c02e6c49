const SPELLING = /^[0-9a-f]{2}(?:[ :-]?[0-9a-f]{2}){2,9}$/i;

/** Converts a typed id to the form of the service; `undefined` if the text is no id of 3 to 10 bytes in hex. */
export function readTagId(text: string): string | undefined {
  const trimmed = text.trim();
  return SPELLING.test(trimmed) ? trimmed.replace(/[ :-]/g, '').toUpperCase() : undefined;
}
