import { LINE_MAX_LENGTH } from './refuse.js';

const separators = [';', '\t', ','] as const;

type Separator = (typeof separators)[number];

/** The separator of a CSV, and its table. */
export interface FoundSeparator {
  readonly separator: Separator;
  /** Lines before the table: one if it says what the separator is, which Excel understands. */
  readonly linesBefore: number;
  readonly table: string;
}

const DECLARED = /^"?sep=([;\t,])"?(?:\r\n|\r|\n|$)/i;

/** Finds the separator of a CSV: the one that its first line has most often, outside quoted cells. */
export function findSeparator(text: string): FoundSeparator {
  const declared = DECLARED.exec(text);
  if (declared !== null) {
    return { separator: declared[1] as Separator, linesBefore: 1, table: text.slice(declared[0].length) };
  }
  const [line = ''] = /^.*\S.*$/m.exec(text) ?? [];
  const bare = line.slice(0, LINE_MAX_LENGTH).replaceAll(/"[^"]*"/g, '');
  const counts = separators.map((separator) => ({ separator, count: bare.split(separator).length }));
  // The first one of several that are equally frequent.
  const { separator } = counts.reduce((best, other) => (other.count > best.count ? other : best));
  return { separator, linesBefore: 0, table: text };
}
