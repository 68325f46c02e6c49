import { TallybookError } from '@tallybook/domain';
import type { ProvenIdentity, SignInStart } from '@tallybook/domain/access';
import { ScriptedIdentityProvider } from '@tallybook/testing';
import { faults } from '../sabotage.js';

export const identityProviderSabotages = faults(ScriptedIdentityProvider, {
  'has no label': class extends ScriptedIdentityProvider {
    static readonly fails = ['has a label of 1 to 100 characters'];
    override readonly label = '';
  },
  'forgets the groups': {
    fails: ['gives the person who signed in, the same each time'],
    finish: (sound) => async (ticket, answer, asking) => ({
      ...(await sound(ticket, answer, asking)),
      groups: [],
    }),
  },
  'takes the last one who began for the one who finishes': class extends ScriptedIdentityProvider {
    static readonly fails = [
      'distinguishes people who sign in at the same time',
      'keeps nothing between the two halves: another server may finish',
    ];
    #ticket = '';

    override async begin(): Promise<SignInStart> {
      const start = await super.begin();
      this.#ticket = start.ticket;
      return start;
    }

    override finish(ticket: string, answer: string, asking?: () => void): Promise<ProvenIdentity> {
      return super.finish(ticket === this.#ticket ? ticket : '', answer, asking);
    }
  },
  'makes tickets that a cookie cannot carry': {
    fails: ['makes tickets that a cookie can carry, another one each time'],
    begin: (sound) => async () => {
      const { url, ticket } = await sound();
      return { url, ticket: `;${ticket}` };
    },
    finish: (sound) => (ticket, answer, asking) => sound(ticket.replace(/^;/, ''), answer, asking),
  },
  'takes the answer that another browser was sent': {
    fails: ['refuses an answer with the ticket of another browser'],
    finish: (sound) => (ticket, answer, asking) => {
      const state = /^state=([^&]+)/.exec(answer)?.[1];
      return sound(ticket.length > 20 && !ticket.endsWith('x') ? (state ?? '') : ticket, answer, asking);
    },
  },
  'takes an empty ticket for any': {
    fails: ['refuses an answer without its ticket'],
    finish: (sound) => (ticket, answer, asking) => {
      const state = /^state=([^&]+)/.exec(answer)?.[1];
      return sound(ticket === '' ? (state ?? '') : ticket, answer, asking);
    },
  },
  'takes no answer for that of the first who has an account': {
    fails: ['refuses a ticket without an answer'],
    finish: (sound, fake) => (ticket, answer, asking) => {
      const [first = ''] = fake.people.keys();
      return sound(ticket, answer === '' ? fake.answer(`?state=${ticket}`, first) : answer, asking);
    },
  },
  'says that it asks before it looks at the ticket': {
    fails: ['says when it is about to ask, for an answer that fits its ticket and no other'],
    finish: (sound) => async (ticket, answer, asking) => {
      asking?.();
      return await sound(ticket, answer);
    },
  },
  'has something in the URL for signing out that others have not': {
    fails: ['says where a browser signs out there, the same for everybody, if it can'],
    signOutUrl: (_, fake) => () => Promise.resolve(`${fake.issuer}/end?id=${Math.random()}`),
  },
  'sends browsers to a script to sign out': {
    fails: ['says where a browser signs out there, the same for everybody, if it can'],
    signOutUrl: () => () => Promise.resolve('javascript:history.back()'),
  },
  'says in the URL for signing out who signed in last': class extends ScriptedIdentityProvider {
    static readonly fails = ['reveals neither the person nor a secret in the address for signing out'];
    #latest = '';

    override async finish(ticket: string, answer: string, asking?: () => void): Promise<ProvenIdentity> {
      const identity = await super.finish(ticket, answer, asking);
      this.#latest = identity.subject;
      return identity;
    }

    override async signOutUrl(hint?: string): Promise<string | undefined> {
      return `${await super.signOutUrl(hint)}?id_token_hint=${this.#latest}`;
    }
  },
  'shows the secret of the service in the URL for signing out': {
    fails: ['reveals neither the person nor a secret in the address for signing out'],
    signOutUrl: (sound, fake) => async (hint) =>
      `${await sound(hint)}?client_secret=${encodeURIComponent(fake.secret)}`,
  },
  'knows where one signs out there, also when it is away': {
    fails: ['says that it cannot be asked'],
    signOutUrl: (_, fake) => () => Promise.resolve(`${fake.issuer}/end`),
  },
  'says of an answer that it proves nothing when it cannot ask': {
    fails: ['says that it cannot be asked'],
    finish: (sound, fake) => async (ticket, answer, asking) => {
      if (fake.isAway) throw new TallybookError('IDENTITY_REFUSED', 'this proves nothing');
      return await sound(ticket, answer, asking);
    },
  },
  'gives hints that a cookie cannot carry': {
    fails: ['gives hints for signing out that a cookie can carry, another one to each person, or none'],
    finish: (sound) => async (ticket, answer, asking) => {
      const { signOutHint, ...identity } = await sound(ticket, answer, asking);
      return { ...identity, signOutHint: `;${signOutHint}` };
    },
    signOutUrl: (sound) => (hint) => sound(hint?.replace(/^;/, '')),
  },
  'gives everybody the same hint': {
    fails: ['gives hints for signing out that a cookie can carry, another one to each person, or none'],
    finish: (sound) => async (ticket, answer, asking) => ({
      ...(await sound(ticket, answer, asking)),
      signOutHint: 'hint.248289761001',
    }),
  },
  'knows the hints that it has given itself, and no other': class extends ScriptedIdentityProvider {
    static readonly fails = ['says where the person of a hint signs out there, at every server'];
    readonly #given = new Set<string | undefined>();

    override async finish(ticket: string, answer: string, asking?: () => void): Promise<ProvenIdentity> {
      const identity = await super.finish(ticket, answer, asking);
      this.#given.add(identity.signOutHint);
      return identity;
    }

    override signOutUrl(hint?: string): Promise<string | undefined> {
      return super.signOutUrl(this.#given.has(hint) ? hint : undefined);
    }
  },
  'gives hints that change nothing': {
    fails: ['says where the person of a hint signs out there, at every server'],
    signOutUrl: (sound) => () => sound(),
  },
  'shows the secret of the service together with a hint': {
    fails: ['says where the person of a hint signs out there, at every server'],
    signOutUrl: (sound, fake) => async (hint) => {
      const url = await sound(hint);
      return url?.includes('?') === true ? `${url}&secret=${encodeURIComponent(fake.secret)}` : url;
    },
  },
  'leaves browsers there that sign out with a hint': {
    fails: ['has a browser that signs out there sent back to the page, with a hint or without'],
    signOutUrl: (sound) => async (hint) => (await sound(hint))?.replace('/end?', '/bye?'),
  },
  'hands on whatever it is given as a hint': {
    fails: ['ignores what cannot be a hint of its own'],
    signOutUrl: (sound) => async (hint) => {
      const url = await sound();
      return hint === undefined ? url : `${url}?hint=${hint}`;
    },
  },
});
