import { quote, TallybookError } from '../../errors.js';
import type { Credential } from '../values/access.js';
import { authorise, parseRole, type Role } from '../values/roles.js';
import { DAY_SECONDS, toTimestamp, type Timestamp } from '../../values/timestamp.js';
import { hasEnded } from '../access-directory.js';
import type { AccessLedger } from '../access-ledger.js';
import type { AccessDependencies, CredentialView } from '../access-parts.js';
import { newId, parseLabel } from '../ids-and-labels.js';
import type { Principal } from '../principal.js';
import { limitReached, userNameOf } from '../user-rules.js';

/** Longer secrets are not checked. */
const SECRET_MAX_LENGTH = 100;
const TOKEN_PREFIX = 'tb_';
const MAX_TOKENS = 1_000;

export const TOKEN_MAX_DAYS = 3_660;

/** Properties of a new token; untrusted. */
export interface TokenChoice {
  readonly label: unknown;
  readonly role: unknown;
  /** Days until the token ends; `undefined` for never. */
  readonly days?: unknown;
}

/** Finds the principal of a session or a token, lists and ends credentials, and makes tokens. */
export class CredentialKeeper {
  readonly #parts: Pick<AccessDependencies, 'secrets' | 'timekeeper'>;
  readonly #ledger: AccessLedger;

  /** Made by `AccessService`. */
  constructor(parts: Pick<AccessDependencies, 'secrets' | 'timekeeper'>, ledger: AccessLedger) {
    this.#parts = parts;
    this.#ledger = ledger;
  }

  /** The principal of a request that shows a secret; `undefined` if the secret is not valid. */
  authenticate(kind: Credential['kind'], secret: string): Principal | undefined {
    if (secret.length > SECRET_MAX_LENGTH) return undefined;
    const { secrets, timekeeper } = this.#parts;
    const now = timekeeper.now();
    const known = this.#ledger.directory.find(secret, (text) => secrets.digest(text));
    if (known?.credential.kind !== kind) return undefined;
    const today = this.#ledger.dayOf(now);
    if (hasEnded(known.credential, now, today)) return undefined;
    if (known.credential.lastUsed !== today) this.#ledger.noteUse(known, today);
    return known.principal;
  }

  /** When a principal has to sign in again; `undefined` for never. */
  expiryOf({ credential }: Principal): Timestamp | undefined {
    return credential === undefined
      ? undefined
      : this.#ledger.directory.byId(credential)?.credential.expiresAt;
  }

  /** The sessions and tokens of a user; those of all users with `all` and the right `manage-access`. Latest first. */
  list(by: Principal, options: { readonly all?: boolean } = {}): readonly CredentialView[] {
    const all = options.all === true && authorise(by.role, 'manage-access');
    return this.#ledger.directory
      .credentials()
      .filter((credential) => all || isOf(by, credential))
      .map(viewOf);
  }

  /**
   * Makes a token for a program. Only this result holds its secret.
   *
   * Rejects with `INVALID_TOKEN`, and `ACCESS_LIMIT_REACHED` beyond 1,000 tokens.
   */
  async createToken(
    by: Principal,
    choice: TokenChoice,
  ): Promise<{ readonly id: string; readonly token: string }> {
    const { label, role, days } = parseTokenChoice(choice);
    const create = async (): Promise<{ readonly id: string; readonly token: string }> => {
      const { directory } = this.#ledger;
      const { secrets } = this.#parts;
      const tokens = directory.credentials().filter(({ kind }) => kind === 'token');
      if (tokens.length >= MAX_TOKENS) throw limitReached(`${MAX_TOKENS} tokens`);
      const now = this.#ledger.now();
      const token = `${TOKEN_PREFIX}${secrets.random()}`;
      const credential: Credential = {
        ...{ id: newId(secrets), digest: secrets.digest(token), kind: 'token', role, label },
        // A token made by another token belongs to that token's user, or it would outlast the user. A principal from a
        // proxy has a name that a user can have; `anyone` and `console` are not such names.
        user: by.user ?? userNameOf(by.name),
        createdAt: now,
        expiresAt: days === undefined ? undefined : toTimestamp(now + days * DAY_SECONDS),
        lastUsed: undefined,
      };
      await this.#ledger.change({ putCredentials: [credential] });
      await this.#ledger.note(by.name, 'token-added', { id: credential.id, label, role });
      return { id: credential.id, token };
    };
    return this.#ledger.run(() => this.#ledger.act(by, 'manage-access', create));
  }

  /** Ends a session or a token, and says whether there was one that this principal may end. */
  revoke(principal: Principal, id: string): Promise<boolean> {
    const revoke = async (by: Principal): Promise<boolean> => {
      const credential = this.#ledger.directory.byId(id)?.credential;
      if (credential === undefined) return false;
      if (!isOf(by, credential) && !authorise(by.role, 'manage-access')) return false;
      await this.#ledger.end(id);
      const { kind, label, user } = credential;
      const whose: Readonly<Record<string, string>> = kind === 'token' ? { label } : { user: user ?? '' };
      await this.#ledger.note(by.name, 'credential-revoked', { id, kind, ...whose });
      return true;
    };
    return this.#ledger.run(() => this.#ledger.act(principal, undefined, revoke));
  }

  /** Ends the session or token of a principal, if it has not ended yet. */
  signOut({ name, credential: id }: Principal): Promise<void> {
    const signOut = async (): Promise<void> => {
      if (id === undefined || this.#ledger.directory.byId(id) === undefined) return;
      await this.#ledger.end(id);
      await this.#ledger.note(name, 'signed-out');
    };
    return this.#ledger.run(() => this.#ledger.transaction(signOut));
  }
}

/** A token is not a user: it may end only itself. */
function isOf(by: Principal, { id, user }: Credential): boolean {
  return id === by.credential || (user !== undefined && user === by.name);
}

function viewOf({ id, kind, role, user, label, createdAt, expiresAt, lastUsed }: Credential): CredentialView {
  return { id, kind, role, user, label, createdAt, expiresAt, lastUsed };
}

/** @throws {TallybookError} `INVALID_TOKEN`. */
function parseTokenChoice({ label, role, days }: TokenChoice): {
  readonly label: string;
  readonly role: Role;
  readonly days: number | undefined;
} {
  if (
    days !== undefined &&
    !(Number.isInteger(days) && (days as number) >= 1 && (days as number) <= TOKEN_MAX_DAYS)
  ) {
    throw new TallybookError(
      'INVALID_TOKEN',
      `days: 1 to ${TOKEN_MAX_DAYS}, or nothing for a token that does not end; got ${quote(days)}`,
    );
  }
  return {
    label: parseLabel(label, 'INVALID_TOKEN'),
    role: parseRole(role, 'INVALID_TOKEN'),
    days: days as number | undefined,
  };
}
