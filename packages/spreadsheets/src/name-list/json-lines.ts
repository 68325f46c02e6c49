import { setImmediate } from 'node:timers/promises';
import type { ListRow } from '@tallybook/domain/record';
import type { ColumnChoices } from './columns.js';
import { refuse, LINE_MAX_LENGTH, TOO_LONG, type ListReading } from './remarks.js';

/** Lines read in one turn: a few milliseconds of work, after which other work has its turn. */
const LINES_OF_TURN = 500;

/** The content of a line, or a line end. */
const LINE = /[^\r\n]+|\r\n|[\r\n]/g;

/**
 * Reads JSON Lines: `{"person","id","number","first","last","groups"}`, all of them optional but a name, or with
 * `"name":{"first","last"}`, the form of a single name in the interface. `id` and `groups` are a text or several. Other
 * properties can be chosen.
 */
export async function* readJsonLines(
  text: string,
  choices: ColumnChoices,
  reading: ListReading,
): AsyncGenerator<ListRow, void, undefined> {
  let line = 1;
  let count = 0;
  for (const [found] of text.matchAll(LINE)) {
    if (++count % LINES_OF_TURN === 0) await setImmediate();
    if (/^[\r\n]/.test(found)) line++;
    else if (found.trim() !== '') yield readLine(line, found, choices, reading);
  }
}

/** Names of further properties that are told. */
const MOST_UNUSED = 100;

function readLine(line: number, text: string, choices: ColumnChoices, reading: ListReading): ListRow {
  if (text.length > LINE_MAX_LENGTH) return refuse(line, `the line ${TOO_LONG}`);
  const value = parseObject(text);
  if (value === undefined) return refuse(line, 'the line is not a JSON object, as the first one is');
  const keys = {
    ...{ id: choices.id ?? 'id', first: choices.first ?? 'first', last: choices.last ?? 'last' },
    ...{ number: choices.number ?? 'number', groups: choices.group ?? 'groups' },
    person: choices.person ?? 'person',
  };
  const known = [...Object.values(keys), 'name'];
  const unused = Object.keys(value).filter((key) => !known.includes(key) && !reading.unused.includes(key));
  reading.unused.push(...unused.slice(0, MOST_UNUSED - reading.unused.length));
  const { name: inner } = value;
  const names = inner ?? value;
  const nameKeys = names === value ? keys : { first: 'first', last: 'last' };
  if (!isObject(names)) return refuse(line, NOT_TEXT('name'));
  const read = {
    person: textOf(value[keys.person]),
    tags: textsOf(value[keys.id]),
    number: textOf(value[keys.number]),
    first: textOf(names[nameKeys.first]),
    last: textOf(names[nameKeys.last]),
    groups: textsOf(value[keys.groups]),
  };
  const wrong = Object.entries(read).find(([, each]) => each === undefined);
  if (wrong !== undefined)
    return refuse(line, NOT_TEXT(keys[wrong[0] === 'tags' ? 'id' : (wrong[0] as 'first')]));
  const { person = '', tags = [], number = '', first = '', last = '', groups = [] } = read;
  return {
    line,
    ...(person !== '' && { person }),
    tags,
    ...(keys.number in value && { number }),
    name: { first, last },
    ...(keys.groups in value && { groups }),
  };
}

const NOT_TEXT = (what: string): string => `the value of ${what} is not a text`;

/** A text, empty if it is missing; `undefined` if it is something else. A whole number has its digits. */
function textOf(value: unknown = ''): string | undefined {
  if (typeof value === 'string') return value.trim();
  if (value === null) return '';
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined;
}

function textsOf(value: unknown): readonly string[] | undefined {
  const texts = (Array.isArray(value) ? (value as readonly unknown[]) : [value]).map(textOf);
  return texts.includes(undefined)
    ? undefined
    : (texts.filter((text = '') => text !== '') as readonly string[]);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return { ...value };
  } catch {
    // It is refused, like JSON that is not an object.
  }
  return undefined;
}
