import { TallybookError } from '@tallybook/domain';
import type { ProvenIdentity, SignInStart } from '@tallybook/domain/access';
import { ScriptedIdentityProvider } from '@tallybook/testing';
import { faults } from '../sabotage.js';

export const identityProviderSabotages = faults<typeof ScriptedIdentityProvider>({
  'has no label': class extends ScriptedIdentityProvider {
    static readonly fails = ['has a label of 1 to 100 characters'];
    override readonly label = '';
  },
  'forgets the groups': class extends ScriptedIdentityProvider {
    static readonly fails = ['gives who has signed in, the same each time'];
    override async finish(ticket: string, answer: string, asking?: () => void): Promise<ProvenIdentity> {
      return { ...(await super.finish(ticket, answer, asking)), groups: [] };
    }
  },
  'takes the last one who began for the one who finishes': class extends ScriptedIdentityProvider {
    static readonly fails = [
      'tells people apart who sign in at the same time',
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
  'makes tickets that a cookie cannot carry': class extends ScriptedIdentityProvider {
    static readonly fails = ['makes tickets that a cookie can carry, another one each time'];
    override async begin(): Promise<SignInStart> {
      const { url, ticket } = await super.begin();
      return { url, ticket: `;${ticket}` };
    }

    override finish(ticket: string, answer: string, asking?: () => void): Promise<ProvenIdentity> {
      return super.finish(ticket.replace(/^;/, ''), answer, asking);
    }
  },
  'takes the answer that another browser was sent': class extends ScriptedIdentityProvider {
    static readonly fails = ['refuses an answer with the ticket of another browser'];
    override finish(ticket: string, answer: string, asking?: () => void): Promise<ProvenIdentity> {
      const state = /^state=([^&]+)/.exec(answer)?.[1];
      return super.finish(
        ticket.length > 20 && !ticket.endsWith('x') ? (state ?? '') : ticket,
        answer,
        asking,
      );
    }
  },
  'takes an empty ticket for any': class extends ScriptedIdentityProvider {
    static readonly fails = ['refuses an answer without its ticket'];
    override finish(ticket: string, answer: string, asking?: () => void): Promise<ProvenIdentity> {
      const state = /^state=([^&]+)/.exec(answer)?.[1];
      return super.finish(ticket === '' ? (state ?? '') : ticket, answer, asking);
    }
  },
  'takes no answer for that of the first who has an account': class extends ScriptedIdentityProvider {
    static readonly fails = ['refuses a ticket without an answer'];
    override finish(ticket: string, answer: string, asking?: () => void): Promise<ProvenIdentity> {
      const [first = ''] = this.people.keys();
      return super.finish(ticket, answer === '' ? this.answer(`?state=${ticket}`, first) : answer, asking);
    }
  },
  'says that it asks before it looks at the ticket': class extends ScriptedIdentityProvider {
    static readonly fails = ['says when it is about to ask, for an answer that fits its ticket and no other'];
    override async finish(ticket: string, answer: string, asking?: () => void): Promise<ProvenIdentity> {
      asking?.();
      return await super.finish(ticket, answer);
    }
  },
  'has something in the URL for signing out that others have not': class extends ScriptedIdentityProvider {
    static readonly fails = ['says where a browser signs out there, the same for everybody, if it can'];
    override signOutUrl(): Promise<string | undefined> {
      return Promise.resolve(`${this.issuer}/end?id=${Math.random()}`);
    }
  },
  'sends browsers to a script to sign out': class extends ScriptedIdentityProvider {
    static readonly fails = ['says where a browser signs out there, the same for everybody, if it can'];
    override signOutUrl(): Promise<string | undefined> {
      return Promise.resolve('javascript:history.back()');
    }
  },
  'says in the URL for signing out who signed in last': class extends ScriptedIdentityProvider {
    static readonly fails = [
      'says nothing of who has signed in, and no secret, where a browser signs out there',
    ];
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
  'shows the secret of the service in the URL for signing out': class extends ScriptedIdentityProvider {
    static readonly fails = [
      'says nothing of who has signed in, and no secret, where a browser signs out there',
    ];
    override async signOutUrl(hint?: string): Promise<string | undefined> {
      return `${await super.signOutUrl(hint)}?client_secret=${encodeURIComponent(this.secret)}`;
    }
  },
  'leaves browsers there that sign out': class extends ScriptedIdentityProvider {
    static readonly fails = [
      'has a browser that signs out there sent back to the page, with a hint or without',
    ];
    override async signOutUrl(hint?: string): Promise<string | undefined> {
      return (await super.signOutUrl(hint))?.replace('/end', '/bye');
    }
  },
  'knows where one signs out there, also when it is away': class extends ScriptedIdentityProvider {
    static readonly fails = ['says that it cannot be asked'];
    override signOutUrl(): Promise<string | undefined> {
      return Promise.resolve(`${this.issuer}/end`);
    }
  },
  'says of an answer that it proves nothing when it cannot ask': class extends ScriptedIdentityProvider {
    static readonly fails = ['says that it cannot be asked'];
    override async finish(ticket: string, answer: string, asking?: () => void): Promise<ProvenIdentity> {
      if (this.isAway) throw new TallybookError('IDENTITY_REFUSED', 'this proves nothing');
      return await super.finish(ticket, answer, asking);
    }
  },
  'never says that it asks': class extends ScriptedIdentityProvider {
    static readonly fails = ['says when it is about to ask, for an answer that fits its ticket and no other'];
    override finish(ticket: string, answer: string): Promise<ProvenIdentity> {
      return super.finish(ticket, answer);
    }
  },
  'gives hints that a cookie cannot carry': class extends ScriptedIdentityProvider {
    static readonly fails = [
      'gives hints for signing out that a cookie can carry, another one to each person, or none',
    ];
    override async finish(ticket: string, answer: string, asking?: () => void): Promise<ProvenIdentity> {
      const { signOutHint, ...identity } = await super.finish(ticket, answer, asking);
      return { ...identity, signOutHint: `;${signOutHint}` };
    }

    override signOutUrl(hint?: string): Promise<string | undefined> {
      return super.signOutUrl(hint?.replace(/^;/, ''));
    }
  },
  'gives everybody the same hint': class extends ScriptedIdentityProvider {
    static readonly fails = [
      'gives hints for signing out that a cookie can carry, another one to each person, or none',
    ];
    override async finish(ticket: string, answer: string, asking?: () => void): Promise<ProvenIdentity> {
      return { ...(await super.finish(ticket, answer, asking)), signOutHint: 'hint.248289761001' };
    }
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
  'gives hints that change nothing': class extends ScriptedIdentityProvider {
    static readonly fails = ['says where the person of a hint signs out there, at every server'];
    override signOutUrl(): Promise<string | undefined> {
      return super.signOutUrl();
    }
  },
  'shows the secret of the service together with a hint': class extends ScriptedIdentityProvider {
    static readonly fails = ['says where the person of a hint signs out there, at every server'];
    override async signOutUrl(hint?: string): Promise<string | undefined> {
      const url = await super.signOutUrl(hint);
      return url?.includes('?') === true ? `${url}&secret=${encodeURIComponent(this.secret)}` : url;
    }
  },
  'leaves browsers there that sign out with a hint': class extends ScriptedIdentityProvider {
    static readonly fails = [
      'has a browser that signs out there sent back to the page, with a hint or without',
    ];
    override async signOutUrl(hint?: string): Promise<string | undefined> {
      return (await super.signOutUrl(hint))?.replace('/end?', '/bye?');
    }
  },
  'hands on whatever it is given as a hint': class extends ScriptedIdentityProvider {
    static readonly fails = ['takes no notice of what cannot be a hint of its own'];
    override async signOutUrl(hint?: string): Promise<string | undefined> {
      const url = await super.signOutUrl();
      return hint === undefined ? url : `${url}?hint=${hint}`;
    }
  },
});
