import { TallybookError } from '../../errors.js';
import type { PasskeyPlace, UsedPasskey } from '../ports/passkey-verifier.js';
import type { SpentChallenge } from '../values/passkey.js';
import type { Origin, SignedIn } from '../access-parts.js';
import { isNoted, tooSoon, type CountedAttempt } from '../sign-in-throttle.js';
import {
  MAX_SPENT,
  spend,
  type Keyholder,
  type OwnedPasskey,
  unavailable,
  type PasskeyGate,
} from './passkey-gate.js';
import {
  CHALLENGE_SECONDS,
  type MaybePlace,
  type PasskeyChallenge,
  parseShownPasskey,
} from './passkey-parts.js';

/** Why an answer is refused, for the audit trail. */
interface Suspicion {
  /** The counter has not increased: the passkey may have been copied. */
  readonly counter?: true;
}

type Refuse = (why?: Suspicion) => TallybookError;

/**
 * Signs people in with passkeys.
 *
 * Challenges are not stored, so requests and wrong answers write nothing to the store. A challenge is sealed, so that
 * every server on the store recognises it. A right answer writes the challenge as answered, together with the new session.
 */
export class PasskeySignIn {
  readonly #gate: PasskeyGate;
  /** Failed attempts with unknown passkeys. */
  #strangers = 0;

  /** Made by `AccessService`. */
  constructor(gate: PasskeyGate) {
    this.#gate = gate;
  }

  /** Whether any user can sign in with a passkey at a place. */
  isReadyAt(place: MaybePlace): boolean {
    if (this.#gate.parts.verifier === undefined || place === undefined) return false;
    return this.#gate.hasPasskeyAt(place.host);
  }

  /**
   * A challenge for a sign-in of any user. It is valid for five minutes, at every server on the store.
   *
   * Rejects with `PASSKEYS_UNAVAILABLE` if nobody can sign in with a passkey there.
   */
  challenge(at: MaybePlace): Promise<PasskeyChallenge> {
    const { parts } = this.#gate;
    return parts.ledger.run(async () => {
      const { host } = this.#gate.require(at).place;
      await parts.ledger.refresh();
      if (!this.#gate.hasPasskeyAt(host)) throw nobodyAt(host);
      return { challenge: this.#gate.challengeFor(purposeAt(host)), host, seconds: CHALLENGE_SECONDS };
    });
  }

  /**
   * Signs in the user who answers a challenge.
   *
   * Rejects with `SIGN_IN_REFUSED` for an unknown passkey and for a wrong signature, both after the same time. Rejects
   * with `INVALID_PASSKEY` if it is not an answer of a browser, `SIGN_IN_TOO_SOON` and `PASSKEYS_UNAVAILABLE`.
   *
   * @param answer `AuthenticationResponseJSON` of WebAuthn; untrusted.
   */
  signIn(answer: unknown, at: MaybePlace, origin: Origin): Promise<SignedIn> {
    const { ledger, throttle, secrets } = this.#gate.parts;
    return ledger.run(async () => {
      const { verifier, place } = this.#gate.require(at);
      const shown = parseShownPasskey(answer);
      this.#gate.checks.requireRoom();
      await ledger.refresh();
      // Where there are no passkeys, the library that checks them is not loaded.
      if (!this.isReadyAt(place)) throw nobodyAt(place.host);
      const account = `passkey ${secrets.digest(shown.credentialId)}`;
      const found = this.#find(shown.credentialId, place);
      // The id of a passkey is a random secret of its device, as the mark of a browser is.
      const attempt = { account, address: origin.address, browser: found && 'passkey' };
      const counted = throttle.begin(attempt);
      const refuse: Refuse = (why) => {
        this.#noteRefused(found?.user, { counted, address: origin.address, ...why });
        return new TallybookError('SIGN_IN_REFUSED', 'the passkey is not known here, or its answer is wrong');
      };
      const isChallenge = (text: string): boolean => this.#open(text, place) !== undefined;
      const used = await this.#gate.checks.run(() =>
        verifier.verifyUsed(shown.answer, { ...place, isChallenge }, found?.passkey.publicKey),
      );
      if (found === undefined || used === undefined) throw refuse();
      if (shown.handle !== found.user.passkeys.handle) throw refuse();
      const signedIn = await ledger.transaction(() => this.#begin({ found, used, place, origin, refuse }));
      throttle.succeed(attempt);
      return signedIn;
    });
  }

  /** Begins a session, if the answer is still valid. Call it in a transaction of the ledger. */
  async #begin({
    found: before,
    used,
    place,
    origin,
    refuse,
  }: {
    readonly found: OwnedPasskey;
    readonly used: UsedPasskey;
    readonly place: PasskeyPlace;
    readonly origin: Origin;
    readonly refuse: Refuse;
  }): Promise<SignedIn> {
    const { ledger, sessions } = this.#gate.parts;
    const spent = this.#open(used.challenge, place);
    const found = this.#find(before.passkey.credentialId, place);
    // A user without a password must sign in elsewhere.
    if (spent === undefined || found?.user.password === undefined) throw refuse();
    const { user, passkey } = found;
    // The counter of passkeys that are synced between devices stays at 0.
    if (used.counter <= passkey.counter && passkey.counter > 0) throw refuse({ counter: true });
    const now = ledger.now();
    const nowSpent = spend(user.passkeys, spent, now);
    if (nowSpent.length > MAX_SPENT) throw tooSoon(CHALLENGE_SECONDS * 1_000);
    const { counter } = used;
    const keys = user.passkeys.keys.map((each) =>
      each.id === passkey.id ? { ...each, counter, lastUsed: ledger.dayOf(now) } : each,
    );
    const { signedIn, changes } = sessions.make(user, origin);
    const passkeys = { ...user.passkeys, keys, spent: nowSpent };
    await ledger.begin({ ...changes, putUsers: [{ ...user, passkeys }] });
    const { transport, address } = origin;
    await ledger.note(user.name, 'signed-in', { transport, address, passkey: passkey.id });
    return signedIn;
  }

  #open(challenge: string, { host }: PasskeyPlace): SpentChallenge | undefined {
    return this.#gate.open(challenge, purposeAt(host));
  }

  #find(credentialId: string, { host }: PasskeyPlace): OwnedPasskey | undefined {
    const found = this.#gate.byCredentialId(credentialId);
    return found?.passkey.host === host ? found : undefined;
  }

  /** The caller does not wait for it: the time of an answer must not show which passkeys exist. */
  #noteRefused(
    user: Keyholder | undefined,
    { counted, address, ...why }: Suspicion & { readonly counted: CountedAttempt; readonly address: string },
  ): void {
    const attempts = user === undefined ? ++this.#strangers : counted.failures;
    const isDue = user === undefined ? isNoted(attempts) : counted.isNoted;
    if (!isDue && why.counter === undefined) return;
    void this.#gate.parts.ledger.note(user?.name ?? 'anyone', 'sign-in-refused', {
      ...{ attempts, isKnown: user !== undefined, address, passkey: true, ...why },
    });
  }
}

function nobodyAt(host: string): TallybookError {
  return unavailable(`nobody has a passkey for ${host}`);
}

function purposeAt(host: string): string {
  return `sign-in ${host}`;
}
