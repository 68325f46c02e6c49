import type { PeopleStore, Lifecycle } from '@tallybook/domain';
import { runCases, type TestRunner } from '../../runner.js';
import { lifecycleContract } from '../lifecycle.js';
import { FakeSource } from '../names/stamped-subject.js';
import { carriedCases } from './carried-rows.js';
import { besideNamesCases } from './people-beside-names.js';
import { holderCases } from './people-holders.js';
import { rowCases } from './people-rows.js';
import { ada, at, red, rows, type PeopleStoreContractOptions } from './people-subject.js';

/** Checks the promises of {@link PeopleStore}, and those of the `MappingStore` beside it. */
export function peopleStoreContract(runner: TestRunner, options: PeopleStoreContractOptions): void {
  const { name, make } = options;
  lifecycleContract<PeopleStore & Lifecycle>(runner, {
    name,
    make: async () => {
      const { people, cleanup } = await make(new FakeSource());
      await people.close();
      return { resource: people, cleanup };
    },
    operations: {
      read: (people) => people.read({ persons: [ada], timelines: [], names: [] }),
      write: (people) => people.write(rows({}), rows({})),
      persons: (people) => people.persons(undefined, 1),
      timelines: (people) => people.timelines(undefined, 1),
      groups: (people) => people.groups(),
      carried: (people) => people.carried(undefined, 1),
      holderAt: (people) => people.holderAt(red, at(0)),
      revision: (people) => people.revision(),
    },
  });
  const cases = [...rowCases, ...carriedCases, ...holderCases, ...besideNamesCases];
  runCases(runner, 'a PeopleStore', cases, options);
}
