import { LINE_MAX_LENGTH } from './refuse.js';

const separators = [';', '\t', ','] as const;

type Separator = (typeof separators)[number];

/** The separator of a CSV, and its table. */
export interface FoundSeparator {
  readonly separator: Separator;
  /** Lines before the table: one if the file begins with a `sep=` line for Excel, else none. */
  readonly linesBefore: number;
  readonly table: string;
}

const DECLARED = /^"?sep=([;\t,])"?(?:\r\n|\r|\n|$)/i;

/**
 * Finds the separator of a CSV: that of its `sep=` line, else the most frequent one in its first line, outside quoted
 * cells.
 */
export function findSeparator(text: string): FoundSeparator {
  const declared = DECLARED.exec(text);
  if (declared !== null) {
    return { separator: declared[1] as Separator, linesBefore: 1, table: text.slice(declared[0].length) };
  }
  const [line = ''] = /^.*\S.*$/m.exec(text) ?? [];
  const bare = line.slice(0, LINE_MAX_LENGTH).replaceAll(/"[^"]*"/g, '');
  const counts = separators.map((separator) => ({ separator, count: bare.split(separator).length }));
  // The first of several equally frequent separators.
  const { separator } = counts.reduce((best, other) => (other.count > best.count ? other : best));
  return { separator, linesBefore: 0, table: text };
}
