import { isTallybookError, TallybookError } from '../../errors.js';
import type { Identity, IdentityProvider, ProvenIdentity } from '../ports/identity-provider.js';
import type { User } from '../values/access.js';
import { groupRoles, type Role } from '../values/roles.js';
import type { Secrets } from '../ports/secrets.js';
import type { AccessLedger } from '../access-ledger.js';
import type { Origin, ProviderStart, SignedIn, SignedInElsewhere } from '../access-parts.js';
import type { Sessions } from '../credentials/sessions.js';
import type { Principal } from '../principal.js';
import type { Seals } from '../seals.js';
import { isNoted, WorkLimit, type SignInThrottle } from '../sign-in-throttle.js';
import {
  accountOf,
  parseUserName,
  requireDistinct,
  requireOtherAdmin,
  requireRoomForUser,
} from '../user-rules.js';
import { grantedRole, userOf, type IdentityRules } from './identities.js';

/** Seconds within which the person has to sign in at the provider. */
const TICKET_SECONDS = 600;
/** The longest ticket that the port allows, and the seal before it. */
const SEALED_MAX_LENGTH = 2_200;
/** Longer answers are not checked. */
const ANSWER_MAX_LENGTH = 8_000;

/**
 * Seconds after which somebody has to sign in at the identity provider again, whatever the role. A role that the provider
 * has taken away may last here for that long.
 */
const PROVIDER_SESSION_SECONDS = 12 * 3_600;

/** What {@link ProviderDesk} needs. */
export interface ProviderDeskParts {
  /** `undefined` where there is none. */
  readonly provider: IdentityProvider | undefined;
  readonly rules: IdentityRules;
  readonly ledger: AccessLedger;
  readonly secrets: Pick<Secrets, 'digest'>;
  readonly seals: Seals;
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
  /** The browsers that begin, finish and sign out. */
  readonly #work = { begin: new WorkLimit(), finish: new WorkLimit(), signOut: new WorkLimit() };
  /** Failed attempts. */
  #refused = 0;

  /** Made by `AccessService`. */
  constructor(parts: ProviderDeskParts) {
    this.#parts = parts;
  }

  /** Name of the identity provider for people; `undefined` if there is none. */
  get label(): string | undefined {
    return this.#parts.provider?.label;
  }

  /**
   * Begins to sign somebody in at the identity provider. The server keeps nothing of it; the ticket is sealed, so that only
   * answers to sign-ins that began here reach the provider.
   *
   * Rejects with `IDENTITY_UNAVAILABLE`, with `NOT_CLAIMED` as long as there is no user, and with `SIGN_IN_TOO_SOON`.
   */
  begin(): Promise<ProviderStart> {
    const { ledger, seals } = this.#parts;
    return ledger.run(async () => {
      const provider = this.#requireProvider();
      return this.#work.begin.run(async () => {
        await ledger.refresh();
        this.#requireUsers();
        const { url, ticket } = await provider.begin();
        const sealed = `${seals.make(this.#purposeOf(ticket), TICKET_SECONDS)}.${ticket}`;
        return { url, ticket: sealed, seconds: TICKET_SECONDS };
      });
    });
  }

  /**
   * Signs in the person that the identity provider confirms, as the user who is bound to this person, or as a new user by
   * `identityRules`. The name alone never makes a person an existing user. Ticket and answer may be untrusted.
   *
   * Rejects with `IDENTITY_REFUSED` if the answer proves nothing; `IDENTITY_UNKNOWN` and `details.subject` if the person is
   * not a user and cannot become one; `LAST_ADMIN` if nobody else could manage access after this user gets a smaller role;
   * `ACCESS_LIMIT_REACHED`; and as {@link begin}. A user whose role the provider has taken away loses all sessions, and all
   * tokens except those of devices.
   */
  finish(ticket: unknown, answer: unknown, origin: Origin): Promise<SignedInElsewhere> {
    const { ledger } = this.#parts;
    return ledger.run(async () => {
      const provider = this.#requireProvider();
      await ledger.refresh();
      this.#requireUsers();
      const { signOutHint, ...identity } = await this.#identify(provider, { ticket, answer, origin });
      try {
        const signedIn = await ledger.transaction(() => this.#admit(identity, origin));
        return { ...signedIn, signOutHint };
      } catch (error) {
        const { address } = origin;
        if (isRefusal(error)) this.#noteRefused({ address, subject: identity.subject });
        throw error;
      }
    });
  }

  /**
   * URL for signing out at the identity provider too; `undefined` for a user who does not sign in there, or if the provider has
   * no such URL. Rejects with `IDENTITY_UNAVAILABLE` and `SIGN_IN_TOO_SOON`.
   *
   * @param hint The `signOutHint` of the session that ends, not of another session. Without it, the provider may ask whether to
   * sign out, or refuse.
   */
  signOutUrl({ name }: Principal, hint?: string): Promise<string | undefined> {
    const { ledger, provider } = this.#parts;
    return ledger.run(async () => {
      if (provider === undefined || ledger.directory.user(name)?.identity === undefined) return undefined;
      return this.#work.signOut.run(() => provider.signOutUrl(hint));
    });
  }

  #requireProvider(): IdentityProvider {
    if (this.#parts.provider !== undefined) return this.#parts.provider;
    throw new TallybookError('IDENTITY_UNAVAILABLE', 'this service has no identity provider');
  }

  #purposeOf(ticket: string): string {
    return `provider ${this.#parts.secrets.digest(ticket)}`;
  }

  /** The ticket of the provider; `undefined` if it was not sealed here, or has expired. */
  #openTicket(sealed: unknown): string | undefined {
    if (typeof sealed !== 'string' || sealed.length > SEALED_MAX_LENGTH) return undefined;
    const end = sealed.indexOf('.');
    const ticket = sealed.slice(end + 1);
    const found = this.#parts.seals.open(sealed.slice(0, end), this.#purposeOf(ticket), TICKET_SECONDS);
    return found === undefined ? undefined : ticket;
  }

  async #identify(
    provider: IdentityProvider,
    {
      ticket,
      answer,
      origin,
    }: { readonly ticket: unknown; readonly answer: unknown; readonly origin: Origin },
  ): Promise<ProvenIdentity> {
    const { throttle } = this.#parts;
    const attempt = { address: `provider from ${origin.address}` };
    return this.#work.finish.run(async () => {
      // An answer that does not fit its ticket, or that comes while the provider is away, does not count as an attempt.
      let giveBack = (): void => undefined;
      const beforeAsking = (): void => {
        throttle.begin(attempt);
        giveBack = () => throttle.succeed(attempt);
      };
      try {
        const asked = this.#openTicket(ticket);
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

  /** Call it in a transaction of the ledger. */
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
      if (user.groups !== undefined && !groupRoles.includes(role)) {
        const why = `your role ${role} there does not fit the groups that you are bound to here`;
        throw unknown(why, user.identity?.subject);
      }
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
    if (role === undefined) throw unknown('you do not have an account here', subject);
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
    const ended = directory.endedBy(before, user);
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
