import {
  array,
  boolean,
  component,
  integer,
  object,
  oneOf,
  optional,
  orNull,
  record,
  string,
  type TypeOf,
} from '../schema.js';
import { IdFormat, PersonId, TallyId } from '../values.js';
import { LastSeen, ListReading, Name, RefusedLine } from './names.js';

// The types of an import by person. POST /api/people in names.ts takes and answers them once its handler does.

const line = integer({ minimum: 1, description: 'Line of the list, from 1.' });

const ImportedPerson = component(
  'ImportedPerson',
  {
    id: PersonId,
    name: orNull(Name),
    number: orNull(string()),
    groups: array(string(), 'Names of the groups that they are in today.'),
    tags: array(TallyId, 'The tags that they hold now.'),
  },
  'A person as they are before the import.',
);
export type ImportedPerson = TypeOf<typeof ImportedPerson>;

const ImportedTag = component('ImportedTag', {
  id: TallyId,
  text: optional(string('The id as it is written in the list. Absent if it was read as hex.')),
  format: optional(IdFormat),
  lastSeen: optional(LastSeen),
});

/** Why a row of a list needs a choice. */
export const importDoubts = [
  'another-name',
  'namesakes',
  'two-persons',
  'tag-twice',
  'number-twice',
] as const;

const ImportRow = component(
  'ImportRow',
  {
    line,
    state: oneOf(['new', 'changed', 'same', 'doubtful', 'skipped']),
    person: orNull(PersonId, 'Whom the row means; null: somebody new, or not decided.'),
    by: orNull(oneOf(['person', 'tag', 'number', 'name']), 'By what they were found; null: they were not.'),
    name: Name,
    number: orNull(string()),
    groups: orNull(array(string()), 'Names; null: the list says nothing of groups.'),
    tags: array(ImportedTag),
    before: orNull(ImportedPerson),
    changes: array(oneOf(['name', 'number', 'groups', 'tag'])),
    doubts: array(
      oneOf(
        importDoubts,
        '`another-name`: the tag or number is that of somebody with another first name, or the whole name is somebody else’s. `namesakes`: several persons or rows have this name. `two-persons`: tag and number are those of two persons. `tag-twice`, `number-twice`: two rows have it.',
      ),
    ),
    candidates: array(ImportedPerson, 'Whom the row may mean.'),
  },
  'A row of a list, and what it does or would do.',
);
export type ImportRow = TypeOf<typeof ImportRow>;

const count = integer();

const ImportReport = component(
  'ImportReport',
  {
    isDryRun: boolean(),
    new: count,
    changed: count,
    same: count,
    doubtful: count,
    withoutTag: count,
    runningNumber: boolean(
      'Whether the number column seems to count the rows, and says not who somebody is.',
    ),
    rows: array(ImportRow, 'In the order of the list, without those that are the same.'),
    left: array(
      ImportedPerson,
      'Members who are not in the list. They are not removed. Empty if the list has nobody who is known.',
    ),
    refused: array(RefusedLine, 'Empty unless it is a dry run.'),
    newGroups: array(string(), 'Names of groups that are made.'),
    reading: ListReading,
  },
  'What a list changed, or what a dry run of it would change.',
);
export type ImportReport = TypeOf<typeof ImportReport>;

const ImportChoices = record(
  string(),
  object({
    take: string('`new`, `skip`, or the id of a person.'),
    rename: optional(boolean('Whether the person gets the name of the row. Default: true.')),
    tags: optional(
      oneOf(
        ['add', 'replace'],
        '`replace`: the tags that they held are lost. Default: `add`, a further tag.',
      ),
    ),
  }),
  'What to do with a row, by its line.',
);
export type ImportChoices = TypeOf<typeof ImportChoices>;
