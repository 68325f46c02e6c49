import {
  TallybookError,
  type AuditAction,
  type AuditDetails,
  type PersonFields,
  type PersonId,
  type TagAct,
} from '@tallybook/domain';
import type { PeoplePage, PersonDetail } from '@tallybook/domain/record';
import { PEOPLE_DEFAULT_LIMIT, type TagActReport } from '@tallybook/http-contract';
import type Koa from 'koa';
import { principalOf } from '../../access/principal-of.js';
import type { Answers } from '../../answers/answers.js';
import type { Services } from '../../app-services.js';
import { textFor, type Shown } from '../../answers/json-of.js';
import { requireStill } from '../../held-right.js';
import { parseField } from '../../requests/query.js';
import { emptyAnswer, type Handlers, type RequestOf } from '../implement.js';

type PersonRoutes =
  | 'GET /api/people'
  | 'GET /api/person'
  | 'POST /api/person'
  | 'DELETE /api/person'
  | 'POST /api/person/merge'
  | 'POST /api/person/split'
  | 'POST /api/tag'
  | 'GET /api/groups'
  | 'POST /api/groups';

/** Persons, and what happens to their tags. */
export function personHandlers(
  { people, directory, audit }: Services<'people' | 'directory', 'audit'>,
  answers: Answers,
): Handlers<PersonRoutes> {
  // Like all notes: no name, and no id of a person or a tag.
  const note = (ctx: Koa.Context, action: AuditAction, details?: AuditDetails): Promise<void> | undefined =>
    audit?.note(principalOf(ctx).name, action, details);
  const shown = async (ctx: Koa.Context, id: PersonId): Promise<PersonDetail> =>
    (await directory.person(id, principalOf(ctx).groups)) ?? refuse();
  const setPerson = async ({ ctx, body }: RequestOf<'POST /api/person'>): Promise<PersonDetail> => {
    const { id, since, ...given } = body;
    const fields = { ...given, ...(since !== undefined && { groupsSince: since }) } as PersonFields;
    const { name, number, groups } = fields;
    if (Object.keys(given).length === 0)
      return ctx.throw(400, 'name, number, from, until, groups or guest: one must be given');
    if (since !== undefined && groups === undefined)
      return ctx.throw(400, 'since: is the first day of groups, so groups must be given');
    if (typeof number === 'string' && (await directory.isNumberTaken(number, id))) refuseNumber();
    // The numbers were searched meanwhile, which takes time.
    requireStill(ctx);
    const { groups: within } = principalOf(ctx);
    if (id !== undefined) {
      await people.correct(id, fields, within);
      await note(ctx, 'person-changed');
      return shown(ctx, id);
    }
    const whole = { ...fields, name: name ?? ctx.throw(400, 'name: must be given for a new person') };
    const added = await people.add(whole, { within });
    await note(ctx, 'person-added');
    ctx.status = 201;
    return shown(ctx, added);
  };
  const actOn = async ({ ctx, body }: RequestOf<'POST /api/tag'>): Promise<Shown<TagActReport>> => {
    const { id: tag, act, person, since, isDryRun = false } = body;
    const wanted = { ...(since !== undefined && { since }) };
    const done = (): TagAct => {
      if (act !== 'give' && act !== 'all-along') return { act, ...wanted };
      return { act, ...wanted, person: person ?? ctx.throw(400, `person: must be given with "${act}"`) };
    };
    const asked = done();
    requireStill(ctx);
    const change = await people.act(tag, asked, { isDryRun });
    if (!isDryRun) await note(ctx, 'holder-changed', { act });
    return { isDryRun, tag, ...(await directory.report(change)) };
  };
  return {
    'GET /api/people': ({ ctx, query: { group, after, limit = PEOPLE_DEFAULT_LIMIT } }) => {
      const { groups: within } = principalOf(ctx);
      return answers.send(ctx, {
        key: `people ${limit} ${JSON.stringify([group, after, within])}`,
        revision: () => directory.revision(),
        read: async () => {
          const read = (): Promise<PeoplePage> => directory.page(after, limit, { group, within });
          const found = await parseField('after', after, read);
          return [textFor('GET /api/people', found)];
        },
      });
    },
    'GET /api/person': async ({ ctx, query: { id, tag } }) => {
      if (id !== undefined) return shown(ctx, id);
      if (tag !== undefined)
        return (await directory.holder(tag, principalOf(ctx).groups)) ?? refuse('nobody holds this tag now');
      return ctx.throw(400, 'id or tag: one must be given');
    },
    'POST /api/person': setPerson,
    'DELETE /api/person': async ({ ctx, query: { id } }) => {
      requireStill(ctx);
      if (!(await people.remove(id))) refuse();
      await note(ctx, 'person-removed');
      return emptyAnswer(204);
    },
    'POST /api/person/merge': async ({ ctx, body: { ids } }) => {
      requireStill(ctx);
      const id = await people.merge(...ids);
      await note(ctx, 'persons-merged');
      return shown(ctx, id);
    },
    'POST /api/person/split': async ({ ctx, body: { id } }) => {
      requireStill(ctx);
      await people.split(id);
      await note(ctx, 'person-split');
      return shown(ctx, id);
    },
    'POST /api/tag': actOn,
    'GET /api/groups': ({ ctx }) => {
      const { groups: within } = principalOf(ctx);
      return answers.send(ctx, {
        key: `groups ${JSON.stringify(within)}`,
        revision: () => directory.revision(),
        read: async () => [JSON.stringify({ groups: await directory.groups(within) })],
      });
    },
    'POST /api/groups': async ({ ctx, body: { id, name, into } }) => {
      requireStill(ctx);
      if (name !== undefined && into === undefined) await people.groups.rename(id, name);
      else if (name === undefined && into !== undefined) await people.groups.merge(id, into);
      else return ctx.throw(400, 'name and into: one of them must be given');
      await note(ctx, name === undefined ? 'groups-merged' : 'group-renamed');
      return { groups: await directory.groups() };
    },
  };
}

function refuse(message = 'there is no such person'): never {
  throw new TallybookError('PERSON_NOT_FOUND', message);
}

function refuseNumber(): never {
  throw new TallybookError('PERSON_CONFLICT', 'number: another person has this number');
}
