import type { AuditNotes, Timekeeper } from '@tallybook/domain';
import type { TagFinder } from '@tallybook/domain/record';
import { personData, type PersonDataDependencies } from '@tallybook/domain/personal';
import type Koa from 'koa';
import { principalOf } from '../../access/principal-of.js';
import { fileHeaders, type Downloads } from '../../answers/downloads.js';
import { Query, requiredTagOfQuery } from '../../requests/query.js';
import type { Route } from '../route.js';

export interface PersonRoutesDependencies {
  readonly person: PersonDataDependencies;
  readonly tags: TagFinder;
  readonly timekeeper: Timekeeper;
  readonly downloads: Downloads;
  readonly audit?: AuditNotes | undefined;
}

/** `GET /api/person/data`: all data of a tag. */
export function personRoutes({
  person,
  tags,
  timekeeper,
  downloads,
  audit,
}: PersonRoutesDependencies): readonly Route[] {
  const read = async (ctx: Koa.Context): Promise<void> => {
    const id = await requiredTagOfQuery(ctx, new Query(ctx), tags);
    const madeAt = timekeeper.trust().isTrusted ? timekeeper.now() : undefined;
    if (ctx.method !== 'HEAD') await audit?.note(principalOf(ctx).name, 'person-exported');
    await downloads.send(ctx, {
      // The name of the file does not have the id: somebody else may see the file.
      headers: fileHeaders('application/json; charset=utf-8', 'tallybook-person.json'),
      write: () => personData(id, madeAt, person),
    });
  };
  return [{ method: 'GET', path: '/api/person/data', action: 'manage-personal-data', handle: read }];
}
