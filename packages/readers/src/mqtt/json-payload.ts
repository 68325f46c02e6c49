import { invalidOption } from '@tallybook/devices';
import {
  invalidMessage,
  parseMessage,
  saysNoTag,
  type PayloadReader,
  type ReadTag,
} from './message-texts.js';

/** Largest number of items in one message. */
const MOST_ITEMS = 256;
const SEPARATOR = /[,;|\t]/;
const QUOTES_AROUND = /^"(.*)"$/s;

/**
 * Where the tag is in messages of JSON. A path is one or more names of fields with dots between them, such as
 * `data.uid`.
 *
 * A path may meet a list. Then each item of the list is a tag, and the other paths find their values in the same item.
 */
export interface JsonPayload {
  /** Path of the id: text, or a whole number. */
  readonly field: string;
  /**
   * `csv` if a message is lines of values with `,`, `;`, `|` or tabs between them; a path is then the index of a value,
   * from 0. Default `json`.
   */
  readonly syntax?: 'json' | 'csv' | undefined;
  /**
   * Condition for a message with a tag: `PATH:VALUE` or `PATH:VALUE|VALUE`, such as `type:access`. A path alone selects
   * messages that have a value there. Other messages are skipped. Default: all messages have a tag.
   */
  readonly where?: string | undefined;
  /** Text before the id, which is cut off, such as `0x`. Default: none. */
  readonly prefix?: string | undefined;
  /** Path of the name of the device that read the tag, if several devices publish to one topic. Default: no path. */
  readonly readerField?: string | undefined;
}

/** Form of the name of a device in a message. It follows the name of the reader, after a slash. */
const placeForm = (): RegExp => /^[^\p{Cc}\p{Cs}]{1,100}$/u;

/**
 * Makes a reader of JSON messages. A message without a valid id is a fault, unless `where` skips it.
 *
 * @throws {TallybookError} `INVALID_OPTION` if a path is invalid.
 */
export function createJsonReader(payload: JsonPayload): PayloadReader {
  const { field, where, prefix = '', readerField, syntax } = payload;
  const findId = parsePath('field', field);
  const findPlace = readerField === undefined ? undefined : parsePath('reader-field', readerField);
  const isOfTag = parseCondition(where);
  const readOne = (message: unknown, text: string): readonly ReadTag[] => {
    if (!isOfTag(message)) return [];
    const id = toText(findId(message));
    if (id === undefined) {
      return [{ fault: invalidMessage(`the message has no text and no whole number at "${field}"`, text) }];
    }
    if (saysNoTag(id)) return [];
    if (!id.startsWith(prefix)) {
      const problem = `the value at "${field}" does not begin with "${prefix}"`;
      return [{ fault: invalidMessage(problem, text) }];
    }
    const tag = { text: id.slice(prefix.length).trim() };
    return findPlace === undefined ? [tag] : addPlace(tag, toText(findPlace(message)), text);
  };
  return (text) => {
    const messages = syntax === 'csv' ? parseLines(text) : parseMessage(text);
    if (typeof messages === 'string') return [{ fault: invalidMessage(messages, text) }];
    const tags: ReadTag[] = [];
    let count = 0;
    for (const message of messages) {
      for (const item of expand(message, field.split('.'))) {
        if (++count > MOST_ITEMS) {
          const problem = `the message has more than ${MOST_ITEMS} items; the others were not read`;
          return [...tags, { fault: invalidMessage(problem, text) }];
        }
        tags.push(...readOne(item, text));
      }
    }
    return tags;
  };
}

/** The message once for each item of the lists on the path, with the item in the place of its list. */
function* expand(message: unknown, names: readonly string[]): Generator<unknown, void, undefined> {
  const [name, ...rest] = names;
  const isList = Array.isArray(message) && (name === undefined || !/^[0-9]+$/.test(name));
  for (const item of isList ? (message as unknown[]) : [message]) {
    if (name === undefined || !isContainer(item) || !Object.hasOwn(item, name)) yield item;
    else for (const value of expand(item[name], rest)) yield { ...item, [name]: value };
  }
}

/** Adds the place. A tap without a place is delivered too, and the missing place is a fault. */
function addPlace(tag: { readonly text: string }, place: string | undefined, text: string): ReadTag[] {
  if (place !== undefined && placeForm().test(place)) return [{ ...tag, place }];
  return [tag, { fault: invalidMessage('the message does not say which reader it is from', text) }];
}

type Find = (message: unknown) => unknown;

function parsePath(parameter: string, path: string): Find {
  const names = path.split('.');
  if (names.includes('')) {
    throw invalidOption(
      `${parameter} is the name of a field, or several with dots between, such as data.uid`,
      parameter,
    );
  }
  return (message) =>
    names.reduce<unknown>(
      (value, name) => (isContainer(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      message,
    );
}

function parseCondition(where: string | undefined): (message: unknown) => boolean {
  if (where === undefined) return () => true;
  const [path = '', ...rest] = where.split(':');
  const find = parsePath('where', path);
  const values = rest.length === 0 ? undefined : rest.join(':').split('|');
  return (message) => {
    const found = find(message);
    if (values === undefined) return found !== undefined && found !== null && found !== '';
    return isScalar(found) && values.includes(String(found));
  };
}

function parseLines(text: string): readonly unknown[] {
  const lines = text.split(/[\r\n]+/);
  return lines.map((line) => line.split(SEPARATOR).map((value) => value.trim().replace(QUOTES_AROUND, '$1')));
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** The text of an id. A number is accepted if it is small enough to have all its digits. */
function toText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined;
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
