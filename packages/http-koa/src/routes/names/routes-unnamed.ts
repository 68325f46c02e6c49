import { setImmediate } from 'node:timers/promises';
import type { UnnamedTag, UnnamedTags } from '@tallybook/domain/record';
import { UNNAMED_DEFAULT_DAYS } from '@tallybook/http-contract';
import type { Answers } from '../../answers/answers.js';
import type { Handlers } from '../implement.js';
import { listOf, piecesOf } from '../list-pieces.js';

/** The tags that were read and have no holder. */
export function unnamedHandlers(unnamed: UnnamedTags, answers: Answers): Handlers<'GET /api/unnamed'> {
  return {
    'GET /api/unnamed': ({ ctx, query: { days = UNNAMED_DEFAULT_DAYS } }) =>
      answers.send(ctx, {
        key: `unnamed ${days}`,
        read: async () => {
          const tags = await unnamed.list(days, () => setImmediate());
          return piecesOf('[', listOf(tags, formatTag), ']');
        },
      }),
  };
}

function formatTag({ id, at, day, scans, reader, lostBy }: UnnamedTag): string {
  const loser = lostBy && { person: lostBy.person, name: lostBy.name ?? null };
  return JSON.stringify({ id, at, day, scans, reader, lostBy: loser });
}
