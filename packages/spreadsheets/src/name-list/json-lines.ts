import { setImmediate } from 'node:timers/promises';
import type { ListedName } from '@tallybook/domain/record';
import type { ColumnChoices } from './columns.js';
import { refuse, LINE_MAX_LENGTH, TOO_LONG, type ListReading } from './remarks.js';

/** Lines read in one turn: a few milliseconds of work, after which other work has its turn. */
const LINES_OF_TURN = 500;

/** The content of a line, or a line end. */
const LINE = /[^\r\n]+|\r\n|[\r\n]/g;

/**
 * Reads JSON Lines: `{"id","first","last"}`, or `{"id","name":{"first","last"}}`, the form of a single name in the
 * interface. Other properties can be chosen.
 */
export async function* readJsonLines(
  text: string,
  choices: ColumnChoices,
  reading: ListReading,
): AsyncGenerator<ListedName, void, undefined> {
  let line = 1;
  let count = 0;
  for (const [found] of text.matchAll(LINE)) {
    if (++count % LINES_OF_TURN === 0) await setImmediate();
    if (/^[\r\n]/.test(found)) line++;
    else if (found.trim() !== '') yield* readLine(line, found, choices, reading);
  }
}

/** Names of further properties that are told. */
const MOST_UNUSED = 100;

function readLine(
  line: number,
  text: string,
  { id: idKey = 'id', first: firstKey = 'first', last: lastKey = 'last' }: ColumnChoices,
  reading: ListReading,
): readonly ListedName[] {
  if (text.length > LINE_MAX_LENGTH) return [refuse(line, `the line ${TOO_LONG}`)];
  const value = parseObject(text);
  if (value === undefined) return [refuse(line, 'the line is not a JSON object, as the first one is')];
  const { [idKey]: id = '', name, [firstKey]: first, [lastKey]: last, ...others } = value;
  const unused = Object.keys(others).filter((key) => !reading.unused.includes(key));
  reading.unused.push(...unused.slice(0, MOST_UNUSED - reading.unused.length));
  if (id !== '' && id !== null) return [{ line, id, name: name ?? { first, last } }];
  reading.withoutTag++;
  return [];
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // It is refused, like JSON that is not an object.
  }
  return undefined;
}
