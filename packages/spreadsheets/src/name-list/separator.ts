import { LINE_MAX_LENGTH } from './refuse.js';

const separators = [';', '\t', ','] as const;

type Separator = (typeof separators)[number];

/** What the first line of a CSV says, and what follows it. */
export interface FoundSeparator {
  readonly separator: Separator;
  /** Lines before the table: one if it says what the separator is, which Excel understands. */
  readonly linesBefore: number;
  readonly table: string;
}

const DECLARED = /^"?sep=([;\t,])"?(?:\r\n|\r|\n|$)/i;

/** Finds what separates the cells of a CSV: what its first line has most of. In a quoted cell nothing separates. */
export function findSeparator(text: string): FoundSeparator {
  const declared = DECLARED.exec(text);
  if (declared !== null) {
    return { separator: declared[1] as Separator, linesBefore: 1, table: text.slice(declared[0].length) };
  }
  const [line = ''] = /^.*\S.*$/m.exec(text) ?? [];
  const bare = line.slice(0, LINE_MAX_LENGTH).replaceAll(/"[^"]*"/g, '');
  const counts = separators.map((separator) => ({ separator, count: bare.split(separator).length }));
  // Of equals the first.
  const { separator } = counts.reduce((best, other) => (other.count > best.count ? other : best));
  return { separator, linesBefore: 0, table: text };
}
