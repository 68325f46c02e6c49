import assert from 'node:assert/strict';
import { TallybookError } from '@tallybook/domain';
import type { Identity, IdentityProvider } from '@tallybook/domain/access';
import {
  casesOf,
  onSubject,
  runCases,
  type ContractCase,
  type ContractOptions,
  type TestRunner,
} from '../../runner.js';

/** A person with an account at the provider. */
export type ProviderPerson = Omit<Identity, 'issuer'>;

export interface IdentityProviderSubject {
  readonly provider: IdentityProvider;
  /** Makes another object for the same provider, as on a second server. */
  readonly another: () => IdentityProvider;
  /** Signs a person in at the URL, and resolves with the query with which the provider sends the browser back. */
  readonly answer: (url: string, subject: string) => Promise<string>;
  /**
   * Signs out at the URL, and resolves with the URL to which the provider sends the browser. Not called if the provider
   * has no URL for signing out.
   */
  readonly leave: (url: string) => Promise<string>;
  /** URL of the page of this service. */
  readonly page: string;
  /** Secrets of this service, such as its secret at the provider. No result may hold them. */
  readonly secrets: readonly string[];
  /** From now on the provider cannot be asked, not even by objects of {@link another}. */
  readonly goAway: () => Promise<void>;
  readonly cleanup: () => Promise<void>;
}

/** `make` makes a provider that knows these people. */
export type IdentityProviderContractOptions = ContractOptions<
  (people: readonly ProviderPerson[]) => Promise<IdentityProviderSubject> | IdentityProviderSubject
>;

/** Checks the promises of {@link IdentityProvider}, except those about logs. */
export function identityProviderContract(runner: TestRunner, options: IdentityProviderContractOptions): void {
  runCases(runner, 'an IdentityProvider', cases, options);
}

const ada: ProviderPerson = { subject: '248289761001', name: 'Ada', groups: ['staff', 'Front Desk'] };
const bob: ProviderPerson = { subject: 'b0b|ß', name: undefined, groups: [] };

function on(
  title: string,
  check: (subject: IdentityProviderSubject) => Promise<void>,
): ContractCase<IdentityProviderContractOptions['make']> {
  return onSubject(title, (make) => make([ada, bob]), check);
}

/** The hint for signing out that a person gets by signing in. */
async function hintFor(
  { provider, answer }: IdentityProviderSubject,
  { subject }: ProviderPerson,
): Promise<string | undefined> {
  const { url, ticket } = await provider.begin();
  const { signOutHint } = await provider.finish(ticket, await answer(url, subject));
  return signOutHint;
}

function refuses(work: Promise<unknown>): Promise<void> {
  return assert.rejects(work, { code: 'IDENTITY_REFUSED' });
}

const cases: readonly ContractCase<IdentityProviderContractOptions['make']>[] = casesOf(on, {
  'has a label of 1 to 100 characters': async ({ provider: { label } }) => {
    await Promise.resolve();
    assert.match(label, /^.{1,100}$/u);
  },
  'gives the person who signed in, the same each time': async ({ provider, answer }) => {
    const issuers = new Set<string>();
    for (const person of [ada, bob, ada]) {
      const { url, ticket } = await provider.begin();
      const proven = await provider.finish(ticket, await answer(url, person.subject));
      const { issuer, signOutHint: _, ...found } = proven;
      assert.deepEqual(found, person);
      issuers.add(issuer);
    }
    assert.equal(issuers.size, 1);
  },
  'distinguishes people who sign in at the same time': async ({ provider, answer }) => {
    const [one, other] = [await provider.begin(), await provider.begin()];
    const [first, second] = [await answer(one.url, ada.subject), await answer(other.url, bob.subject)];
    assert.equal((await provider.finish(other.ticket, second)).subject, bob.subject);
    assert.equal((await provider.finish(one.ticket, first)).subject, ada.subject);
  },
  'keeps nothing between the two halves: another server may finish': async (subject) => {
    const { url, ticket } = await subject.provider.begin();
    const identity = await subject.another().finish(ticket, await subject.answer(url, ada.subject));
    assert.equal(identity.subject, ada.subject);
  },
  'makes tickets that a cookie can carry, another one each time': async ({ provider }) => {
    const tickets = new Set<string>();
    for (let n = 0; n < 20; n++) {
      const { ticket } = await provider.begin();
      assert.match(ticket, /^[A-Za-z0-9._-]{1,2000}$/);
      tickets.add(ticket);
    }
    assert.equal(tickets.size, 20);
  },
  'refuses an answer with the ticket of another browser': async ({ provider, answer }) => {
    const [one, other] = [await provider.begin(), await provider.begin()];
    await refuses(provider.finish(other.ticket, await answer(one.url, ada.subject)));
  },
  'refuses an answer without its ticket': async ({ provider, answer }) => {
    const { url, ticket } = await provider.begin();
    const said = await answer(url, ada.subject);
    for (const wrong of ['', ' ', ticket.slice(0, -1), `${ticket}x`, '..', 'null']) {
      await refuses(provider.finish(wrong, said));
    }
  },
  'says when it is about to ask, for an answer that fits its ticket and no other': async (subject) => {
    const { provider, answer } = subject;
    const [one, other] = [await provider.begin(), await provider.begin()];
    const said = await answer(one.url, ada.subject);
    let asked = 0;
    const beforeAsking = (): void => void asked++;
    for (const wrong of [other.ticket, '']) await refuses(provider.finish(wrong, said, beforeAsking));
    assert.equal(asked, 0);
    await assert.rejects(
      provider.finish(one.ticket, said, () => {
        throw new TallybookError('SIGN_IN_TOO_SOON', 'not now');
      }),
      { code: 'SIGN_IN_TOO_SOON' },
    );
    // The provider was not asked, so the answer can still be used.
    assert.equal((await provider.finish(one.ticket, said, beforeAsking)).subject, ada.subject);
    assert.equal(asked, 1);
  },
  'says where a browser signs out there, the same for everybody, if it can': async ({
    provider,
    another,
  }) => {
    const url = await provider.signOutUrl();
    assert.equal(await another().signOutUrl(), url);
    if (url !== undefined) assert.match(new URL(url).protocol, /^https?:$/);
  },
  'reveals neither the person nor a secret in the address for signing out': async (subject) => {
    const { provider, answer, secrets } = subject;
    const before = await provider.signOutUrl();
    for (const person of [ada, bob]) {
      const { url, ticket } = await provider.begin();
      await provider.finish(ticket, await answer(url, person.subject));
      assert.equal(await provider.signOutUrl(), before);
    }
    for (const secret of secrets) assert.ok(!decodeURIComponent(before ?? '').includes(secret));
  },
  'has a browser that signs out there sent back to the page, with a hint or without': async (subject) => {
    const { provider, leave, page } = subject;
    for (const hint of [undefined, await hintFor(subject, ada)]) {
      const url = await provider.signOutUrl(hint);
      if (url === undefined) return;
      const { origin, pathname } = new URL(await leave(url));
      assert.equal(`${origin}${pathname}`, page);
    }
  },
  'gives hints for signing out that a cookie can carry, another one to each person, or none': async (
    subject,
  ) => {
    const hints = [await hintFor(subject, ada), await hintFor(subject, bob)].filter(
      (hint) => hint !== undefined,
    );
    for (const hint of hints) assert.match(hint, /^[A-Za-z0-9._-]{1,2000}$/);
    assert.equal(new Set(hints).size, hints.length);
  },
  'says where the person of a hint signs out there, at every server': async (subject) => {
    const { provider, another, secrets } = subject;
    const hint = await hintFor(subject, ada);
    const url = await provider.signOutUrl(hint);
    assert.equal(await another().signOutUrl(hint), url);
    assert.equal(url === (await provider.signOutUrl()), hint === undefined);
    for (const secret of secrets) assert.ok(!decodeURIComponent(url ?? '').includes(secret));
  },
  'ignores what cannot be a hint of its own': async ({ provider }) => {
    const url = await provider.signOutUrl();
    const made = `${btoa('{"alg":"none"}')}.${btoa('{"sub":"248289761001"}')}.`.replaceAll('=', '');
    for (const wrong of [
      '',
      ' ',
      '.',
      '..',
      'a.b.c',
      'null',
      '%0d%0a',
      '&client_id=x',
      'x'.repeat(5_000),
      made,
    ]) {
      assert.equal(await provider.signOutUrl(wrong), url);
    }
  },
  'says that it cannot be asked': async ({ provider, another, answer, goAway }) => {
    const { url, ticket } = await provider.begin();
    const said = await answer(url, ada.subject);
    await goAway();
    // A new object: one that has asked before may know enough to begin.
    const fresh = another();
    await assert.rejects(fresh.begin(), { code: 'IDENTITY_UNAVAILABLE' });
    await assert.rejects(fresh.finish(ticket, said), { code: 'IDENTITY_UNAVAILABLE' });
    await assert.rejects(fresh.signOutUrl(), { code: 'IDENTITY_UNAVAILABLE' });
  },
  'refuses a ticket without an answer': async ({ provider }) => {
    const { ticket } = await provider.begin();
    for (const wrong of ['', '%', '&=&', 'code', 'error=access_denied']) {
      await refuses(provider.finish(ticket, wrong));
    }
  },
});
