import type { Answered, Asked, Lie } from './liar.js';
import { lastTagOf } from './subject.js';

/** The lies of the two servers. */
type Lies = readonly [Lie, Lie];

const honest: Lie = {};
/** One of this many is changed. */
const EVERY = 5;
/** Earlier than all taps of a load. */
const LONG_AGO_SECONDS = 1_000_000;

interface Results {
  readonly results: readonly { readonly outcome: string }[];
}

/** A fault of two servers with one record. */
interface Wrong {
  /**
   * Makes the lies, anew for every load.
   *
   * @param prefix Prefix of the tags of that load: the event stream has the changes of all loads.
   */
  readonly tell: (prefix: string) => Lies;
  /** Matches the problem that the ledger must find. */
  readonly verdict: RegExp;
}

/** The faults, by the rules that they break. */
export const lies: Readonly<Record<string, Wrong>> = {
  'an acknowledged tap is lost': {
    tell: () => {
      // A repeated tap is lost again: otherwise it would be recorded in the end.
      const lost = new Set<string>();
      const isLost = (asked: Asked): boolean => isTap(asked) && lost.has(asked.body);
      const isNew = (asked: Asked): boolean => isTap(asked) && !lost.has(asked.body);
      const lose = ({ body }: Asked): Promise<Answered> => {
        lost.add(body);
        return Promise.resolve(json({ results: [{ outcome: 'counted' }] }));
      };
      const some = sometimes(isNew, lose);
      return both({
        exchange: (asked, pass) => (isLost(asked) ? lose(asked) : some.exchange(asked, pass)),
      });
    },
    verdict: /was acknowledged, and is lost/,
  },
  'a tap is recorded twice': {
    tell: () =>
      both(
        sometimes(isTap, async (asked, pass) => {
          const answer = await pass(asked);
          await pass({
            ...asked,
            body: asked.body.replace(/"at":(\d+)/, earlier).replace('"run":"', '"run":"x'),
          });
          return answer;
        }),
      ),
    verdict: /has scans that nobody sent/,
  },
  'a scan counts twice': {
    tell: () =>
      both(
        sometimes(
          isDay,
          async (asked, pass) => {
            const answer = await pass(asked);
            return {
              ...answer,
              body: answer.body.replace(/"count":(\d+)/g, (_, count) => `"count":${Number(count) + 1}`),
            };
          },
          1,
        ),
      ),
    verdict: / scans, and counts /,
  },
  'the second answer says something else': {
    tell: () => {
      const told = new Map<string, string>();
      return both({
        exchange: async (asked, pass) => {
          const answer = await pass(asked);
          if (!isTap(asked) || answer.status !== 200) return answer;
          const outcome = (JSON.parse(answer.body) as Results).results[0]?.outcome ?? '';
          const before = told.get(asked.body);
          if (before === undefined) told.set(asked.body, outcome);
          if (before === undefined || outcome !== 'repeated') return answer;
          return json({ results: [{ outcome: before === 'counted' ? 'already-counted' : 'counted' }] });
        },
      });
    },
    verdict: /was told .*, and then /,
  },
  'an acknowledged name is lost': {
    tell: () => both(sometimes(isNaming, () => Promise.resolve({ status: 200, headers: {}, body: '' }), 2)),
    verdict: / was acknowledged and [0-9]+ sent/,
  },
  'an acknowledged change of groups is lost': {
    tell: () =>
      both(sometimes(isRegrouping, () => Promise.resolve({ status: 200, headers: {}, body: '{}' }), 1)),
    verdict: / is in the groups /,
  },
  'an acknowledged guest is lost': {
    tell: () =>
      both(sometimes(isOfGuest, () => Promise.resolve({ status: 201, headers: {}, body: '{}' }), 1)),
    verdict: / was acknowledged, and is no guest/,
  },
  'a change is not in the event stream of the other server': {
    tell: (prefix) => [honest, tellingSome(prefix, () => [])],
    verdict: /the stream|of the stream/,
  },
  'a change is twice in the event stream of the other server': {
    tell: (prefix) => [honest, tellingSome(prefix, (block) => [block, block])],
    verdict: /the stream|of the stream/,
  },
  // For these two, both servers lie, in one check of two: new connections may reach the same server each time.
  'a server does not know a session': {
    tell: () => {
      const isNoCookie = ([name]: readonly [string, unknown]): boolean => name !== 'cookie';
      const forget = (headers: Asked['headers']): Asked['headers'] =>
        Object.fromEntries(Object.entries(headers).filter(isNoCookie));
      return both(sometimes(isLook, (asked, pass) => pass({ ...asked, headers: forget(asked.headers) }), 2));
    },
    verdict: /a server does not know it/,
  },
  'a server goes on with a session that was ended': {
    tell: () => {
      const known = new Map<string, Answered>();
      const isKnown = (asked: Asked): boolean => isLook(asked) && known.has(cookieOf(asked));
      const goOn = sometimes(isKnown, async (asked, pass) => known.get(cookieOf(asked)) ?? pass(asked), 2);
      return both({
        exchange: async (asked, pass) => {
          const answer = await goOn.exchange(asked, pass);
          if (isLook(asked) && answer.body.includes('"user":{')) known.set(cookieOf(asked), answer);
          return answer;
        },
      });
    },
    verdict: /a server goes on with it/,
  },
};

function both(lie: Lie): Lies {
  return [lie, lie];
}

/** Changes one of every few requests of a kind, from the first on: a load may have few. */
function sometimes(
  isMeant: (asked: Asked) => boolean,
  exchange: NonNullable<Lie['exchange']>,
  every: number = EVERY,
): Required<Pick<Lie, 'exchange'>> {
  let seen = 0;
  return {
    exchange: (asked, pass) => (isMeant(asked) && seen++ % every === 0 ? exchange(asked, pass) : pass(asked)),
  };
}

/** Changes some events, but never that of the last tap: the follower waits for it. */
function tellingSome(prefix: string, bend: (block: string) => readonly string[]): Lie {
  let seen = 0;
  return {
    tell: (block) => {
      const isOwn = /^event: attendance$/m.test(block) && block.includes(`"id":"${prefix}`);
      const isMeant = isOwn && !block.includes(lastTagOf(prefix));
      return isMeant && seen++ % EVERY === 0 ? bend(block) : [block];
    },
  };
}

/** Whether a request is a tap, but not the last tap: the follower of the stream waits for that. */
function isTap({ method, path, body }: Asked): boolean {
  return method === 'POST' && path.startsWith('/api/readers/') && !body.includes(lastTagOf(''));
}

function isNaming({ method, path }: Asked): boolean {
  return method === 'POST' && path === '/api/mapping';
}

function isRegrouping({ method, path, body }: Asked): boolean {
  return method === 'POST' && path === '/api/person' && body.includes('"groups"');
}

function isOfGuest({ method, path }: Asked): boolean {
  return method === 'POST' && path === '/api/guest';
}

function isDay({ path }: Asked): boolean {
  return path.startsWith('/api/day?');
}

function isLook({ method, path }: Asked): boolean {
  return method === 'GET' && path === '/api/session';
}

function cookieOf({ headers }: Asked): string {
  return headers.cookie ?? '';
}

function earlier(_: string, at: string): string {
  return `"at":${Number(at) - LONG_AGO_SECONDS}`;
}

function json(value: object): Answered {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}
