import { expect } from 'chai';
import { parseTallyId, toDay } from '@tallybook/domain';
import { checkRows } from '../fixtures/check-rows.js';
import { killAfter } from '../fixtures/programs/child.js';
import { auditEntry, DAY, erasedId, handedOn, holderOf, openFactStores } from '../fixtures/facts.js';
import { fillDays, FIRST_KEPT, FIRST_OLD, OLD_DAYS, TAGS, TODAY } from '../fixtures/old-days.js';
import { openStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

/** The last round of each kind that was acknowledged; 0 if none was. */
function lastRounds(lines: readonly string[]): (kind: string) => number {
  const rounds = new Map(lines.map((line) => line.split(' ') as [string, string]));
  return (kind) => Number(rounds.get(kind) ?? 0);
}

describe('After kill -9 amid corrections, access, the audit trail, receipts, persons and erasures', () => {
  const directory = useTempDirectory();

  for (const count of [1, 50, 600]) {
    it(`all acknowledged data is there, and nothing is half written (killed after ${count})`, async () => {
      const acknowledged = lastRounds(await killAfter(count, 'fact-writer.ts', directory.path, 'stay'));
      await checkRows(directory.path, { areCountsExact: true });
      await using stores = await openFactStores(directory.path);
      const { corrections, access, audit, receipts, names, people, erasures } = stores;
      const made = (await corrections.list(toDay(DAY), toDay(DAY))).map(({ reason }) => reason);
      const rounds = [...new Set(made)];
      expect(rounds.length).to.be.within(acknowledged('correction'), acknowledged('correction') + 1);
      expect(made, 'both of each round').to.have.lengthOf(2 * rounds.length);

      const { users, credentials } = await access.read();
      expect(users.length).to.be.within(Math.min(acknowledged('access'), 1), 1);
      expect(credentials.map(({ user }) => user)).to.deep.equal(users.map(({ name }) => name));
      const user = Number(users[0]?.name.replace('user', '') ?? 0);
      expect(user).to.be.within(acknowledged('access'), acknowledged('access') + 1);

      const entries = await audit.read(0, 10_000);
      expect(entries.length).to.be.within(acknowledged('audit'), acknowledged('audit') + 1);
      expect(entries).to.deep.equal(entries.map((_, index) => auditEntry(index + 1)));
      expect((await audit.latest())?.number ?? 0).to.equal(entries.length);

      const receipt = await receipts.latest('door', 'run');
      expect(receipt).to.be.within(acknowledged('receipt'), acknowledged('receipt') + 1);

      const persons = await people.persons(undefined, 10_000);
      const given = persons.length;
      expect(given).to.be.within(acknowledged('person'), acknowledged('person') + 1);
      expect(persons.map(({ id }) => id)).to.deep.equal(persons.map((_, index) => holderOf(index + 1)));
      expect(persons.every(({ tags }) => tags.join() === handedOn)).to.equal(true);
      const [timeline] = await people.timelines(undefined, 10);
      expect((timeline?.entries ?? []).map(({ holder }) => holder)).to.deep.equal(
        persons.map(({ id }) => id),
      );
      const last = given === 0 ? undefined : String(given);
      expect((await names.get(handedOn))?.last).to.equal(last);

      const erased = acknowledged('erasure');
      for (let round = 1; round <= erased + 1; round++) {
        const id = parseTallyId(erasedId(round));
        const traces = [];
        for await (const trace of erasures.trace(id)) traces.push(trace);
        const isErased = erasures.isRefused(id, undefined);
        if (round <= erased) expect(isErased, `erased in round ${round}`).to.equal(true);
        // The opening of the store completes a begun erasure.
        if (isErased) expect(traces, `of round ${round}`).to.deep.equal([]);
      }
    });
  }
});

describe('After kill -9 during the removal of days that were kept long enough', () => {
  const directory = useTempDirectory();

  for (const count of [1, 40, OLD_DAYS - 1]) {
    it(`a day is there completely or is removed completely, and the next run removes the rest (killed after ${count})`, async () => {
      {
        await using stores = await openStores(directory.path);
        await fillDays(stores);
      }
      const removed = await killAfter(count, 'retention-runner.ts', directory.path, 'stay');
      await checkRows(directory.path, { areCountsExact: true });
      {
        await using stores = await openStores(directory.path);
        let halves = 0;
        for (let day = FIRST_OLD; day <= TODAY; day++) {
          const entries = (await stores.days.load(toDay(day)))?.entries.length ?? 0;
          const corrections = (await stores.corrections.list(toDay(day), toDay(day))).length;
          if (removed.includes(`removed ${day}`)) {
            expect([entries, corrections], `day ${day}`).to.deep.equal([0, 0]);
          } else if (entries > 0 && corrections === 0) {
            // The day that was being removed: its corrections are removed first, so the rest can be removed again.
            halves++;
          } else {
            const isThere = entries === TAGS.length && corrections === 1;
            const isGone = entries === 0 && corrections === 0 && day < FIRST_KEPT;
            expect(isThere || isGone, `day ${day}: ${entries} entries, ${corrections} corrections`).to.equal(
              true,
            );
          }
        }
        expect(halves).to.be.at.most(1);
      }
      const rest = await killAfter(Infinity, 'retention-runner.ts', directory.path);
      expect(rest.at(-1)).to.equal('done');
      await using stores = await openStores(directory.path);
      const left = await stores.days.list(toDay(0), toDay(TODAY));
      expect([left[0], left.length]).to.deep.equal([FIRST_KEPT, TODAY - FIRST_KEPT + 1]);
      expect(await stores.corrections.list(toDay(0), toDay(FIRST_KEPT - 1))).to.deep.equal([]);
    });
  }
});
