import { TallybookError } from '@tallybook/domain';
import type { ProvenIdentity, SignInStart } from '@tallybook/domain/access';
import { ScriptedIdentityProvider } from '@tallybook/testing';
import type { Sabotage } from '../sabotage.js';

export const identityProviderSabotages: readonly Sabotage<typeof ScriptedIdentityProvider>[] = [
  {
    fault: 'has no label',
    Fake: class extends ScriptedIdentityProvider {
      override readonly label = '';
    },
    fails: ['has a label of 1 to 100 characters'],
  },
  {
    fault: 'forgets the groups',
    Fake: class extends ScriptedIdentityProvider {
      override async finish(ticket: string, answer: string, asking?: () => void): Promise<ProvenIdentity> {
        return { ...(await super.finish(ticket, answer, asking)), groups: [] };
      }
    },
    fails: ['gives who has signed in, the same each time'],
  },
  {
    fault: 'takes the last one who began for the one who finishes',
    Fake: class extends ScriptedIdentityProvider {
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
    fails: [
      'tells people apart who sign in at the same time',
      'keeps nothing between the two halves: another server may finish',
    ],
  },
  {
    fault: 'makes tickets that a cookie cannot carry',
    Fake: class extends ScriptedIdentityProvider {
      override async begin(): Promise<SignInStart> {
        const { url, ticket } = await super.begin();
        return { url, ticket: `;${ticket}` };
      }

      override finish(ticket: string, answer: string, asking?: () => void): Promise<ProvenIdentity> {
        return super.finish(ticket.replace(/^;/, ''), answer, asking);
      }
    },
    fails: ['makes tickets that a cookie can carry, another one each time'],
  },
  {
    fault: 'takes the answer that another browser was sent',
    Fake: class extends ScriptedIdentityProvider {
      override finish(ticket: string, answer: string, asking?: () => void): Promise<ProvenIdentity> {
        const state = /^state=([^&]+)/.exec(answer)?.[1];
        return super.finish(
          ticket.length > 20 && !ticket.endsWith('x') ? (state ?? '') : ticket,
          answer,
          asking,
        );
      }
    },
    fails: ['refuses an answer with the ticket of another browser'],
  },
  {
    fault: 'takes an empty ticket for any',
    Fake: class extends ScriptedIdentityProvider {
      override finish(ticket: string, answer: string, asking?: () => void): Promise<ProvenIdentity> {
        const state = /^state=([^&]+)/.exec(answer)?.[1];
        return super.finish(ticket === '' ? (state ?? '') : ticket, answer, asking);
      }
    },
    fails: ['refuses an answer without its ticket'],
  },
  {
    fault: 'takes no answer for that of the first who has an account',
    Fake: class extends ScriptedIdentityProvider {
      override finish(ticket: string, answer: string, asking?: () => void): Promise<ProvenIdentity> {
        const [first = ''] = this.people.keys();
        return super.finish(ticket, answer === '' ? this.answer(`?state=${ticket}`, first) : answer, asking);
      }
    },
    fails: ['refuses a ticket without an answer'],
  },
  {
    fault: 'says that it asks before it looks at the ticket',
    Fake: class extends ScriptedIdentityProvider {
      override async finish(ticket: string, answer: string, asking?: () => void): Promise<ProvenIdentity> {
        asking?.();
        return await super.finish(ticket, answer);
      }
    },
    fails: ['says when it is about to ask, for an answer that fits its ticket and no other'],
  },
  {
    fault: 'has something in the URL for signing out that others have not',
    Fake: class extends ScriptedIdentityProvider {
      override signOutUrl(): Promise<string | undefined> {
        return Promise.resolve(`${this.issuer}/end?id=${Math.random()}`);
      }
    },
    fails: ['says where a browser signs out there, the same for everybody, if it can'],
  },
  {
    fault: 'sends browsers to a script to sign out',
    Fake: class extends ScriptedIdentityProvider {
      override signOutUrl(): Promise<string | undefined> {
        return Promise.resolve('javascript:history.back()');
      }
    },
    fails: ['says where a browser signs out there, the same for everybody, if it can'],
  },
  {
    fault: 'says in the URL for signing out who signed in last',
    Fake: class extends ScriptedIdentityProvider {
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
    fails: ['says nothing of who has signed in, and no secret, where a browser signs out there'],
  },
  {
    fault: 'shows the secret of the service in the URL for signing out',
    Fake: class extends ScriptedIdentityProvider {
      override async signOutUrl(hint?: string): Promise<string | undefined> {
        return `${await super.signOutUrl(hint)}?client_secret=${encodeURIComponent(this.secret)}`;
      }
    },
    fails: ['says nothing of who has signed in, and no secret, where a browser signs out there'],
  },
  {
    fault: 'leaves browsers there that sign out',
    Fake: class extends ScriptedIdentityProvider {
      override async signOutUrl(hint?: string): Promise<string | undefined> {
        return (await super.signOutUrl(hint))?.replace('/end', '/bye');
      }
    },
    fails: ['has a browser that signs out there sent back to the page, with a hint or without'],
  },
  {
    fault: 'knows where one signs out there, also when it is away',
    Fake: class extends ScriptedIdentityProvider {
      override signOutUrl(): Promise<string | undefined> {
        return Promise.resolve(`${this.issuer}/end`);
      }
    },
    fails: ['says that it cannot be asked'],
  },
  {
    fault: 'says of an answer that it proves nothing when it cannot ask',
    Fake: class extends ScriptedIdentityProvider {
      override async finish(ticket: string, answer: string, asking?: () => void): Promise<ProvenIdentity> {
        if (this.isAway) throw new TallybookError('IDENTITY_REFUSED', 'this proves nothing');
        return await super.finish(ticket, answer, asking);
      }
    },
    fails: ['says that it cannot be asked'],
  },
  {
    fault: 'never says that it asks',
    Fake: class extends ScriptedIdentityProvider {
      override finish(ticket: string, answer: string): Promise<ProvenIdentity> {
        return super.finish(ticket, answer);
      }
    },
    fails: ['says when it is about to ask, for an answer that fits its ticket and no other'],
  },
  {
    fault: 'gives hints that a cookie cannot carry',
    Fake: class extends ScriptedIdentityProvider {
      override async finish(ticket: string, answer: string, asking?: () => void): Promise<ProvenIdentity> {
        const { signOutHint, ...identity } = await super.finish(ticket, answer, asking);
        return { ...identity, signOutHint: `;${signOutHint}` };
      }

      override signOutUrl(hint?: string): Promise<string | undefined> {
        return super.signOutUrl(hint?.replace(/^;/, ''));
      }
    },
    fails: ['gives hints for signing out that a cookie can carry, another one to each person, or none'],
  },
  {
    fault: 'gives everybody the same hint',
    Fake: class extends ScriptedIdentityProvider {
      override async finish(ticket: string, answer: string, asking?: () => void): Promise<ProvenIdentity> {
        return { ...(await super.finish(ticket, answer, asking)), signOutHint: 'hint.248289761001' };
      }
    },
    fails: ['gives hints for signing out that a cookie can carry, another one to each person, or none'],
  },
  {
    fault: 'knows the hints that it has given itself, and no other',
    Fake: class extends ScriptedIdentityProvider {
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
    fails: ['says where the person of a hint signs out there, at every server'],
  },
  {
    fault: 'gives hints that change nothing',
    Fake: class extends ScriptedIdentityProvider {
      override signOutUrl(): Promise<string | undefined> {
        return super.signOutUrl();
      }
    },
    fails: ['says where the person of a hint signs out there, at every server'],
  },
  {
    fault: 'shows the secret of the service together with a hint',
    Fake: class extends ScriptedIdentityProvider {
      override async signOutUrl(hint?: string): Promise<string | undefined> {
        const url = await super.signOutUrl(hint);
        return url?.includes('?') === true ? `${url}&secret=${encodeURIComponent(this.secret)}` : url;
      }
    },
    fails: ['says where the person of a hint signs out there, at every server'],
  },
  {
    fault: 'leaves browsers there that sign out with a hint',
    Fake: class extends ScriptedIdentityProvider {
      override async signOutUrl(hint?: string): Promise<string | undefined> {
        return (await super.signOutUrl(hint))?.replace('/end?', '/bye?');
      }
    },
    fails: ['has a browser that signs out there sent back to the page, with a hint or without'],
  },
  {
    fault: 'hands on whatever it is given as a hint',
    Fake: class extends ScriptedIdentityProvider {
      override async signOutUrl(hint?: string): Promise<string | undefined> {
        const url = await super.signOutUrl();
        return hint === undefined ? url : `${url}?hint=${hint}`;
      }
    },
    fails: ['takes no notice of what cannot be a hint of its own'],
  },
];
