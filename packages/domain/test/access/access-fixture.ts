import { Calendar, Timekeeper, type AuditAction, type AuditDetails } from '@tallybook/domain';
import {
  AccessService,
  owner,
  type AccessOptions,
  type IdentityProvider,
  type Origin,
  type PasskeyVerifier,
  type Role,
} from '@tallybook/domain/access';
import { isCommonPassword, SystemSecrets } from '@tallybook/system';
import { ManualClock, MemoryAccessStore, noAccess, type MemoryAccess } from '@tallybook/testing';
import { testOn } from '../fixtures/test-on.js';

export const PASSWORD = 'correct horse battery';
export const DAY_MS = 86_400_000;

export const home: Origin = { address: '192.168.0.7', transport: 'http', label: 'Firefox on Linux' };
/** Like {@link home}, with TLS. */
export const secureHome: Origin = { ...home, transport: 'https' };
/** Like {@link home}, from another address. */
export const from = (address: string): Origin => ({ ...home, address });
export const abroad: Origin = from('203.0.113.9');

interface Note {
  readonly actor: string;
  readonly action: AuditAction;
  readonly details: AuditDetails;
}

interface SharedParts {
  /** Data that other servers may share. */
  readonly contents?: MemoryAccess;
  readonly passkeys?: PasskeyVerifier | undefined;
}

/** An access service over a store in memory, with a clock that the test moves. */
export class AccessFixture implements AsyncDisposable {
  readonly clock = new ManualClock();
  readonly timekeeper = new Timekeeper(this.clock);
  readonly secrets = new SystemSecrets({ workFactor: 10 });
  readonly notes: Note[] = [];
  readonly faults: unknown[] = [];
  readonly contents: MemoryAccess;
  readonly store: MemoryAccessStore;
  readonly access: AccessService;

  protected constructor(
    options: AccessOptions,
    provider?: IdentityProvider,
    { contents = noAccess(), passkeys }: SharedParts = {},
  ) {
    this.contents = contents;
    this.store = new MemoryAccessStore(contents);
    this.access = new AccessService(
      {
        store: this.store,
        secrets: this.secrets,
        isCommonPassword,
        timekeeper: this.timekeeper,
        calendar: new Calendar(),
        audit: {
          note: (actor, action, details = {}) => {
            this.notes.push({ actor, action, details });
            return Promise.resolve();
          },
        },
        onFault: (error) => this.faults.push(error),
        ...(provider !== undefined && { provider }),
        passkeys,
      },
      options,
    );
  }

  static async open(
    options: AccessOptions = {},
    provider?: IdentityProvider,
    contents?: MemoryAccess,
  ): Promise<AccessFixture> {
    return new AccessFixture(options, provider, { ...(contents && { contents }) }).start();
  }

  protected async start(): Promise<this> {
    await this.store.open();
    await this.access.open();
    return this;
  }

  /** A service with an admin, `ada`, and one user for each further role, named after the role. */
  static async claimed(...roles: readonly Role[]): Promise<AccessFixture> {
    const fixture = await AccessFixture.open({ requiresClaim: true });
    await fixture.access.users.put(owner, { name: 'ada', password: PASSWORD });
    for (const role of roles) await fixture.access.users.put(owner, { name: role, role, password: PASSWORD });
    return fixture;
  }

  /** Another server on the same store. */
  async another(provider?: IdentityProvider, options: AccessOptions = {}): Promise<AccessService> {
    const { store, secrets, timekeeper } = this;
    const parts = { store, secrets, isCommonPassword, timekeeper, calendar: new Calendar() };
    const other = new AccessService({ ...parts, ...(provider !== undefined && { provider }) }, options);
    await other.open();
    return other;
  }

  /** Waits until the work in the background has ended. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 30; turn++) await Promise.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.access.close();
    await this.store.close();
  }
}

/** The error code of a rejected promise; `none` if it resolves. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'none';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

export const itClaimed = testOn(() => AccessFixture.claimed());
export const itWithViewer = testOn(() => AccessFixture.claimed('viewer'));
export const itWithAdmin = testOn(() => AccessFixture.claimed('admin'));
export const itUnclaimed = testOn(() => AccessFixture.open({ requiresClaim: true }));
/** Everybody may do everything. */
export const itUnguarded = testOn(() => AccessFixture.open());
