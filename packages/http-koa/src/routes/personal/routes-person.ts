import { parsePersonId, type AuditNotes, type TallyId, type Timekeeper } from '@tallybook/domain';
import {
  dataOfPerson,
  personData,
  personOfTag,
  type PersonDataDependencies,
} from '@tallybook/domain/personal';
import { principalOf } from '../../access/principal-of.js';
import { fileHeaders, type Downloads } from '../../answers/downloads.js';
import { parseField } from '../../requests/query.js';
import type { Handlers } from '../implement.js';

export interface PersonDependencies {
  readonly person: PersonDataDependencies;
  readonly timekeeper: Timekeeper;
  readonly downloads: Downloads;
  readonly audit?: AuditNotes | undefined;
}

/** All data of a tag. */
export function personDataHandlers({
  person,
  timekeeper,
  downloads,
  audit,
}: PersonDependencies): Handlers<'GET /api/person/data'> {
  return {
    'GET /api/person/data': async ({ ctx, query: { id, person: text } }) => {
      if ((id === undefined) === (text === undefined)) ctx.throw(400, 'give either id or person');
      const { people } = person;
      const wanted = text === undefined ? undefined : parseField('person', text, parsePersonId);
      const found = id === undefined || people === undefined ? wanted : await personOfTag(people, id);
      const madeAt = timekeeper.trust().isTrusted ? timekeeper.now() : undefined;
      if (ctx.method !== 'HEAD') await audit?.note(principalOf(ctx).name, 'person-exported');
      await downloads.send(ctx, {
        // The name of the file does not have the id: somebody else may see the file.
        headers: fileHeaders('application/json; charset=utf-8', 'tallybook-person.json'),
        write: () =>
          found !== undefined && people !== undefined
            ? dataOfPerson(found, madeAt, { ...person, people })
            : personData(id as TallyId, madeAt, person),
      });
    },
  };
}
