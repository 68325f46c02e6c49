import { TallybookError } from '../../errors.js';
import type { PasskeyPlace } from '../ports/passkey-verifier.js';
import type { User } from '../values/access.js';
import type { Passkey, SpentChallenge } from '../values/passkey.js';
import { authorise } from '../values/roles.js';
import { newId, parseLabel } from '../ids-and-labels.js';
import type { Principal } from '../principal.js';
import { limitReached } from '../user-rules.js';
import { hasPasskeys, noPasskeys, spend, type PasskeyGate } from './passkey-gate.js';
import {
  CHALLENGE_SECONDS,
  type MaybePlace,
  type NewPasskeyRequest,
  type PasskeyChoice,
  type PasskeyProof,
  type PasskeyView,
  invalidPasskey,
  isCredentialId,
  parsePasskeyAnswer,
} from './passkey-parts.js';

/** Maximum number for one user, for all hosts together. */
const MAX_PASSKEYS = 20;

/** Adds, lists and removes passkeys. */
export class PasskeyKeeper {
  readonly #gate: PasskeyGate;

  /** Made by `AccessService`. */
  constructor(gate: PasskeyGate) {
    this.#gate = gate;
  }

  /**
   * Everything that a browser needs to make a passkey. The answer of the browser is valid for five minutes.
   *
   * The user gives the password again: rejects with `SIGN_IN_REFUSED` and `SIGN_IN_TOO_SOON`. Also rejects with
   * `NOT_ALLOWED` for a user without a password and for a principal that is not a user, `ACCESS_LIMIT_REACHED` beyond 20
   * passkeys, and `PASSKEYS_UNAVAILABLE`.
   */
  request(by: Principal, proof: PasskeyProof, at: MaybePlace): Promise<NewPasskeyRequest> {
    const { ledger, secrets } = this.#gate.parts;
    return ledger.run(async () => {
      const { verifier, place } = this.#gate.require(at);
      await ledger.refresh();
      await this.#prove(by, proof);
      return ledger.act(by, undefined, async () => {
        const user = this.#userOf(by);
        const passkeys = user.passkeys ?? noPasskeys(secrets);
        requireRoom(passkeys.keys);
        if (user.passkeys === undefined) await ledger.change({ putUsers: [{ ...user, passkeys }] });
        const here = passkeys.keys.filter(({ host }) => host === place.host);
        return {
          ...{ host: place.host, seconds: CHALLENGE_SECONDS, user: user.name, handle: passkeys.handle },
          challenge: this.#gate.challengeFor(purposeOf(place, by)),
          algorithms: verifier.algorithms,
          present: here.map(({ credentialId }) => credentialId),
        };
      });
    });
  }

  /**
   * Adds a passkey that a browser has made for a {@link request}. Resolves with its id. Rejects with `INVALID_PASSKEY`,
   * `NOT_ALLOWED`, `ACCESS_LIMIT_REACHED` and `PASSKEYS_UNAVAILABLE`.
   */
  add(by: Principal, { label, answer }: PasskeyChoice, at: MaybePlace): Promise<string> {
    const { ledger, secrets } = this.#gate.parts;
    return ledger.run(async () => {
      const { verifier, place } = this.#gate.require(at);
      const name = parseLabel(label, 'INVALID_PASSKEY');
      const shown = parsePasskeyAnswer(answer);
      await ledger.refresh();
      this.#userOf(by);
      const isChallenge = (text: string): boolean => this.#open(text, place, by) !== undefined;
      const made = await this.#gate.checks.run(() => verifier.verifyMade(shown, { ...place, isChallenge }));
      return ledger.act(by, undefined, async () => {
        const spent = this.#open(made.challenge, place, by);
        const user = this.#userOf(by);
        if (spent === undefined || !hasPasskeys(user)) {
          throw invalidPasskey('its challenge was used already, or has expired; begin again');
        }
        const { credentialId, publicKey, counter, isSynced } = made;
        if (!isCredentialId(credentialId)) throw invalidPasskey('its id is longer than WebAuthn allows');
        if (this.#gate.byCredentialId(credentialId) !== undefined) {
          throw invalidPasskey('this passkey exists already');
        }
        requireRoom(user.passkeys.keys);
        const now = ledger.now();
        const passkey: Passkey = {
          ...{ id: newId(secrets), credentialId, publicKey, counter, isSynced },
          ...{ host: place.host, label: name, createdAt: now, lastUsed: undefined },
        };
        const keys = [...user.passkeys.keys, passkey];
        const passkeys = { ...user.passkeys, keys, spent: spend(user.passkeys, spent, now) };
        await ledger.change({ putUsers: [{ ...user, passkeys }] });
        await ledger.note(by.name, 'passkey-added', { id: passkey.id, label: name, host: place.host });
        return passkey.id;
      });
    });
  }

  /**
   * The passkeys of a user; those of all users with `all` and the right `manage-access`. Ascending by user, those of a
   * user in the order of their making.
   */
  list(by: Principal, options: { readonly all?: boolean } = {}): readonly PasskeyView[] {
    const all = options.all === true && authorise(by.role, 'manage-access');
    return this.#gate
      .all()
      .filter(({ user }) => all || user.name === by.name)
      .map(({ user, passkey }) => viewOf(user, passkey));
  }

  /**
   * Removes a passkey, and ends the sessions of its user except the present one: the device may be lost. Says whether
   * there was one that this principal may remove.
   */
  remove(principal: Principal, id: string): Promise<boolean> {
    const { ledger } = this.#gate.parts;
    return ledger.run(() =>
      ledger.act(principal, undefined, async (by) => {
        const found = this.#gate.byId(id);
        if (found === undefined) return false;
        const { user, passkey } = found;
        if (user.name !== by.name && !authorise(by.role, 'manage-access')) return false;
        const keys = user.passkeys.keys.filter((each) => each.id !== id);
        const sessions = ledger.directory.sessionsOf(user.name).filter((each) => each.id !== by.credential);
        await ledger.change({
          putUsers: [{ ...user, passkeys: { ...user.passkeys, keys } }],
          removeCredentials: sessions.map((each) => each.id),
        });
        await ledger.note(by.name, 'passkey-removed', { id, label: passkey.label, user: user.name });
        return true;
      }),
    );
  }

  #open(challenge: string, place: PasskeyPlace, by: Principal): SpentChallenge | undefined {
    return this.#gate.open(challenge, purposeOf(place, by));
  }

  #userOf(by: Principal): User {
    const user = this.#gate.parts.ledger.directory.user(by.name);
    if (user !== undefined) return user;
    throw new TallybookError('NOT_ALLOWED', 'only a user who is signed in has passkeys');
  }

  /**
   * Asks for the password, because a session alone may be that of an unlocked computer. A user who signs in elsewhere
   * gets no passkey: it would still work here after that sign-in was taken away.
   */
  async #prove(by: Principal, { password, address }: PasskeyProof): Promise<void> {
    const user = this.#userOf(by);
    if (user.password === undefined) {
      throw new TallybookError('NOT_ALLOWED', 'you sign in by a proxy: add passkeys there');
    }
    await this.#gate.parts.passwords.prove(password, { account: user.name, address });
  }
}

/** Includes the session: a challenge of one session is not valid in another one. */
function purposeOf({ host }: PasskeyPlace, { name, credential }: Principal): string {
  return `add ${host} ${credential ?? ''} ${name}`;
}

function requireRoom(keys: readonly Passkey[]): void {
  if (keys.length >= MAX_PASSKEYS) throw limitReached(`${MAX_PASSKEYS} passkeys of this user`);
}

function viewOf(
  { name: user }: User,
  { id, host, label, isSynced, createdAt, lastUsed }: Passkey,
): PasskeyView {
  return { id, user, host, label, isSynced, createdAt, lastUsed };
}
