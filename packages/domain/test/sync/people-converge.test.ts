import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  implicitPerson,
  isTallybookError,
  plainPerson,
  plainTimeline,
  type PersonId,
} from '@tallybook/domain';
import { converge, fates, passing, step } from './converge.js';
import { ada, at, bob, pass, type Place } from './sync-world.js';

const STATIONS = 2;
const tags = [ada, bob];
const where = fc.nat(STATIONS);
const tag = fc.constantFrom(...tags);
const number = fc.nat(5);
const acts = ['give', 'lost', 'returned', 'found', 'all-along', 'undo'] as const;

const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: step(['name'], { where, tag, number }) },
    step(['unname'], { where, tag }),
    { weight: 2, arbitrary: step(['add'], { where, number }) },
    { weight: 6, arbitrary: step(['act'], { where, tag, act: fc.constantFrom(...acts), number }) },
    step(['correct', 'remove'], { where, number }),
    step(['merge', 'split'], { where, number }),
    step(['erase', 'erase tag'], { where, number }),
    { weight: 2, arbitrary: step(['network'], { where, fates }) },
    step(['restart'], { where }),
    { weight: 4, arbitrary: passing },
  ),
  { maxLength: 25 },
);

/** What all places agree on. */
function agreed({ contents: { people, names } }: Place): readonly string[] {
  return [
    ...[...people.persons.values()].map((person) => JSON.stringify(plainPerson(person, false))),
    ...[...people.timelines.values()].map((timeline) => JSON.stringify(plainTimeline(timeline, false))),
    ...[...names].map(([id, name]) => `${id} ${name.first}`),
  ].sort();
}

/** Persons with a name at a place, those without rows included. */
function personsAt({ contents: { people, names } }: Place): readonly PersonId[] {
  const implicit = [...names.keys()].filter((id) => !people.timelines.has(id) && !id.startsWith('FF5442'));
  return [...people.persons.keys(), ...implicit.map((id) => implicitPerson(id))].sort();
}

async function unlessRefused(act: Promise<unknown>): Promise<void> {
  try {
    await act;
  } catch (error) {
    if (!isTallybookError(error)) throw error;
    expect(error.code).to.be.oneOf(['PERSON_CONFLICT', 'PERSON_NOT_FOUND', 'RESERVED_TALLY_ID']);
  }
}

describe('persons of stations and their centre', () => {
  it('are the same everywhere at the end, after all faults between them', async () => {
    await converge(steps, STATIONS, (centre, stations) => ({
      take: async (place, step) => {
        await take(place, step);
        // What follows in the second of an erasure is erased too.
        if (step.kind.startsWith('erase')) await pass([...stations, centre], 1);
      },
      check: async () => {
        const latest = await centre.journal.latest();
        for (const station of stations) {
          expect(station.faults.filter((error) => !isTallybookError(error))).to.deep.equal([]);
          expect(agreed(station).join('\n')).to.equal(agreed(centre).join('\n'));
          expect((await station.sync.report()).status.waiting).to.equal(0);
        }
        await pass([...stations, centre], 30);
        expect(await centre.journal.latest()).to.equal(latest);
      },
    }));
  });
});

type Step = typeof steps extends fc.Arbitrary<(infer S)[]> ? S : never;

async function take(place: Place, step: Step): Promise<void> {
  const persons = personsAt(place);
  const pick = (index: number): PersonId =>
    persons[index % Math.max(persons.length, 1)] ?? implicitPerson(ada);
  switch (step.kind) {
    case 'name':
      await place.names.put(step.tag, { first: `${step.number}`, last: 'x' });
      return;
    case 'unname':
      await place.names.remove(step.tag);
      return;
    case 'add':
      await place.persons.add({ name: { first: `P${step.number}`, last: 'y' } });
      return;
    case 'act': {
      const { act } = step;
      const since = act === 'undo' || act === 'all-along' || step.number === 0 ? undefined : at(-step.number);
      await unlessRefused(
        place.persons.act(step.tag, { act, person: pick(step.number), ...(since && { since }) }),
      );
      return;
    }
    case 'correct':
      await unlessRefused(place.persons.correct(pick(step.number), { number: `${step.number}` }));
      return;
    case 'remove':
      await unlessRefused(place.persons.remove(pick(step.number)));
      return;
    case 'merge':
      await unlessRefused(place.persons.merge(pick(step.number), pick(step.number + 1)));
      return;
    case 'split':
      await unlessRefused(place.persons.split(pick(step.number)));
      return;
    case 'erase':
      await unlessRefused(
        place.eraser.erase([], { persons: [pick(step.number)], isDryRun: false, actor: 'x' }),
      );
      return;
    case 'network':
    case 'restart':
    case 'pass':
      return;
    case 'erase tag':
      await unlessRefused(
        place.eraser.erase([tags[step.number % 2] ?? ada], { isDryRun: false, actor: 'x' }),
      );
  }
}
