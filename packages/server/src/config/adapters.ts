import {
  DeviceRegistry,
  invalidOption,
  REGISTRATION_VERSION,
  type DeviceIndicator,
  type IdentityRegistration,
  type IndicatorDependencies,
  type Publisher,
  type PublisherDependencies,
  type ReaderDependencies,
  type Registration,
  type StorageRegistration,
} from '@tallybook/devices';
import { isTallybookError, printable, quote, type IdSource, type TallybookError } from '@tallybook/domain';
import { ownAdapters } from './own-adapters.js';

type Kind = Registration['kind'];
type Of<K extends Kind> = Extract<Registration, { readonly kind: K }>;

const KINDS: Readonly<Record<Kind, true>> = {
  reader: true,
  indicator: true,
  publisher: true,
  storage: true,
  identity: true,
};
const SCHEME = /^[a-z][a-z0-9+.-]*$/;
const FLAG = /^[a-z0-9-]*[a-z0-9]$/;

/** All adapters that a configuration may name, by kind. */
export class Adapters {
  readonly readers: DeviceRegistry<IdSource, ReaderDependencies>;
  readonly indicators: DeviceRegistry<DeviceIndicator, IndicatorDependencies>;
  readonly publishers: DeviceRegistry<Publisher, PublisherDependencies>;
  readonly stores: readonly StorageRegistration[];
  readonly identities: readonly IdentityRegistration[];

  /** @param others Third-party adapters, besides the own ones of the program. */
  constructor(others: readonly Registration[] = []) {
    const all = [...ownAdapters, ...others];
    const of = <K extends Kind>(kind: K): readonly Of<K>[] =>
      all.filter((each): each is Of<K> => each.kind === kind);
    this.readers = new DeviceRegistry('reader', of('reader'));
    this.indicators = new DeviceRegistry('indicator', of('indicator'));
    this.publishers = new DeviceRegistry('publisher', of('publisher'));
    this.stores = of('storage');
    this.identities = of('identity');
  }
}

const own = new Adapters();

/** The own adapters of the program, and third-party ones. */
export function adaptersOf(others: readonly Registration[] = []): Adapters {
  return others.length === 0 ? own : new Adapters(others);
}

/**
 * Checks a third-party value that should be a registration.
 *
 * @param before Third-party ones that are used already.
 * @throws {TallybookError} `INVALID_OPTION` if it is not one, was built for another version, or has a scheme that is taken.
 */
export function checkRegistration(value: unknown, before: readonly Registration[]): Registration {
  const { kind, version, scheme, usage, settings, make } = Object(value) as Readonly<
    Record<keyof Registration, unknown>
  >;
  if (typeof kind !== 'string' || typeof version !== 'number') {
    throw invalidOption(`it is not the registration of an adapter; got ${describe(value)}`);
  }
  if (version !== REGISTRATION_VERSION) {
    const what = `the ${kind} ${quote(scheme)} was built for version ${version} of registrations`;
    throw invalidOption(`${what}; this program takes version ${REGISTRATION_VERSION}`);
  }
  if (!Object.hasOwn(KINDS, kind)) {
    throw invalidOption(
      `the kind of an adapter is one of ${Object.keys(KINDS).join(', ')}; got ${quote(kind)}`,
    );
  }
  if (typeof scheme !== 'string' || !SCHEME.test(scheme)) {
    throw invalidOption(
      `the scheme of a ${kind} is a lower-case letter, then lower-case letters, digits, +, . and -; got ${quote(scheme)}`,
    );
  }
  if (typeof usage !== 'string' || typeof make !== 'function') {
    throw invalidOption(`the ${kind} ${quote(scheme)} has no usage or no make`);
  }
  if ([...ownAdapters, ...before].some((other) => other.kind === kind && other.scheme === scheme)) {
    throw invalidOption(`there is a ${kind} with the scheme ${quote(scheme)} already`);
  }
  for (const [name, about] of Object.entries(Object(settings) as object)) {
    if (typeof (Object(about) as { readonly help?: unknown }).help !== 'string') {
      throw invalidOption(`the setting ${quote(name)} of the ${kind} ${quote(scheme)} has no help`);
    }
    if (kind === 'identity' && !(name.startsWith(`${scheme}-`) && FLAG.test(name))) {
      throw invalidOption(
        `the settings of the identity ${quote(scheme)} begin with ${scheme}-, then lower-case letters, digits and -; got ${quote(name)}`,
      );
    }
  }
  return guarded(value as Registration);
}

/** What third-party code threw, in one line. */
export function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return quote(thrown);
  const [line = ''] = thrown.message.split('\n', 1);
  return printable(line);
}

/** The registration, with failures to make anything as `INVALID_OPTION`: at the start they are reported like wrong settings. */
function guarded(registration: Registration): Registration {
  const failed = (reason: string, cause?: unknown): TallybookError =>
    invalidOption(`the adapter ${quote(registration.scheme)} failed: ${reason}`, undefined, cause);
  const make = (...args: readonly unknown[]): object => {
    let made: unknown;
    try {
      made = Reflect.apply(registration.make, registration, args);
    } catch (error) {
      throw isTallybookError(error) ? error : failed(reasonOf(error), error);
    }
    if (typeof made !== 'object' || made === null) throw failed('it made nothing');
    return made;
  };
  // The prototype keeps what is a method or a getter of a class.
  return Object.create(registration, { make: { value: make } }) as Registration;
}

function describe(value: unknown): string {
  if (typeof value !== 'object' || value === null) return quote(value);
  return `an object with ${Object.keys(value).join(', ') || 'nothing in it'}`;
}
