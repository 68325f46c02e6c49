import { createInterface } from 'node:readline';
import { formatDay, quote, type TallyId } from '@tallybook/domain';
import { ambiguous, TypedIds, type FoundTag, type IdReading, type KnownTag } from '@tallybook/domain/record';
import type { Config } from '../config/config.js';
import { SystemClock, SystemSecrets } from '@tallybook/system';

/** Streams for a question: standard input, and standard error for the question. */
export interface QuestionStreams {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WritableStream;
}

export const terminal = (): QuestionStreams => ({ input: process.stdin, output: process.stderr });

/** Asks a person at a terminal. Resolves with `true` if the answer is yes. */
export async function confirms(question: string, streams: QuestionStreams = terminal()): Promise<boolean> {
  return /^\s*y(?:es)?\s*$/i.test(await ask(`${question} [y/N] `, streams));
}

/** Asks a person at a terminal for one of several choices. Resolves with its index; `undefined` for another answer. */
async function chooses(
  question: string,
  count: number,
  streams: QuestionStreams = terminal(),
): Promise<number | undefined> {
  const index = Number(await ask(`${question} [1-${count}] `, streams)) - 1;
  return Number.isInteger(index) && index >= 0 && index < count ? index : undefined;
}

function ask(question: string, streams: QuestionStreams): Promise<string> {
  const lines = createInterface({ ...streams, historySize: 0 });
  return new Promise<string>((resolve) => {
    lines.question(question, resolve);
    // Closed by Ctrl+C or Ctrl+D.
    lines.once('close', () => resolve(''));
  }).finally(() => lines.close());
}

/** Reads ids as readers write them, for a command without a running service. The readers are not opened. */
export function typedIdsOf({ readers, adapters }: Pick<Config, 'readers' | 'adapters'>): TypedIds {
  const clock = new SystemClock();
  const secrets = new SystemSecrets();
  const formats = readers.map((url) => adapters.readers.create(url, { clock }).idFormat ?? {});
  return new TypedIds(formats, (text) => secrets.digest(text));
}

/**
 * The tag that a person means by a text. If it was not written in hex, its reading is shown. If there are several, a person at a
 * terminal is asked; without one it rejects with `AMBIGUOUS_TALLY_ID`.
 */
export async function chooseTag(text: string, found: readonly FoundTag[]): Promise<TallyId> {
  const [only, other] = found;
  if (only === undefined) throw ambiguous(found);
  if (other === undefined) {
    if (only.format !== 'hex') process.stderr.write(`${describeReading(text, only)}\n`);
    return only.id;
  }
  const choices = found.map((each) => `${describeReading(text, each)} (${each.format})`);
  const chosen = found[(await choose(`${quote(text)} may be one of several tags`, choices)) ?? NaN];
  if (chosen === undefined) throw ambiguous(found);
  return chosen.id;
}

/** The index that a person chooses; `undefined` without a terminal, or without a choice. */
export async function choose(what: string, choices: readonly string[]): Promise<number | undefined> {
  if (!process.stdin.isTTY) return undefined;
  const lines = choices.map((choice, index) => `  ${index + 1}: ${choice}`);
  process.stderr.write(`${[`${what}:`, ...lines].join('\n')}\n`);
  return chooses('which one is meant?', choices.length);
}

/** Describes a reading for people, such as `0563537489 = 21 96 E6 51, last seen on 2026-11-28 at door`. */
export function describeReading(
  text: string,
  { id, name, lastSeen }: Pick<IdReading, 'id'> & KnownTag,
): string {
  const parts = [`${text} = ${id.replaceAll(/..(?!$)/g, '$& ')}`];
  if (name !== undefined) parts.push(quote(`${name.first} ${name.last}`.trim()));
  const where = lastSeen?.reader === undefined ? '' : ` at ${lastSeen.reader}`;
  parts.push(lastSeen === undefined ? 'not seen yet' : `last seen on ${formatDay(lastSeen.day)}${where}`);
  return parts.join(', ');
}
