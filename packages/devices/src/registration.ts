import type {
  Clock,
  IdSource,
  Indicator,
  Lifecycle,
  ReceiptStore,
  Storage,
  Subscribable,
  TallybookError,
  Timekeeper,
} from '@tallybook/domain';
import type { AccessFacets, IdentityProvider, IdentityRules } from '@tallybook/domain/access';
import type { PersonalFacets } from '@tallybook/domain/personal';
import type { Finding, RecordFacets } from '@tallybook/domain/record';
import type { StampSource, SyncFacets } from '@tallybook/domain/sync';
import type { DeviceUrl } from './device-url.js';
import type { Publisher, PublisherDependencies } from './publishing/publisher.js';
import type { DeviceConnection } from './reconnection.js';

/**
 * Major version of registrations. A program uses only those of its own version; both sides have the number from the copy of
 * this package that they were built with.
 */
export const REGISTRATION_VERSION = 1;

/** What an adapter brings along, whatever its kind. */
interface Registered<Kind extends string, Made> {
  readonly kind: Kind;
  /** {@link REGISTRATION_VERSION} */
  readonly version: number;
  /** What the URLs of it begin with: lower case letters, digits, `+`, `.` and `-`. One kind has each scheme once. */
  readonly scheme: string;
  /** Form of its URL, for `--help`: `tcp://HOST:PORT?name=NAME`. */
  readonly usage: string;
  /** Its settings with what they mean, for people. Default: none. */
  readonly settings?: Readonly<Record<string, AdapterSetting>>;
  /** Health of what it has made, besides what the service checks of each of this kind. Default: none. */
  health?(made: Made): Finding | Promise<Finding>;
  /** Lines for `tallybook doctor`: what is found on this machine, and what to do to use it. Default: none. */
  doctor?(): Promise<readonly string[]>;
}

/** A setting of an adapter: a parameter of its URL, or for an identity provider an option of the command line. */
export interface AdapterSetting {
  readonly help: string;
  /** As text. Default: it has no value unless it is given. */
  readonly default?: string;
}

/** The adapter of a device that is named by a URL. */
export interface DeviceRegistration<
  Kind extends string,
  Device extends object,
  Dependencies,
> extends Registered<Kind, Device> {
  /**
   * Advice where to put a user and a password, such as `put them into a file: credentials=FILE`. It is part of the
   * message that refuses them in a URL. Default: none.
   */
  readonly login?: string | undefined;
  /** Advice how to give a device another name. Default: `give one of them name=…`. */
  readonly naming?: string | undefined;
  /**
   * The client that a broker takes the device for; `undefined` if it has an id of its own anyway. Two devices must not be one
   * client. Default: it is behind no broker.
   */
  brokerClient?(url: DeviceUrl): BrokerClient | undefined;
  /** Makes the device that the URL names, without opening it. Throws `INVALID_OPTION` if the URL is wrong. */
  make(url: DeviceUrl, dependencies: Dependencies): Device;
}

export interface BrokerClient {
  /** `HOST:PORT` */
  readonly broker: string;
  /** Equal for two devices only if the broker would take them for one client. */
  readonly client: string;
}

export interface ReaderDependencies {
  readonly clock: Clock;
  /** Input of `stdin:`. Default: the standard input of the process. */
  readonly stdin?: NodeJS.ReadableStream;
  /** Keeps the taken numbers of devices, for `http:`. Default: memory. */
  readonly receipts?: ReceiptStore;
  /** The timekeeper of the attendance service, for `http:`. Default: one that trusts the clock from 2020 on. */
  readonly timekeeper?: Timekeeper;
  /** Whether the reader is only tried: it takes no readings away from a service with the same reader. Default: no. */
  readonly isTrial?: boolean;
}

export interface IndicatorDependencies {
  readonly clock: Clock;
}

/**
 * An indicator with a device.
 *
 * `open()` succeeds even if the device is missing; the adapter tries again for ever. Signals are dropped while the
 * device is missing: when it is back, the person is no longer at the reader.
 */
export interface DeviceIndicator extends Indicator, Lifecycle {
  /** Unique on the device. */
  readonly name: string;
  /** Name of the reader whose taps it shows; `undefined` if it shows the taps at all readers. */
  readonly reader: string | undefined;
  /** `OUTPUT_FAILED`, once for each reason until the device works again. */
  readonly faults: Subscribable<TallybookError>;
  /** Each change of the connection. The indicator opens as `waiting`. */
  readonly connections: Subscribable<DeviceConnection>;
}

export type ReaderRegistration = DeviceRegistration<'reader', IdSource, ReaderDependencies>;
export type IndicatorRegistration = DeviceRegistration<'indicator', DeviceIndicator, IndicatorDependencies>;
export type PublisherRegistration = DeviceRegistration<'publisher', Publisher, PublisherDependencies>;

/** What the server gives a storage. */
export interface StorageDependencies {
  /** A clock that says 0 while the time is not trusted: a wrong time must not make changes look old. */
  readonly clock?: Pick<Clock, 'now'>;
  /** Limits of the journal: the number of changes, and the days for which they are kept. */
  readonly journal?: { readonly limit: number; readonly days: number };
  /** Stamps each changed name, for merging with names of other places. Without it, changes have no stamp. */
  readonly stamps?: StampSource;
  /** All servers of a shared store must have the same calendar. */
  readonly calendar?: { readonly zone: string; readonly dayStart: string };
}

/** What the server needs of a storage. What needs the other facets is offered only if the storage has them. */
export type ServedStorage = Storage & AccessFacets & Partial<RecordFacets & PersonalFacets & SyncFacets>;

export interface StorageRegistration extends Registered<'storage', ServedStorage> {
  /** Makes the storage of a URL, closed. Throws `INVALID_OPTION` if the URL is wrong. */
  make(url: string, dependencies: StorageDependencies): ServedStorage;
}

/** What the server gives an identity provider. */
export interface IdentityDependencies {
  /** Where people reach the page; the provider sends them back to it. */
  readonly redirectUrl: string;
  /** Time of the service, in seconds since 1970. */
  readonly now: () => number;
  /** Writes a line to the log of the service. It has no names and no secrets. */
  readonly log: (details: Readonly<Record<string, unknown>>, message: string) => void;
}

/** The values of the settings of an identity provider, by their names; a list has one value a line. */
export type IdentityValues = Readonly<Record<string, string | undefined>>;

/**
 * An identity provider. Its settings are options of the command line: their names begin with its scheme and `-`. People can sign
 * in at it if the first one has a value. It has no health: nobody asks it until somebody signs in.
 */
export interface IdentityRegistration extends Omit<Registered<'identity', IdentityProvider>, 'health'> {
  /** Throws `INVALID_OPTION` if a setting is wrong. */
  make(settings: IdentityValues, dependencies: IdentityDependencies): IdentityProvider;
  /** How people whom the provider knows become users. Default: only users of this service get in. */
  rules?(settings: IdentityValues): IdentityRules;
  /** Called at the start. Rejects if nobody can sign in, with what to do and with the `cause`; the log warns. Default: no check. */
  check?(settings: IdentityValues): Promise<void>;
}

/** The value by which an adapter becomes known to the server. Its package exports a list of them with the name `adapters`. */
export type Registration =
  | ReaderRegistration
  | IndicatorRegistration
  | PublisherRegistration
  | StorageRegistration
  | IdentityRegistration;

/** Registrations of one kind from a table by scheme. */
export function registrationsOf<Kind extends string, Device extends object, Dependencies>(
  kind: Kind,
  table: Readonly<
    Record<string, Omit<DeviceRegistration<Kind, Device, Dependencies>, 'kind' | 'version' | 'scheme'>>
  >,
): readonly DeviceRegistration<Kind, Device, Dependencies>[] {
  return Object.entries(table).map(([scheme, about]) => ({
    ...{ kind, version: REGISTRATION_VERSION, scheme },
    ...about,
  }));
}
