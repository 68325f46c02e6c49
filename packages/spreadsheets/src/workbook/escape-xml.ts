const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Text as it stands between the tags of XML. What XML does not have, which old stores may hold in names, becomes U+FFFD. */
export function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- They are what is looked for.
      .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\uFFFE\uFFFF]/g, '\uFFFD')
      .replace(/[&<>]/g, (character) => entities[character] ?? '')
  );
}
