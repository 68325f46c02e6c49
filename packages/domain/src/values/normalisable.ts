/**
 * Whether a text may have at most so many code points once it is in Unicode NFC, which makes one of up to four UTF-16 code units.
 * A longer one must not be normalised: that takes seconds for some texts of 200 kB.
 */
export function isNormalisable(text: string, longest: number): boolean {
  return text.length <= 4 * longest;
}
