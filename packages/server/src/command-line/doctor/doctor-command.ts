import { SystemClock } from '@tallybook/system';
import { parseDuration, invalidOption } from '@tallybook/devices';
import { counted, isTallybookError, quote } from '@tallybook/domain';
import { SerialIdSource } from '@tallybook/readers';
import { adaptersOf } from '../../config/adapters.js';
import type { Used } from '../../config/load-adapters.js';
import { describeUsed, partOf, surveyUsed } from './used-adapters.js';
import { describeSurvey, surveyDevices } from '../../doctor/device-survey.js';
import { suggestReader, type Suggestion } from './suggest-reader.js';
import { tryReader, type Trial, type TrialEvent, type TriedReader } from '../../doctor/try-reader.js';

/** Flags of the command. */
export interface DoctorFlags {
  readonly json?: boolean;
  /** URL of a reader to try instead of a survey. */
  readonly reader?: string;
  /** Longest wait for a tag. Default: {@link TIMEOUT_DEFAULT}. */
  readonly timeout?: string;
}

/** Default of the longest wait for a tag, in the form of the flag. */
export const TIMEOUT_DEFAULT = '30s';

const TIMEOUT_MIN_MS = 1_000;
const TIMEOUT_MAX_MS = 3_600_000;

/**
 * Lists the devices and what to do to use them; or, with a reader, reads one tag.
 *
 * Rejects with `INVALID_OPTION` if the URL of the reader or the time is not valid.
 *
 * @param used The third-party adapters, which it lists too.
 * @param write Takes the lines for people, or one line of JSON.
 * @param signal Ends the wait for a tag.
 * @returns The exit code: 1 if a reader was tried and read no tag, else 0.
 */
export async function doctor(
  flags: DoctorFlags,
  used: readonly Used[],
  write: (line: string) => void,
  signal: AbortSignal,
): Promise<number> {
  const timeoutMs = parseTimeout(flags.timeout ?? TIMEOUT_DEFAULT);
  if (flags.reader !== undefined) return tryOne(flags.reader, timeoutMs, used, flags, write, signal);
  const parts = await surveyDevices();
  const adapters = await surveyUsed(used);
  if (flags.json === true)
    write(JSON.stringify(adapters.length === 0 ? parts : [...parts, partOf(adapters)]));
  else for (const line of [...describeUsed(adapters), ...describeSurvey(parts)]) write(line);
  return 0;
}

async function tryOne(
  url: string,
  timeoutMs: number,
  used: readonly Used[],
  { json, timeout = TIMEOUT_DEFAULT }: DoctorFlags,
  write: (line: string) => void,
  signal: AbortSignal,
): Promise<number> {
  const dependencies = { clock: new SystemClock(), isTrial: true };
  const { readers } = adaptersOf(used.map(({ registration }) => registration));
  const reader: TriedReader = readers.create(url, dependencies);
  const say = json === true ? (): void => undefined : write;
  if (reader.caution !== undefined) say(`Note: ${reader.caution}.`);
  say(`Hold a tag to ${reader.name}; waiting ${timeout} for it.`);
  // AbortSignal.timeout is not used, because it would not keep the process alive.
  const time = new AbortController();
  const timer = setTimeout(() => time.abort(), timeoutMs);
  const ends = AbortSignal.any([signal, time.signal]);
  const trial = await tryReader(reader, (event) => say(describeEvent(event)), ends).finally(() =>
    clearTimeout(timer),
  );
  const suggestion =
    trial.id === undefined && reader instanceof SerialIdSource
      ? suggestReader(url, reader, trial.received, dependencies)
      : undefined;
  if (json === true) write(JSON.stringify(toJson(url, trial, suggestion)));
  say(describeTrial(trial, reader));
  if (suggestion !== undefined) say(describeSuggestion(suggestion));
  return trial.id === undefined ? 1 : 0;
}

function parseTimeout(text: string): number {
  try {
    const timeoutMs = parseDuration(text);
    if (timeoutMs >= TIMEOUT_MIN_MS && timeoutMs <= TIMEOUT_MAX_MS) return timeoutMs;
  } catch (error) {
    if (!isTallybookError(error, 'INVALID_OPTION')) throw error;
  }
  throw invalidOption(`--timeout: 1s to 1h; got ${quote(text)}`);
}

function describeEvent(event: TrialEvent): string {
  switch (event.kind) {
    case 'connected':
      return 'The device is there.';
    case 'raw':
      return `raw  ${quote(event.raw)}`;
    case 'fault':
      return `${event.error.code}: ${event.error.message}`;
  }
}

/** What to check when a connected reader sends nothing, by its kind. */
const hints: Readonly<Record<string, string>> = {
  serial: 'check the tag, the wiring, protocol= and baud=',
  wiegand: 'check the tag, the wiring, d0= and d1=',
  mqtt: 'check that something is published to the topic, and that format= and where= fit it',
};

/** The id, or why no tag was read. */
function describeTrial({ id, raw, receivedCount, faults, wasConnected }: Trial, reader: TriedReader): string {
  if (id !== undefined) return `id   ${id}`;
  if (!wasConnected) return 'No tag was read: the device is missing.';
  if (faults.some((fault) => isTallybookError(fault, 'INVALID_TALLY_ID'))) {
    const parameter = reader.kind === 'mqtt' ? 'spelling=' : 'format=';
    return `No tag was read: the input is no id in this format. Set another format with ${parameter}, or ${parameter}text if any text may be an id.`;
  }
  const last = faults.at(-1);
  const isWired = reader.kind === 'serial' || reader.kind === 'wiegand';
  if (last !== undefined && (raw !== undefined || !isWired)) return `No tag was read: ${last.message}.`;
  if (raw !== undefined && reader instanceof SerialIdSource && reader.confirm > 1) {
    return 'No tag was read: the reader sent an id only once. If it always does so, add confirm=1 to its URL.';
  }
  const hint = hints[reader.kind ?? ''] ?? 'try another tag, or wait longer with --timeout';
  if (isTallybookError(last, 'FRAME_INVALID')) {
    return `No tag was read, but this came: ${last.message}; ${hint}.`;
  }
  const came =
    receivedCount === 0 ? 'nothing came' : `${counted(receivedCount, 'byte')} came, and no tag in them`;
  return `No tag was read: ${came}; ${hint}.`;
}

function describeSuggestion({ what, url }: Suggestion): string {
  const looks = `What came looks like ${what}.`;
  return url === undefined ? looks : `${looks} Try: tallybook doctor --reader '${url}'`;
}

function toJson(
  url: string,
  { raw, id, faults, wasConnected }: Trial,
  suggestion: Suggestion | undefined,
): object {
  return {
    reader: url,
    wasConnected,
    raw: raw ?? null,
    id: id ?? null,
    looksLike: suggestion === undefined ? null : { what: suggestion.what, reader: suggestion.url ?? null },
    faults: faults.map(({ code, message }) => ({ code, message })),
  };
}
