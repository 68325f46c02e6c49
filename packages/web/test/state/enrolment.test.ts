import { expect } from 'chai';
import { Enrolment } from '../../src/state/people/enrolment.js';
import { People } from '../../src/state/people/people.js';
import { ServiceClock } from '../../src/state/service.js';
import {
  ADA,
  ada,
  GRACE,
  grace,
  NOON,
  personOf,
  SPARE,
  StubService,
  tapOf,
  TODAY,
} from '../fixtures/stub-service.js';

const OTHER = '04CAFEBABE';

describe('Enrolment', () => {
  let service: StubService;
  let people: People;
  let clock: ServiceClock;
  let enrolment: Enrolment;

  beforeEach(async () => {
    service = new StubService();
    service.mapping = { [ADA]: ada };
    people = new People(service);
    await people.load();
    clock = new ServiceClock(service, () => NOON * 1_000);
    enrolment = new Enrolment({ service, people, clock });
  });

  it('takes unnamed tags in the order in which they are held', async () => {
    for (const id of [SPARE, SPARE, GRACE, OTHER, GRACE]) enrolment.take(tapOf(id));
    expect(enrolment.current.value).to.equal(SPARE);
    expect(enrolment.waiting.value).to.deep.equal([GRACE, OTHER]);
    await enrolment.give(SPARE, ada);
    expect(enrolment.current.value).to.equal(GRACE);
    enrolment.next();
    expect(enrolment.current.value).to.equal(OTHER);
    enrolment.next();
    expect(enrolment.current.value).to.equal('');
    expect(service.mapping).to.deep.equal({ [ADA]: ada, [SPARE]: ada });
  });

  it('says whose a tag is that has a name, and names nothing by it', () => {
    enrolment.take(tapOf(ADA));
    expect(enrolment.known.value).to.deep.equal({ id: ADA, name: ada });
    expect(enrolment.current.value).to.equal('');
    enrolment.take(tapOf(GRACE));
    expect(enrolment.known.value).to.equal(undefined);
    expect(enrolment.current.value).to.equal(GRACE);
  });

  it('leaves a tag out of those that wait when somebody else has named it', () => {
    for (const id of [SPARE, GRACE]) enrolment.take(tapOf(id));
    people.note(GRACE, grace);
    expect(enrolment.waiting.value).to.deep.equal([]);
    enrolment.next();
    expect(enrolment.current.value).to.equal('');
  });

  it('undoes a name, and the tag is the next one', async () => {
    enrolment.take(tapOf(GRACE));
    await enrolment.give(GRACE, grace);
    const [done] = enrolment.done.value;
    expect(done).to.deep.equal({ id: GRACE, before: null, after: grace });
    if (done !== undefined) await enrolment.undo(done);
    expect(service.mapping).to.deep.equal({ [ADA]: ada });
    expect(enrolment.done.value).to.deep.equal([]);
    expect(enrolment.current.value).to.equal(GRACE);
  });

  it('stays at a tag whose name could not be given', async () => {
    enrolment.take(tapOf(GRACE));
    service.failure = new Error('busy');
    expect(await enrolment.give(GRACE, grace).catch(String)).to.equal('Error: busy');
    expect(enrolment.current.value).to.equal(GRACE);
    expect(enrolment.done.value).to.deep.equal([]);
  });

  it('lists a tag that was held while the list was asked for, once', async () => {
    service.unnamed = [{ id: SPARE, at: NOON, day: TODAY, scans: 2 }];
    const loaded = enrolment.load();
    for (const id of [SPARE, GRACE]) enrolment.take(tapOf(id));
    await loaded;
    expect(enrolment.unnamed.value).to.deep.equal([
      { id: GRACE, at: NOON, day: TODAY, scans: 1, reader: 'door' },
      { id: SPARE, at: NOON, day: TODAY, scans: 2 },
    ]);
  });

  it('lists unnamed tags, goes on with every tap, and drops those that are named', async () => {
    service.unnamed = [{ id: SPARE, at: 100, day: 1, scans: 2 }];
    await enrolment.load();
    for (const id of [GRACE, SPARE]) enrolment.take(tapOf(id));
    expect(enrolment.unnamed.value).to.deep.equal([
      { id: SPARE, at: NOON, day: TODAY, scans: 3, reader: 'door' },
      { id: GRACE, at: NOON, day: TODAY, scans: 1, reader: 'door' },
    ]);
    await enrolment.give(GRACE, grace);
    expect(enrolment.unnamed.value?.map(({ id }) => id)).to.deep.equal([SPARE]);
  });

  it('knows of no tags before the service has said which there are', () => {
    expect(enrolment.unnamed.value).to.equal(undefined);
    expect(enrolment.current.value).to.equal('');
  });

  it('names the tag that is chosen, and the others wait in their order', () => {
    for (const id of [SPARE, GRACE, OTHER]) enrolment.take(tapOf(id));
    enrolment.take(tapOf(ADA));
    enrolment.choose(OTHER);
    expect(enrolment.current.value).to.equal(OTHER);
    expect(enrolment.waiting.value).to.deep.equal([GRACE]);
    expect(enrolment.known.value).to.equal(undefined);
  });

  it('says once of each tag what it was named last, latest first', async () => {
    await enrolment.give(GRACE, ada);
    await enrolment.give(SPARE, ada);
    await enrolment.give(GRACE, grace);
    expect(enrolment.done.value).to.deep.equal([
      { id: GRACE, before: ada, after: grace },
      { id: SPARE, before: null, after: ada },
    ]);
  });

  it('undoes one name and leaves the others, and the tag that is being named', async () => {
    await enrolment.give(GRACE, grace);
    await enrolment.give(SPARE, ada);
    enrolment.take(tapOf(OTHER));
    const [, first] = enrolment.done.value;
    if (first !== undefined) await enrolment.undo(first);
    expect(enrolment.done.value.map(({ id }) => id)).to.deep.equal([SPARE]);
    expect(enrolment.current.value).to.equal(OTHER);
    expect(service.mapping).to.deep.equal({ [ADA]: ada, [SPARE]: ada });
  });

  it('names a tag whose tap could not be written, and does not list that tap', async () => {
    await enrolment.load();
    enrolment.take({ id: GRACE, reader: 'door', isKept: false, outcome: 'failed' });
    expect(enrolment.current.value).to.equal(GRACE);
    expect(enrolment.unnamed.value).to.deep.equal([]);
  });

  it('lists a tap whose time nobody knows at the time when it came', async () => {
    const provisional = {
      day: null,
      at: null,
      outcome: 'provisional',
      name: null,
      person: null,
      reader: null,
    } as const;
    service.unnamed = [{ id: SPARE, at: NOON, day: TODAY, scans: 2 }];
    await enrolment.load();
    enrolment.take({ id: GRACE, sequence: 1, ...provisional });
    enrolment.take({ id: SPARE, sequence: 2, ...provisional });
    const latest = { at: NOON, day: 0, reader: '' };
    expect(enrolment.unnamed.value).to.deep.equal([
      { id: SPARE, scans: 3, ...latest },
      { id: GRACE, scans: 1, ...latest },
    ]);
  });

  it('lists a tap whose time nobody knows on the day that the service has', async () => {
    await clock.refresh();
    await enrolment.load();
    enrolment.take({
      ...{
        id: GRACE,
        sequence: 1,
        day: null,
        at: null,
        outcome: 'provisional',
        name: null,
        person: null,
        reader: 'door',
      },
    });
    expect(enrolment.unnamed.value?.map(({ day }) => day)).to.deep.equal([TODAY]);
  });

  describe('with people who have no tag', () => {
    const alan = personOf('0000000000000A', { first: 'Alan', last: 'Turing' });
    const emmy = personOf('0000000000000E', { first: 'Emmy', last: 'Noether' });

    beforeEach(async () => {
      service.people = [alan, emmy];
      await people.load();
      service.asked.length = 0;
    });

    it('gives a tag to a person, from the beginning if nobody ever held it', async () => {
      enrolment.take(tapOf(SPARE));
      await enrolment.giveTo(SPARE, alan);
      expect(service.asked).to.deep.equal([`try give ${alan.id}`, `give ${alan.id}`]);
      expect(people.nameOf(SPARE)).to.deep.equal(alan.name);
      expect(enrolment.current.value).to.equal('');
    });

    it('gives a tag that somebody held before since the second of its first tap', async () => {
      service.heldBefore.add(SPARE);
      for (const at of [NOON, NOON + 9]) enrolment.take(tapOf(SPARE, at));
      await enrolment.giveTo(SPARE, alan);
      expect(service.asked.at(-1)).to.equal(`give ${alan.id} ${NOON}`);
    });

    it('undoes the last one and asks about its tag now, before those that wait', async () => {
      for (const id of [SPARE, GRACE, OTHER]) enrolment.take(tapOf(id));
      await enrolment.giveTo(SPARE, emmy);
      await enrolment.undoLast();
      expect(service.asked.at(-1)).to.equal('undo');
      expect(people.nameOf(SPARE)).to.equal(undefined);
      expect(enrolment.current.value).to.equal(SPARE);
      expect(enrolment.waiting.value).to.deep.equal([GRACE, OTHER]);
      expect(enrolment.last.value).to.include({ id: SPARE, after: emmy.name, isUndone: true });
      await enrolment.undoLast();
      expect(enrolment.current.value).to.equal(SPARE);
    });

    it('undoes an earlier one, whose tag waits for its turn', async () => {
      for (const id of [SPARE, GRACE, OTHER]) enrolment.take(tapOf(id));
      await enrolment.giveTo(SPARE, emmy);
      await enrolment.giveTo(GRACE, alan);
      const [, first] = enrolment.done.value;
      if (first !== undefined) await enrolment.undo(first);
      expect(enrolment.current.value).to.equal(OTHER);
      expect(enrolment.waiting.value).to.deep.equal([SPARE]);
      expect(enrolment.done.value.map(({ id }) => id)).to.deep.equal([GRACE]);
    });

    it('keeps the question when the tag could not be given', async () => {
      enrolment.take(tapOf(SPARE));
      service.failure = new Error('busy');
      expect(await enrolment.giveTo(SPARE, alan).catch(String)).to.equal('Error: busy');
      expect(enrolment.current.value).to.equal(SPARE);
      expect(people.nameOf(SPARE)).to.equal(undefined);
      expect(enrolment.last.value).to.equal(undefined);
    });
  });
});
