const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes text for XML content. Characters that XML cannot hold, and that stored names may have, become U+FFFD. */
export function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- The pattern looks for control characters.
      .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\uFFFE\uFFFF]/g, '\uFFFD')
      .replace(/[&<>]/g, (character) => entities[character] ?? '')
  );
}
