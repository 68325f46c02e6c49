import type { Secrets } from '../ports/secrets.js';
import type { Credential } from '../values/access.js';
import { authorise } from '../values/roles.js';
import { DAY_SECONDS, toTimestamp, type Timestamp } from '../../values/timestamp.js';
import { hasEnded } from '../access-directory.js';
import type { AccessLedger } from '../access-ledger.js';
import { limitReached } from '../access-limits.js';
import type { CredentialView } from '../access-parts.js';
import { newId } from '../new-id.js';
import type { Principal } from '../principal.js';
import { userNameOf } from '../user-name.js';
import { parseTokenChoice, type TokenChoice } from './token-choice.js';

/** Longer secrets are not checked. */
const SECRET_MAX_LENGTH = 100;
const TOKEN_PREFIX = 'tb_';
const MAX_TOKENS = 1_000;

/** Finds the principal of a session or a token, lists and ends credentials, and makes tokens. */
export class CredentialKeeper {
  readonly #secrets: Pick<Secrets, 'digest' | 'random'>;
  readonly #ledger: AccessLedger;
  readonly #digest: (text: string) => string;

  constructor(secrets: Pick<Secrets, 'digest' | 'random'>, ledger: AccessLedger) {
    this.#secrets = secrets;
    this.#ledger = ledger;
    this.#digest = (text) => secrets.digest(text);
  }

  /** The principal of a secret; `undefined` if the secret is not valid now. */
  authenticate(kind: Credential['kind'], secret: string, now: Timestamp): Principal | undefined {
    if (secret.length > SECRET_MAX_LENGTH) return undefined;
    const known = this.#ledger.directory.find(secret, this.#digest);
    if (known?.credential.kind !== kind) return undefined;
    const today = this.#ledger.dayOf(now);
    if (hasEnded(known.credential, now, today)) return undefined;
    if (known.credential.lastUsed !== today) this.#ledger.noteUse(known, today);
    return known.principal;
  }

  /** `undefined` for never. */
  expiryOf({ credential }: Principal): Timestamp | undefined {
    return credential === undefined
      ? undefined
      : this.#ledger.directory.byId(credential)?.credential.expiresAt;
  }

  list(by: Principal, isForAll: boolean): readonly CredentialView[] {
    const all = isForAll && authorise(by.role, 'manage-access');
    return this.#ledger.directory
      .credentials()
      .filter((credential) => all || isOf(by, credential))
      .map(viewOf);
  }

  async createToken(
    by: Principal,
    choice: TokenChoice,
  ): Promise<{ readonly id: string; readonly token: string }> {
    const { label, role, days } = parseTokenChoice(choice);
    return this.#ledger.act(by, 'manage-access', async () => {
      const { directory } = this.#ledger;
      const tokens = directory.credentials().filter(({ kind }) => kind === 'token');
      if (tokens.length >= MAX_TOKENS) throw limitReached(`${MAX_TOKENS} tokens`);
      const now = this.#ledger.now();
      const token = `${TOKEN_PREFIX}${this.#secrets.random()}`;
      const credential: Credential = {
        ...{ id: newId(this.#secrets), digest: this.#secrets.digest(token), kind: 'token', role, label },
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
    });
  }

  /** Ends a session or a token, and says whether there was one that this principal may end. */
  revoke(principal: Principal, id: string): Promise<boolean> {
    return this.#ledger.act(principal, undefined, async (by) => {
      const credential = this.#ledger.directory.byId(id)?.credential;
      if (credential === undefined) return false;
      if (!isOf(by, credential) && !authorise(by.role, 'manage-access')) return false;
      await this.#ledger.end(id);
      const { kind, label, user } = credential;
      const whose: Readonly<Record<string, string>> = kind === 'token' ? { label } : { user: user ?? '' };
      await this.#ledger.note(by.name, 'credential-revoked', { id, kind, ...whose });
      return true;
    });
  }

  /** Ends the session or token of a principal, if it has not ended yet. */
  signOut({ name, credential: id }: Principal): Promise<void> {
    return this.#ledger.turn(async () => {
      if (id === undefined || this.#ledger.directory.byId(id) === undefined) return;
      await this.#ledger.end(id);
      await this.#ledger.note(name, 'signed-out');
    });
  }
}

/** A token is no user: it may end only itself. */
function isOf(by: Principal, { id, user }: Credential): boolean {
  return id === by.credential || (user !== undefined && user === by.name);
}

function viewOf({ id, kind, role, user, label, createdAt, expiresAt, lastUsed }: Credential): CredentialView {
  return { id, kind, role, user, label, createdAt, expiresAt, lastUsed };
}
