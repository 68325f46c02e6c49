import type { Secrets } from '../ports/secrets.js';
import type { AccessLedger } from '../access-ledger.js';
import { noPasskeys, sealsOf } from '../passkeys/passkey-book.js';
import { Seal } from '../seal.js';

/** Seconds within which the person has to sign in at the provider. */
export const TICKET_SECONDS = 600;
/** The longest ticket that the port allows, and the seal before it. */
const SEALED_MAX_LENGTH = 2_200;

/**
 * Seals the tickets of a provider, so that only answers to sign-ins that began here reach it.
 *
 * The sealing secret is that of the first user who has one, which all servers find in the store. The first ticket of all
 * makes it. A ticket sealed with the secret of another user is valid too: another user may be the first when the person comes
 * back.
 */
export class TicketSeal {
  readonly #secrets: Pick<Secrets, 'digest' | 'random'>;
  readonly #ledger: AccessLedger;
  readonly #seal: Seal;

  constructor(secrets: Pick<Secrets, 'digest' | 'random'>, ledger: AccessLedger) {
    this.#secrets = secrets;
    this.#ledger = ledger;
    this.#seal = new Seal(secrets, TICKET_SECONDS);
  }

  /** Seals a ticket. There must be a user. */
  async make(ticket: string): Promise<string> {
    const [key = await this.#newKey()] = this.#keys();
    return `${this.#seal.make(key, this.#purposeOf(ticket), this.#ledger.now())}.${ticket}`;
  }

  /** The ticket of the provider; `undefined` if it was not sealed here, or has expired. */
  open(sealed: unknown): string | undefined {
    if (typeof sealed !== 'string' || sealed.length > SEALED_MAX_LENGTH) return undefined;
    const end = sealed.indexOf('.');
    const ticket = sealed.slice(end + 1);
    const purpose = this.#purposeOf(ticket);
    const found = this.#seal.open(this.#keys(), purpose, sealed.slice(0, end), this.#ledger.now());
    return found === undefined ? undefined : ticket;
  }

  #keys(): readonly string[] {
    return sealsOf(this.#ledger.directory);
  }

  #newKey(): Promise<string> {
    return this.#ledger.turn(async () => {
      const [present] = this.#keys();
      if (present !== undefined) return present;
      const [first] = this.#ledger.directory.users;
      const passkeys = noPasskeys(this.#secrets);
      if (first !== undefined) await this.#ledger.change({ putUsers: [{ ...first, passkeys }] });
      return passkeys.seal;
    });
  }

  #purposeOf(ticket: string): string {
    return `provider ${this.#secrets.digest(ticket)}`;
  }
}
