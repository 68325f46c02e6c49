import { isTallybookError, TallybookError } from '../../errors.js';
import type { Identity, IdentityProvider, ProvenIdentity } from '../ports/identity-provider.js';
import type { User } from '../values/access.js';
import type { Role } from '../values/roles.js';
import type { Secrets } from '../ports/secrets.js';
import type { AccessLedger } from '../access-ledger.js';
import { requireRoomForUser } from '../access-limits.js';
import type { Origin, ProviderStart, SignedIn, SignedInElsewhere } from '../access-parts.js';
import type { Sessions } from '../credentials/sessions.js';
import { requireOtherAdmin } from '../last-admin.js';
import { PROVIDER_SESSION_SECONDS } from '../session-length.js';
import { isNoted, tooSoon, type SignInThrottle } from '../sign-in-throttle.js';
import { accountOf, parseUserName, requireDistinct } from '../user-name.js';
import { grantedRole, type IdentityRules } from './identity-rules.js';
import { userOf } from './link.js';
import { TICKET_SECONDS, TicketSeal } from './ticket-seal.js';

/**
 * Maximum number of browsers that begin at the same time. The same limit holds for those that finish, and for those
 * that sign out.
 */
const MAX_WAITING = 20;
const WAIT_MS = 2_000;
/** Longer answers are not checked. */
const ANSWER_MAX_LENGTH = 8_000;

/** What {@link ProviderDesk} needs. */
export interface ProviderDeskParts {
  readonly provider: IdentityProvider;
  readonly rules: IdentityRules;
  readonly ledger: AccessLedger;
  readonly secrets: Pick<Secrets, 'digest' | 'random'>;
  readonly throttle: SignInThrottle;
  readonly sessions: Sessions;
}

/**
 * Signs in people whose identity a provider confirms.
 *
 * ```
 * begin  -> the browser goes to the provider with a question, and keeps the ticket, which is sealed
 * finish -> ticket and answer -> identity -> the user bound to it, or one that the rules make -> session
 *                                    \-- its hint for signing out is handed on, and not kept
 * ```
 */
export class ProviderDesk {
  readonly #parts: ProviderDeskParts;
  readonly #seal: TicketSeal;
  readonly #waiting = { begin: 0, finish: 0, signOut: 0 };
  /** Failed attempts. */
  #refused = 0;

  constructor(parts: ProviderDeskParts) {
    this.#parts = parts;
    this.#seal = new TicketSeal(parts.secrets, parts.ledger);
  }

  get label(): string {
    return this.#parts.provider.label;
  }

  async begin(): Promise<ProviderStart> {
    return this.#counted('begin', async () => {
      await this.#parts.ledger.refresh();
      this.#requireUsers();
      const { url, ticket } = await this.#parts.provider.begin();
      return { url, ticket: await this.#seal.make(ticket), seconds: TICKET_SECONDS };
    });
  }

  async finish(ticket: unknown, answer: unknown, origin: Origin): Promise<SignedInElsewhere> {
    await this.#parts.ledger.refresh();
    this.#requireUsers();
    const { signOutHint, ...identity } = await this.#identify(ticket, answer, origin);
    try {
      const signedIn = await this.#parts.ledger.turn(() => this.#admit(identity, origin));
      return { ...signedIn, signOutHint };
    } catch (error) {
      const { address } = origin;
      if (isRefusal(error)) this.#noteRefused({ address, subject: identity.subject });
      throw error;
    }
  }

  /** Only for a user who signs in at the provider. */
  async signOutUrl(name: string, hint: string | undefined): Promise<string | undefined> {
    if (this.#parts.ledger.directory.user(name)?.identity === undefined) return undefined;
    return this.#counted('signOut', () => this.#parts.provider.signOutUrl(hint));
  }

  async #identify(ticket: unknown, answer: unknown, origin: Origin): Promise<ProvenIdentity> {
    const { provider, throttle } = this.#parts;
    const attempt = { address: `provider from ${origin.address}` };
    return this.#counted('finish', async () => {
      // An answer that does not fit its ticket, or that comes while the provider is away, does not count as an attempt.
      let giveBack = (): void => undefined;
      const beforeAsking = (): void => {
        throttle.begin(attempt);
        giveBack = () => throttle.succeed(attempt);
      };
      try {
        const asked = this.#seal.open(ticket);
        if (asked === undefined) throw notBegun();
        const identity = await provider.finish(asked, textOf(answer, ANSWER_MAX_LENGTH), beforeAsking);
        giveBack();
        return identity;
      } catch (error) {
        if (isTallybookError(error, 'IDENTITY_REFUSED')) {
          const reason = String(error.details['reason'] ?? 'unknown');
          this.#noteRefused({ address: origin.address, reason });
        }
        throw error;
      }
    });
  }

  /** Call it in a turn of the ledger. */
  async #admit(identity: Identity, origin: Origin): Promise<SignedIn> {
    const { ledger, rules } = this.#parts;
    this.#requireUsers();
    const name = accountOf(identity.name);
    const present = userOf(identity, name === '' ? undefined : name, ledger.directory.users);
    const granted = grantedRole(identity, rules);
    if (present !== undefined && present.identity?.isRoleGranted !== true) {
      return this.#begin(bound(present, identity), present, origin);
    }
    if (present !== undefined) return this.#begin(await this.#regranted(present, granted), present, origin);
    return this.#begin(this.#newUser(identity, granted), undefined, origin);
  }

  /**
   * A user whose role the provider gives, with the present role. If the provider gives no role any more, the user loses all
   * sessions, and all tokens except those of devices.
   */
  async #regranted(user: User, role: Role | undefined): Promise<User> {
    try {
      if (role === undefined) throw unknown('you may not use this service any more', user.identity?.subject);
      if (role !== 'admin') requireOtherAdmin(user, this.#parts.ledger.directory);
      return { ...user, role };
    } catch (error) {
      await this.#endCredentials(user, role === undefined);
      throw error;
    }
  }

  /** A new user for a person. Refused if another user here has the name. */
  #newUser({ issuer, subject, name: called }: Identity, role: Role | undefined): User {
    const { directory } = this.#parts.ledger;
    const isTaken = called !== undefined && directory.user(accountOf(called)) !== undefined;
    if (isTaken) throw unknown('the user with your name here is linked to another account', subject);
    if (role === undefined) throw unknown('you are no user here', subject);
    if (called === undefined) {
      throw unknown('it gives no verified name for you', subject);
    }
    const name = nameOf(called, directory.users, subject);
    requireRoomForUser(directory);
    const createdAt = this.#parts.ledger.now();
    return { name, role, password: undefined, createdAt, identity: { issuer, subject, isRoleGranted: true } };
  }

  /** The first user is an admin, and must not be just anybody at the provider. */
  #requireUsers(): void {
    if (this.#parts.ledger.directory.hasUsers) return;
    throw new TallybookError('NOT_CLAIMED', 'nobody has set this service up, or added a user');
  }

  /** Ends the sessions; with `withTokens` also the tokens except those of devices, as when a user is removed. */
  async #endCredentials({ name }: User, withTokens: boolean): Promise<void> {
    const { ledger } = this.#parts;
    const { directory } = ledger;
    const ended = withTokens ? directory.revocableOf(name) : directory.sessionsOf(name);
    if (ended.length > 0) await ledger.change({ removeCredentials: ended.map(({ id }) => id) });
  }

  /** Writes the user, and begins a session. The other sessions end if the role has changed. */
  async #begin(user: User, before: User | undefined, origin: Origin): Promise<SignedIn> {
    const { ledger, sessions } = this.#parts;
    const { signedIn, changes } = sessions.make(user, origin, PROVIDER_SESSION_SECONDS);
    const isNewRole = before !== undefined && before.role !== user.role;
    const { directory } = ledger;
    const ended = directory.endedBy(before, user.role);
    const isLinked = before?.identity?.issuer === undefined || before.identity.subject === undefined;
    const removeCredentials = [...(changes.removeCredentials ?? []), ...ended.map(({ id }) => id)];
    if (isNewRole || isLinked) {
      await ledger.change({ ...changes, putUsers: [user], removeCredentials });
    } else await ledger.begin({ ...changes, removeCredentials });
    const { name, role } = user;
    if (before === undefined) await ledger.note(name, 'user-added', { user: name, role, by: 'provider' });
    else if (isNewRole || isLinked) {
      await ledger.note(name, 'user-changed', { user: name, role, by: 'provider' });
    }
    const { transport, address } = origin;
    await ledger.note(name, 'signed-in', { transport, address, by: 'provider' });
    return signedIn;
  }

  #noteRefused(details: Readonly<Record<string, string | boolean>>): void {
    const attempts = ++this.#refused;
    if (!isNoted(attempts)) return;
    void this.#parts.ledger.note('anyone', 'sign-in-refused', { attempts, ...details, by: 'provider' });
  }

  async #counted<T>(what: 'begin' | 'finish' | 'signOut', work: () => Promise<T>): Promise<T> {
    if (this.#waiting[what] >= MAX_WAITING) throw tooSoon(WAIT_MS);
    this.#waiting[what]++;
    try {
      return await work();
    } finally {
      this.#waiting[what]--;
    }
  }
}

function bound(user: User, { issuer, subject }: Identity): User {
  return { ...user, identity: { issuer, subject, isRoleGranted: false } };
}

function notBegun(): TallybookError {
  return new TallybookError(
    'IDENTITY_REFUSED',
    'this browser has not begun to sign in here, or longer than ten minutes ago; sign in once more',
    { details: { reason: 'ticket' } },
  );
}

function isRefusal(error: unknown): boolean {
  return isTallybookError(error, 'IDENTITY_UNKNOWN') || isTallybookError(error, 'LAST_ADMIN');
}

function textOf(value: unknown, maxLength: number): string {
  return typeof value === 'string' && value.length <= maxLength ? value : '';
}

function nameOf(called: string, users: readonly User[], subject: string): string {
  try {
    const name = parseUserName(called);
    requireDistinct(name, users);
    return name;
  } catch (cause) {
    if (!isTallybookError(cause, 'INVALID_USER')) throw cause;
    throw unknown(`the name that it gives you is not allowed here: ${cause.message}`, subject);
  }
}

/** Shows the subject to the person, because an admin needs it to add them. */
function unknown(why: string, subject = ''): TallybookError {
  return new TallybookError(
    'IDENTITY_UNKNOWN',
    `you have signed in at the provider, but ${why}; an admin can add you by this subject: ${subject}`,
    { details: { subject } },
  );
}
