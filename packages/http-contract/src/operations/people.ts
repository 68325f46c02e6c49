import { GROUP_MAX_LENGTH, GUEST_TEXT_MAX_LENGTH, type Holding } from '@tallybook/domain';
import {
  array,
  boolean,
  component,
  described,
  integer,
  oneOf,
  optional,
  orNull,
  parsed,
  string,
  type TypeOf,
} from '../schema.js';
import { cached, empty, fields, json, operation, refusal } from '../operation.js';
import {
  Day,
  flag,
  GroupId,
  inFormat,
  numberIn,
  ofGroup,
  PersonId,
  TallyId,
  Timestamp,
  TypedId,
} from '../values.js';
import { Name } from './names.js';

const guestText = string({
  minLength: 1,
  maxLength: GUEST_TEXT_MAX_LENGTH,
  description: `One line of at most ${GUEST_TEXT_MAX_LENGTH} characters.`,
});

const groupName = string({
  minLength: 1,
  maxLength: GROUP_MAX_LENGTH,
  description: `Name of a group: one line of at most ${GROUP_MAX_LENGTH} characters, without a comma, a semicolon or a slash between spaces.`,
});

const memberNumber = string('Number of a member: one line of at most 40 characters.');

const reasons = ['given', 'returned', 'lost', 'removed'] as const satisfies readonly Holding['why'][];

const PersonTag = component('PersonTag', {
  id: TallyId,
  since: described(
    Timestamp,
    'Since when the tag is theirs, or since when it is lost. 0: from the beginning.',
  ),
  isLost: boolean(),
});

const Guest = component(
  'Guest',
  {
    since: described(Day, 'The day on which they were added.'),
    host: orNull(guestText, 'Whom they visit.'),
    reason: orNull(guestText, 'Why they are here.'),
  },
  'Somebody who is no member.',
);
export type Guest = TypeOf<typeof Guest>;

const Membership = component(
  'Membership',
  {
    group: GroupId,
    since: described(Day, 'Included. 0: from the beginning.'),
    until: orNull(Day, 'Included; null: until now.'),
  },
  'The days on which a person is in a group.',
);
export type Membership = TypeOf<typeof Membership>;

const ofPerson = {
  id: PersonId,
  name: orNull(Name),
  number: orNull(memberNumber),
  from: orNull(Day, 'First day of membership.'),
  until: orNull(Day, 'Last day of membership.'),
  tags: array(PersonTag, 'The tags that they hold now, and the lost ones that were theirs last; ascending.'),
  groups: array(GroupId, 'The groups that they are in today, ascending.'),
  guest: orNull(Guest, 'null: a member.'),
  isInDoubt: boolean('Whether places disagree on their name, or on the holder of one of these tags.'),
  aliases: array(PersonId, 'The persons that were merged into this one.'),
};

export const PersonSummary = component('PersonSummary', ofPerson, {
  examples: [
    {
      id: 'tag-04A2B3C4D5',
      name: { first: 'Ada', last: 'Lovelace' },
      number: '17',
      from: 20_089,
      until: null,
      tags: [{ id: '04A2B3C4D5', since: 0, isLost: false }],
      groups: ['7b'],
      guest: null,
      isInDoubt: false,
      aliases: [],
    },
  ],
});
export type PersonSummary = TypeOf<typeof PersonSummary>;

const TagHolding = component(
  'TagHolding',
  {
    person: orNull(PersonId, 'null: nobody held the tag.'),
    name: orNull(Name),
    why: oneOf(reasons, '`removed`: the name was taken away, or the holder was removed or erased.'),
    since: described(Timestamp, 'Included. 0: from the beginning.'),
    until: orNull(Timestamp, 'Included; null: until now.'),
    isInDoubt: boolean('Whether places disagree on who held the tag.'),
  },
  'Who held a tag, or nobody.',
);
export type TagHolding = TypeOf<typeof TagHolding>;

const PersonTimeline = component('PersonTimeline', {
  tag: TallyId,
  holdings: array(TagHolding, 'In the order of time, with those of others.'),
});

export const PersonDetail = component('PersonDetail', {
  ...ofPerson,
  timelines: array(PersonTimeline, 'Every tag that they ever held, ascending.'),
  memberships: array(Membership, 'Ascending by the first day.'),
  doubt: orNull(Name, 'Another name that a merge of several places brought, until somebody decides.'),
});
export type PersonDetail = TypeOf<typeof PersonDetail>;

/** Number of persons on a page of `GET /api/people`, if the request has no `limit`. */
export const PEOPLE_DEFAULT_LIMIT = 200;
const PEOPLE_MAX_LIMIT = 1_000;

const PeoplePage = component('PeoplePage', {
  people: array(PersonSummary),
  next: orNull(string(), '`after` of the next page; null if there is none.'),
});
export type PeoplePage = TypeOf<typeof PeoplePage>;

const Groups = component('Groups', {
  groups: array(
    component('Group', {
      id: GroupId,
      name: groupName,
      members: integer('Number of persons who are in it today, without those who were removed.'),
    }),
    'By name. Those that were merged into others are left out.',
  ),
});
export type Groups = TypeOf<typeof Groups>;
export type Group = Groups['groups'][number];

/** Most groups that a request puts a person into. */
const PERSON_GROUPS_MAX = 20;

/** What may happen to a tag. */
export const tagActs = ['give', 'lost', 'returned', 'found', 'all-along', 'undo'] as const;

const HolderOfSpan = component('HolderOfSpan', { person: PersonId, name: orNull(Name) });

const TagMove = component(
  'TagMove',
  {
    from: Timestamp,
    until: orNull(Timestamp, 'Included; null: until now.'),
    before: orNull(HolderOfSpan, 'null: nobody.'),
    after: orNull(HolderOfSpan, 'null: nobody.'),
    days: integer(
      'Number of days with a scan of the tag in this span. At most the last ten years are counted.',
    ),
  },
  'A span of time whose holder becomes another one.',
);
export type TagMove = TypeOf<typeof TagMove>;

const TagActReport = component('TagActReport', {
  isDryRun: boolean(),
  tag: TallyId,
  before: array(TagHolding),
  after: array(TagHolding),
  moves: array(TagMove, 'Ascending.'),
});
export type TagActReport = TypeOf<typeof TagActReport>;

const noPerson = refusal('There is no such person.');

const detail = json(PersonDetail, 'The person as they are now.');

const dayOfMembership = (which: string) =>
  optional(parsed('day-or-null', orNull(Day), `${which} day of membership.`));

/** Persons, and what happens to their tags. */
export const peopleOperations = {
  'GET /api/people': operation({
    id: 'listPeople',
    summary: 'List the persons, in pages',
    action: 'see-today',
    isByGroup: true,
    query: {
      group: ofGroup('Only the persons who are in this group today.'),
      after: optional(parsed('raw', string(), '`next` of the page before. Default: the beginning.')),
      limit: numberIn(
        'digits',
        [1, PEOPLE_MAX_LIMIT],
        `Number of persons, 1 to ${PEOPLE_MAX_LIMIT}, default ${PEOPLE_DEFAULT_LIMIT}.`,
      ),
    },
    invalid: '`after` is not `next` of a page, or the limit is invalid.',
    answers: cached(PeoplePage, 'A page of persons. A page may have fewer persons than the limit.'),
  }),
  'GET /api/person': operation({
    id: 'readPerson',
    summary: 'Read a person, or the present holder of a tag',
    action: 'see-record',
    isByGroup: true,
    query: {
      id: optional(
        parsed('person', PersonId, 'The person. One who was merged is who they were merged into.'),
      ),
      tag: optional(parsed('tag', TypedId, 'The tag. Ignored if there is an `id`.'), 'id'),
      format: inFormat('Spelling of the tag.'),
    },
    invalid: 'Neither `id` nor `tag` is given, or one is invalid.',
    answers: { 200: detail, 404: refusal('There is no such person, or nobody holds the tag now.') },
  }),
  'POST /api/person': operation({
    id: 'setPerson',
    summary: 'Add a person, or change what is known of one. Durable when the answer comes',
    action: 'change-names',
    isByGroup: true,
    body: fields(
      {
        id: optional(parsed('person', PersonId, 'The person to change. Default: a new person is added.')),
        name: optional(parsed('name', Name, 'Required for a new person.')),
        number: optional(parsed('member-number', orNull(memberNumber))),
        from: dayOfMembership('First'),
        until: dayOfMembership('Last'),
        groups: optional(
          parsed(
            'group-names',
            array(groupName, {
              maxItems: PERSON_GROUPS_MAX,
              description:
                'All groups that they are in from `since` on, by name. A group of a new name is made. Whoever was in no group before is in these from the beginning, unless `since` is given.',
            }),
          ),
        ),
        since: optional(parsed('day', Day, 'First day of `groups`. Default: today. Only with `groups`.')),
        guest: optional(parsed('null', oneOf([null], 'They are a guest no longer, but a member.'))),
      },
      'PersonFields',
    ),
    invalid:
      'The body is not JSON, a field is invalid, a new person has no name, or nothing is given; null takes a value away, and an absent field stays.',
    answers: {
      200: json(PersonDetail, 'The person was changed.'),
      201: json(PersonDetail, 'The person was added, without a tag.'),
      404: noPerson,
      409: refusal('Another person has this number (`PERSON_CONFLICT`).'),
    },
  }),
  'DELETE /api/person': operation({
    id: 'removePerson',
    summary:
      'Remove a person, with name and number. Their tags are nobody’s from then on; their days stay in the record',
    action: 'change-names',
    query: { id: parsed('person', PersonId, 'The person.') },
    invalid: 'The id is missing, invalid or given twice.',
    answers: { 204: empty('The person is removed durably.'), 404: noPerson },
  }),
  'POST /api/person/merge': operation({
    id: 'mergePersons',
    summary: 'Say that two persons are one. Of both values the later one stays',
    action: 'change-names',
    body: fields(
      {
        ids: parsed('two-persons', array(PersonId, { minItems: 2, maxItems: 2 })),
      },
      'MergeRequest',
    ),
    answers: {
      200: json(PersonDetail, 'The person who stays: the one with the smaller id.'),
      404: noPerson,
      409: refusal('They are one person already.'),
    },
  }),
  'POST /api/person/split': operation({
    id: 'splitPerson',
    summary: 'Undo a merge: this person is one of their own again',
    action: 'change-names',
    body: fields({ id: parsed('person', PersonId, 'One of `aliases`.') }, 'SplitRequest'),
    answers: {
      200: json(PersonDetail, 'The person of this id.'),
      404: noPerson,
      409: refusal('This person was not merged into another one.'),
    },
  }),
  'GET /api/groups': operation({
    id: 'listGroups',
    summary: 'List the groups of persons',
    action: 'see-today',
    isByGroup: true,
    answers: cached(Groups, 'The groups.'),
  }),
  'POST /api/groups': operation({
    id: 'changeGroup',
    summary: 'Rename a group, or merge it into another one. The record does not change',
    action: 'change-names',
    body: fields(
      {
        id: parsed('group', GroupId, 'The group.'),
        name: optional(parsed('group-name', groupName, 'Its new name.')),
        into: optional(
          parsed(
            'group',
            GroupId,
            'The group that it is merged into: whoever is or was in one of them is in that one. Its name stays, and the smaller of both ids.',
          ),
        ),
      },
      'GroupChange',
    ),
    invalid: 'A field is invalid, or not exactly one of `name` and `into` is given.',
    answers: { 200: json(Groups, 'The groups as they are now.'), 404: refusal('There is no such group.') },
  }),
  'POST /api/guest': operation({
    id: 'addGuest',
    summary: 'Add a guest, and record that they are here now. Durable when the answer comes',
    action: 'add-guests',
    body: fields(
      {
        name: parsed('name', Name),
        host: optional(parsed('guest-text', guestText, 'Whom they visit.')),
        reason: optional(parsed('guest-text', guestText, 'Why they are here.')),
        badge: optional(parsed('tag', TypedId, 'A tag that is lent to them. Default: they have none.')),
        format: inFormat('Spelling of `badge`.'),
        at: optional(
          parsed(
            'timestamp',
            Timestamp,
            'Since when the badge is theirs: the second of the tap that showed it, at most a day ago. Default: now.',
          ),
        ),
      },
      'NewGuest',
    ),
    answers: {
      201: json(PersonDetail, 'The guest.'),
      409: refusal(
        'Somebody holds the badge, or it is lost (`PERSON_CONFLICT`), or the clock may be wrong (`CLOCK_NOT_TRUSTED`).',
      ),
    },
  }),
  'POST /api/person/here': operation({
    id: 'recordPresence',
    summary: 'Record that somebody who has no tag is here now, as a tap would. Durable when the answer comes',
    action: 'add-guests',
    body: fields({ id: parsed('person', PersonId, 'The person.') }, 'PresenceRequest'),
    answers: {
      204: empty('The scan is recorded on their tag of last resort.'),
      404: noPerson,
      409: refusal('They have a tag (`PERSON_CONFLICT`): add a correction instead.'),
    },
  }),
  'POST /api/tag': operation({
    id: 'actOnTag',
    summary:
      'Give, hand on or take back a tag, say that it is lost or found, or correct that; or show what it would change',
    action: 'change-names',
    body: fields(
      {
        id: TypedId,
        format: inFormat(),
        act: parsed(
          'tag-act',
          oneOf(tagActs),
          '`give`: it is theirs from then on, also if somebody else held it. `lost`: it counts for nobody from then on. `returned`: its holder gave it back. `found`: it is its former holder’s again. `all-along`: it was theirs in place of who was said to hold it since that second. `undo`: what happened in that second was a mistake.',
        ),
        person: optional(
          parsed('person', PersonId, 'Who gets the tag. Required for `give` and `all-along`.'),
        ),
        since: optional(
          parsed(
            'timestamp',
            Timestamp,
            'Default: now; from the beginning if nobody ever held the tag. For `all-along` and `undo` the second of the holding that is meant, by default the present one.',
          ),
        ),
        isDryRun: flag('Only show what would change.'),
      },
      'TagActRequest',
    ),
    answers: {
      200: json(TagActReport, 'The timeline of the tag before and after.'),
      404: noPerson,
      409: refusal(
        'It does not fit the timeline (`PERSON_CONFLICT`), or the clock may be wrong (`CLOCK_NOT_TRUSTED`).',
      ),
    },
  }),
};
