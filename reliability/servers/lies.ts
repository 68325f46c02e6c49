import type { Answered, Asked, Lie } from './liar.js';
import { lastTagOf } from './subject.js';

/** The lies of the two servers. */
type Lies = readonly [Lie, Lie];

const honest: Lie = {};
/** One in so many is bent. */
const EVERY = 5;
/** Further back than any tap of a load. */
const LONG_AGO_SECONDS = 1_000_000;

interface Results {
  readonly results: readonly { readonly outcome: string }[];
}

/** Something that two servers of one record can do wrong. */
interface Wrong {
  /** Made anew for every load. */
  readonly tell: () => Lies;
  /** What the ledger must say of it. */
  readonly verdict: RegExp;
}

/** By the rule that it breaks. */
export const lies: Readonly<Record<string, Wrong>> = {
  'an acknowledged tap is lost': {
    tell: () => {
      // Sent again, a tap is lost again: else it would be recorded after all.
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
  'a change is not in the event stream of the other server': {
    tell: () => [honest, tellingSome(() => [])],
    verdict: /the stream|of the stream/,
  },
  'a change is twice in the event stream of the other server': {
    tell: () => [honest, tellingSome((block) => [block, block])],
    verdict: /the stream|of the stream/,
  },
  'the other server does not know a session': {
    tell: () => [
      honest,
      {
        exchange: (asked, pass) => {
          const { cookie, ...headers } = asked.headers;
          return pass(cookie !== undefined && isLook(asked) ? { ...asked, headers } : asked);
        },
      },
    ],
    verdict: /a server does not know it/,
  },
  'the other server goes on with a session that was ended': {
    tell: () => {
      const known = new Map<string, Answered>();
      const goingOn: Lie = {
        exchange: async (asked, pass) => {
          const { cookie } = asked.headers;
          if (cookie === undefined || !isLook(asked)) return pass(asked);
          const answer = known.get(cookie) ?? (await pass(asked));
          if (answer.status === 200 && answer.body.includes('"user":{')) known.set(cookie, answer);
          return answer;
        },
      };
      return [honest, goingOn];
    },
    verdict: /a server goes on with it/,
  },
};

function both(lie: Lie): Lies {
  return [lie, lie];
}

/** Bends one of a few requests of a kind. */
function sometimes(
  isMeant: (asked: Asked) => boolean,
  exchange: NonNullable<Lie['exchange']>,
  every: number = EVERY,
): Required<Pick<Lie, 'exchange'>> {
  let seen = 0;
  return {
    exchange: (asked, pass) =>
      isMeant(asked) && seen++ % every === every - 1 ? exchange(asked, pass) : pass(asked),
  };
}

/** Bends some events, but never that of the last tap: the follower waits for it. */
function tellingSome(bend: (block: string) => readonly string[]): Lie {
  let seen = 0;
  return {
    tell: (block) => {
      const isMeant = /^event: attendance$/m.test(block) && !block.includes(lastTagOf(''));
      return isMeant && seen++ % EVERY === EVERY - 1 ? bend(block) : [block];
    },
  };
}

/** Whether it is a tap, but for the last one: the follower of the stream waits for that. */
function isTap({ method, path, body }: Asked): boolean {
  return method === 'POST' && path.startsWith('/api/readers/') && !body.includes(lastTagOf(''));
}

function isNaming({ method, path }: Asked): boolean {
  return method === 'POST' && path === '/api/mapping';
}

function isDay({ path }: Asked): boolean {
  return path.startsWith('/api/day?');
}

function isLook({ method, path }: Asked): boolean {
  return method === 'GET' && path === '/api/session';
}

function earlier(_: string, at: string): string {
  return `"at":${Number(at) - LONG_AGO_SECONDS}`;
}

function json(value: object): Answered {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}
