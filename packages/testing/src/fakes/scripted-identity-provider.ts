import { TallybookError } from '@tallybook/domain';
import type { Identity, IdentityProvider, ProvenIdentity, SignInStart } from '@tallybook/domain/access';

const ISSUER = 'https://id.example.org';

/** A provider at which a test signs people in: {@link answer} says who they are. */
export class ScriptedIdentityProvider implements IdentityProvider {
  readonly label: string = 'Example';
  readonly issuer: string;
  /** People with an account there, by subject. */
  readonly people: Map<string, Omit<Identity, 'issuer'>>;
  /** URL of the page of this service. */
  readonly page: string = 'https://tally.example.org/';
  /** Secret of this service at the provider. */
  readonly secret: string = 'a secret of the service';
  /** Whether the provider cannot be asked. */
  isAway = false;

  constructor(people: readonly Omit<Identity, 'issuer'>[] = [], issuer: string = ISSUER) {
    this.people = new Map(people.map((person) => [person.subject, person]));
    this.issuer = issuer;
  }

  async begin(): Promise<SignInStart> {
    await this.#requireThere();
    const ticket = `${Math.random()}-${Math.random()}`;
    return { url: `${this.issuer}/?state=${ticket}`, ticket };
  }

  /** The query with which the browser is sent back if this person signs in at a URL. */
  answer(url: string, subject: string): string {
    return `${url.slice(url.indexOf('?') + 1)}&subject=${encodeURIComponent(subject)}`;
  }

  async finish(ticket: string, answer: string, beforeAsking?: () => void): Promise<ProvenIdentity> {
    await this.#requireThere();
    const [, state, subject] = /^state=([^&]+)&subject=([^&]+)$/.exec(answer) ?? [];
    if (state === ticket) beforeAsking?.();
    const person = subject === undefined ? undefined : this.people.get(decodeURIComponent(subject));
    if (person !== undefined && state === ticket) {
      return { ...person, issuer: this.issuer, signOutHint: hintOf(person.subject) };
    }
    throw new TallybookError('IDENTITY_REFUSED', 'this proves nothing', { details: { reason: 'script' } });
  }

  async signOutUrl(hint?: string): Promise<string | undefined> {
    await this.#requireThere();
    const isKnown = [...this.people.keys()].some((subject) => hintOf(subject) === hint);
    return isKnown ? `${this.issuer}/end?hint=${hint}` : `${this.issuer}/end`;
  }

  /** The URL to which a browser is sent after signing out at a URL. */
  leave(url: string): string {
    return new URL(url).pathname === '/end' ? this.page : this.issuer;
  }

  #requireThere(): Promise<void> {
    if (!this.isAway) return Promise.resolve();
    const error = new TallybookError('IDENTITY_UNAVAILABLE', 'nobody answers', {
      details: { reason: 'away' },
    });
    return Promise.reject(error);
  }
}

function hintOf(subject: string): string {
  return `hint.${encodeURIComponent(subject).replace(/%/g, '_')}`;
}
