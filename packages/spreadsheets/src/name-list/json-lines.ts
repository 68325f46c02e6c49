import { setImmediate } from 'node:timers/promises';
import type { ListedName } from '@tallybook/domain';
import { refuse, LINE_MAX_LENGTH, TOO_LONG } from './refuse.js';

/** Lines read in one turn: a few milliseconds of work, after which other work has its turn. */
const LINES_OF_TURN = 500;

/** The content of a line, or a line end. */
const LINE = /[^\r\n]+|\r\n|[\r\n]/g;

/**
 * Reads JSON Lines: `{"id","first","last"}`, or `{"id","name":{"first","last"}}`, the form of a single name in the
 * interface.
 */
export async function* readJsonLines(text: string): AsyncGenerator<ListedName, void, undefined> {
  let line = 1;
  let count = 0;
  for (const [found] of text.matchAll(LINE)) {
    if (++count % LINES_OF_TURN === 0) await setImmediate();
    if (/^[\r\n]/.test(found)) line++;
    else if (found.trim() !== '') yield readLine(line, found);
  }
}

function readLine(line: number, text: string): ListedName {
  if (text.length > LINE_MAX_LENGTH) return refuse(line, `the line ${TOO_LONG}`);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const { id, name, first, last } = value as Readonly<Record<string, unknown>>;
      return { line, id, name: name ?? { first, last } };
    }
  } catch {
    // Refused below, like JSON that is no object.
  }
  return refuse(line, 'the line is not a JSON object, as the first one is');
}
