import { signal, type Signal } from '@preact/signals';
import {
  TallybookClientError,
  type Settings,
  type SettingState,
  type StoredSetting,
} from '@tallybook/client';
import { readerWithoutName } from './reader-urls.js';

/** Values for the next start; null: the default again. */
export type NewSettings = Partial<Record<Exclude<StoredSetting, 'readers'>, string | null>> & {
  readers?: readonly string[] | null;
};

const DAY_MS = 86_400_000;

/** Guests are kept that long if nothing else is set. */
export const KEEP_GUESTS_DEFAULT = '30days';
/** Days begin at that time if nothing else is set. */
const DAY_START_DEFAULT = '00:00';

/** The settings of the service as somebody is changing them. An empty text, or an empty list, is the default. */
export class SettingsForm {
  private readonly states: ReadonlyMap<StoredSetting, SettingState>;
  readonly name: Signal<string>;
  readonly zone: Signal<string>;
  readonly dayStart: Signal<string>;
  readonly keep: Signal<string>;
  readonly keepGuests: Signal<string>;
  readonly backup: Signal<string>;
  readonly readers: Signal<readonly string[]>;

  /** @param proposedZone Chosen unless somebody has set a zone. */
  constructor({ settings }: Settings, proposedZone?: string) {
    this.states = new Map(settings.map((state) => [state.name, state]));
    const isZoneSet = this.isGiven('zone') || (this.states.get('zone')?.stored ?? null) !== null;
    this.name = signal(this.textOf('name'));
    this.zone = signal(isZoneSet ? this.textOf('zone') : (proposedZone ?? this.textOf('zone')));
    this.dayStart = signal(this.textOf('dayStart') || DAY_START_DEFAULT);
    this.keep = signal(this.textOf('keep'));
    this.keepGuests = signal(this.textOf('keepGuests') || KEEP_GUESTS_DEFAULT);
    this.backup = signal(this.textOf('backup'));
    this.readers = signal(this.listOf('readers'));
  }

  /** Whether the machine gives the setting, so that it cannot be changed here. */
  isGiven(name: StoredSetting): boolean {
    return this.states.get(name)?.source === 'given';
  }

  /** The value for the next start, as it is saved; empty for the default. */
  textOf(name: StoredSetting): string {
    return this.listOf(name).join(', ');
  }

  listOf(name: StoredSetting): readonly string[] {
    const state = this.states.get(name);
    // The reader that a service has without any setting is its keyboard: nobody has chosen it.
    if (name === 'readers' && state?.source === 'default' && state.stored === null) return [];
    const value = this.isGiven(name) ? state?.inUse : (state?.stored ?? state?.inUse);
    return [value ?? []].flat();
  }

  /** What is to be saved. */
  changes(): NewSettings {
    const changes: NewSettings = {};
    for (const name of ['name', 'zone', 'dayStart', 'keep', 'keepGuests', 'backup'] as const) {
      const text = this[name].value.trim();
      if (!this.isGiven(name) && text !== this.savedOf(name)) changes[name] = text === '' ? null : text;
    }
    const readers = this.readers.value;
    const before = this.listOf('readers');
    const isSame = readers.length === before.length && readers.every((each) => before.includes(each));
    if (!this.isGiven('readers') && !isSame) changes.readers = readers.length === 0 ? null : readers;
    return changes;
  }

  /** Readers in use now, that are not chosen any more. */
  leftReaders(): readonly string[] {
    const chosen = new Set(this.readers.value.map(readerWithoutName));
    return this.listOf('readers').filter((url) => !chosen.has(readerWithoutName(url)));
  }

  /** What a field shows if nothing is changed: a default that the service does not send is known here. */
  private savedOf(name: Exclude<StoredSetting, 'readers'>): string {
    const defaults: NewSettings = { dayStart: DAY_START_DEFAULT, keepGuests: KEEP_GUESTS_DEFAULT };
    return this.textOf(name) || (defaults[name] ?? '');
  }
}

/** The settings whose saved value the next start will use, unlike the present one. */
export function waitingSettings({ settings }: Settings): readonly StoredSetting[] {
  return settings
    .filter(({ source, stored, inUse }) => {
      // Without a stored value, the next start takes the default.
      const isReset = stored === null && source === 'stored';
      return source !== 'given' && (isReset || (stored !== null && !isSame(stored, inUse)));
    })
    .map(({ name }) => name);
}

function isSame(one: SettingState['inUse'], other: SettingState['inUse']): boolean {
  return [one].flat().join('\n') === [other].flat().join('\n');
}

/** The setting that the service refuses; `undefined` for another failure. */
export function refusedSetting(error: unknown): string | undefined {
  if (!(error instanceof TallybookClientError) || error.status === undefined) return undefined;
  return error.code === 'INVALID_SETTING' ? /^\w+/.exec(error.message)?.[0] : undefined;
}

/**
 * The first day that is kept, as the service counts; 0 if all are.
 *
 * @param keep Such as `24months`; empty or `never` for all.
 */
export function firstKeptDay(keep: string, today: number): number {
  const [, digits, unit] = /^(\d+)(day|month|year)s?$/.exec(keep) ?? [];
  const count = Number(digits);
  if (unit === undefined) return 0;
  if (unit === 'day') return Math.max(0, today - count);
  const date = new Date(today * DAY_MS);
  const month = date.getUTCMonth() - (unit === 'year' ? 12 * count : count);
  const lastOfMonth = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0));
  const dayOfMonth = Math.min(date.getUTCDate(), lastOfMonth.getUTCDate());
  return Math.max(0, lastOfMonth.setUTCDate(dayOfMonth) / DAY_MS);
}

/** Minimum time between two looks whether a service is back, in milliseconds. */
const LOOK_MS = 1_000;

/**
 * Resolves when the service has started again.
 *
 * @param readStart Reads the time of its start, and rejects while it is away.
 * @param before The time of the start before.
 */
export async function untilRestarted(
  readStart: () => Promise<number>,
  before: number,
  {
    signal,
    pause = () => new Promise((resolve) => setTimeout(resolve, LOOK_MS)),
  }: { readonly signal: AbortSignal; readonly pause?: () => Promise<unknown> },
): Promise<void> {
  while (!signal.aborted) {
    const start = await readStart().catch(() => before);
    if (start !== before) return;
    await pause();
  }
}
