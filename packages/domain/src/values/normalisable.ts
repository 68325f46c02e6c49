/**
 * Whether a text can have at most `longest` code points in Unicode NFC, which makes one code point of up to four UTF-16 code
 * units. Longer texts must not be normalised: for some texts of 200 kB, that takes seconds.
 */
export function isNormalisable(text: string, longest: number): boolean {
  return text.length <= 4 * longest;
}
