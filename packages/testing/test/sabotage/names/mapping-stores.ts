import { setImmediate } from 'node:timers/promises';
import type {
  Association,
  Mapping,
  MappingSnapshot,
  Name,
  NameChanges,
  PutOutcome,
  RestoreOutcome,
  Revision,
  TallyId,
} from '@tallybook/domain';
import { MemoryMappingStore } from '@tallybook/testing';
import { closedStoreSabotages } from '../closed-stores.js';
import type { Sabotage } from '../sabotage.js';

type Names = Map<TallyId, Name>;

/** A fake whose sabotage can access its contents. */
class Sabotaged extends MemoryMappingStore {
  readonly names: Names;

  constructor(names: Names) {
    super(names);
    this.names = names;
  }
}

/** A snapshot whose pages `read` makes from the right ones. */
async function spoilPages(
  snapshot: Promise<MappingSnapshot>,
  read: (good: MappingSnapshot, after: TallyId | undefined, limit: number) => Promise<readonly Association[]>,
): Promise<MappingSnapshot> {
  const good = await snapshot;
  return { ...good, page: (after, limit) => read(good, after, limit) };
}

const operations = ['read', 'snapshot', 'get', 'put', 'restore', 'remove', 'change', 'revision'];

export const mappingStoreSabotages: readonly Sabotage<new (names: Names) => MemoryMappingStore>[] = [
  {
    fault: 'is not empty at first',
    Fake: class extends Sabotaged {
      protected override async onOpen(): Promise<void> {
        this.names.set('FFFFFFFE' as TallyId, { first: 'Nobody', last: '' });
      }
    },
    fails: ['is empty at first', 'returns the name that was put'],
  },
  {
    fault: 'keeps nothing',
    Fake: class extends Sabotaged {
      override async put(id: TallyId, name: Name): Promise<PutOutcome> {
        const outcome = await super.put(id, name);
        this.names.clear();
        return outcome;
      }
    },
    fails: ['returns the name that was put'],
  },
  {
    fault: 'says added for every name',
    Fake: class extends Sabotaged {
      override put(id: TallyId, name: Name): Promise<PutOutcome> {
        return super.put(id, name).then(() => 'added');
      }
    },
    fails: [
      'says whether an association is new or replaced another one',
      'lets the last call win when one tag is put several times at the same time',
    ],
  },
  {
    fault: 'leaves names of backups out',
    Fake: class extends Sabotaged {
      override restore(): Promise<RestoreOutcome> {
        return this.run(() => Promise.resolve('added'));
      }
    },
    fails: ['puts a name of a backup like any other one'],
  },
  {
    fault: 'keeps the first name of a tag',
    Fake: class extends Sabotaged {
      override put(id: TallyId, name: Name): Promise<PutOutcome> {
        return super.put(id, this.names.get(id) ?? name);
      }
    },
    fails: ['keeps the last name that was put'],
  },
  {
    fault: 'keeps one tag of a name',
    Fake: class extends Sabotaged {
      override put(id: TallyId, name: Name): Promise<PutOutcome> {
        for (const [other, { last }] of this.names) {
          if (other !== id && last !== '' && last === name.last) this.names.delete(other);
        }
        return super.put(id, name);
      }
    },
    fails: ['lets several tags have the same name'],
  },
  {
    fault: 'reads in the order of writing',
    Fake: class extends Sabotaged {
      override read(): Promise<Mapping> {
        return super.read().then(() => new Map(this.names));
      }
    },
    fails: ['gives all associations in pages, ascending, each once'],
  },
  {
    fault: 'takes tags for one whose ids begin alike',
    Fake: class extends Sabotaged {
      override put(id: TallyId, name: Name): Promise<PutOutcome> {
        const ids = [...this.names.keys()];
        return super.put(ids.find((each) => each.slice(0, 6) === id.slice(0, 6)) ?? id, name);
      }
    },
    fails: [
      'reads ids ascending, whatever the order of writing',
      'keeps ids apart that begin alike, have leading zeros or the most bytes',
      'loses nothing of associations put at the same time',
    ],
  },
  {
    fault: 'keeps names in Latin-1',
    Fake: class extends Sabotaged {
      override put(id: TallyId, { first, last }: Name): Promise<PutOutcome> {
        const latin1 = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
        return super.put(id, { first: latin1(first), last: latin1(last) });
      }
    },
    fails: ['keeps every character of a name'],
  },
  {
    fault: 'removes everything',
    Fake: class extends Sabotaged {
      override async remove(id: TallyId): Promise<boolean> {
        const wasThere = await super.remove(id);
        this.names.clear();
        return wasThere;
      }
    },
    fails: ['removes an association and no other one', 'changes many names in its turn among other writes'],
  },
  {
    fault: 'says that it removed what was not there',
    Fake: class extends Sabotaged {
      override remove(id: TallyId): Promise<boolean> {
        return super.remove(id).then(() => true);
      }
    },
    fails: ['says so when there is no association to remove'],
  },
  {
    fault: 'leaves names as they are when many are changed',
    Fake: class extends Sabotaged {
      override change(): Promise<ReadonlyMap<TallyId, Name>> {
        return super.change(new Map());
      }
    },
    fails: ['never shows some of many changes without the others'],
  },
  {
    fault: 'says of many names what they have become',
    Fake: class extends Sabotaged {
      override async change(changes: NameChanges): Promise<ReadonlyMap<TallyId, Name>> {
        await super.change(changes);
        return new Map([...this.names].filter(([id]) => changes.has(id)));
      }
    },
    fails: ['changes many names at once, and says which ones there were'],
  },
  {
    fault: 'removes all names when none is to be changed',
    Fake: class extends Sabotaged {
      override async change(changes: NameChanges): Promise<ReadonlyMap<TallyId, Name>> {
        if (changes.size === 0) this.names.clear();
        return super.change(changes);
      }
    },
    fails: ['changes nothing at all when nothing is to be changed'],
  },
  {
    fault: 'changes many names one after another',
    Fake: class extends Sabotaged {
      override change(changes: NameChanges): Promise<ReadonlyMap<TallyId, Name>> {
        return this.run(async () => {
          const before = new Map<TallyId, Name>();
          for (const change of changes) {
            for (const [id, name] of await super.change(new Map([change]))) before.set(id, name);
            await setImmediate();
          }
          return before;
        });
      }
    },
    fails: ['never shows some of many changes without the others'],
  },
  {
    fault: 'changes many names after the writes that were called later',
    Fake: class extends Sabotaged {
      override change(changes: NameChanges): Promise<ReadonlyMap<TallyId, Name>> {
        return this.run(async () => {
          await setImmediate();
          return super.change(changes);
        });
      }
    },
    fails: ['lets change finish when close is called meanwhile'],
  },
  {
    fault: 'reads everything, then writes everything',
    Fake: class extends Sabotaged {
      override async put(id: TallyId, name: Name): Promise<PutOutcome> {
        const before = new Map(this.names);
        await setImmediate();
        this.names.clear();
        for (const [each, its] of before) this.names.set(each, its);
        return super.put(id, name);
      }
    },
    fails: ['lets put finish when close is called meanwhile'],
  },
  {
    fault: 'writes to what was read before',
    Fake: class extends Sabotaged {
      readonly #read = new Map<TallyId, Name>();

      override async read(): Promise<Mapping> {
        for (const [id, name] of await super.read()) this.#read.set(id, name);
        return this.#read;
      }

      override put(id: TallyId, name: Name): Promise<PutOutcome> {
        this.#read.set(id, name);
        return super.put(id, name);
      }
    },
    fails: ['does not change what was read when more is written'],
  },
  {
    fault: 'gives the last of a page again in the next one',
    Fake: class extends Sabotaged {
      override snapshot(): Promise<MappingSnapshot> {
        return spoilPages(super.snapshot(), async (good, after, limit) => {
          const all = await good.page(undefined, Infinity);
          const start = all.findIndex(([id]) => id === after);
          return start === all.length - 1 ? [] : all.slice(Math.max(0, start), Math.max(0, start) + limit);
        });
      }
    },
    fails: ['gives all associations in pages, ascending, each once'],
  },
  {
    fault: 'gives everything on one page',
    Fake: class extends Sabotaged {
      override snapshot(): Promise<MappingSnapshot> {
        return spoilPages(super.snapshot(), (good, after) => good.page(after, Infinity));
      }
    },
    fails: ['gives no page that is larger than asked for'],
  },
  {
    fault: 'looks for the tag that a page follows',
    Fake: class extends Sabotaged {
      override snapshot(): Promise<MappingSnapshot> {
        return spoilPages(super.snapshot(), async (good, after, limit) =>
          after === undefined || (await good.page(undefined, Infinity)).some(([id]) => id === after)
            ? good.page(after, limit)
            : [],
        );
      }
    },
    fails: ['goes on after a tag that has no name'],
  },
  {
    fault: 'gives pages as they are when they are asked for',
    Fake: class extends Sabotaged {
      override snapshot(): Promise<MappingSnapshot> {
        return spoilPages(super.snapshot(), async (_, after, limit) =>
          (await super.snapshot()).page(after, limit),
        );
      }
    },
    fails: ['gives the pages of the moment of the snapshot, whatever is written'],
  },
  {
    fault: 'cannot write while there is a snapshot',
    Fake: class extends Sabotaged {
      #snapshots = 0;

      override async snapshot(): Promise<MappingSnapshot> {
        const snapshot = await super.snapshot();
        this.#snapshots++;
        return { ...snapshot, [Symbol.asyncDispose]: () => Promise.resolve(void this.#snapshots--) };
      }

      override put(id: TallyId, name: Name): Promise<PutOutcome> {
        return this.#snapshots > 0 ? Promise.reject(new Error('locked')) : super.put(id, name);
      }
    },
    fails: ['opens again after it was closed'],
  },
  {
    fault: 'can be disposed of once only',
    Fake: class extends Sabotaged {
      override async snapshot(): Promise<MappingSnapshot> {
        const snapshot = await super.snapshot();
        let isDisposed = false;
        return {
          ...snapshot,
          [Symbol.asyncDispose]: () => {
            if (isDisposed) return Promise.reject(new Error('twice'));
            isDisposed = true;
            return Promise.resolve();
          },
        };
      }
    },
    fails: ['lets a snapshot be disposed of twice, and writes go on meanwhile'],
  },
  {
    fault: 'has one revision for ever',
    Fake: class extends Sabotaged {
      override revision(): Promise<Revision> {
        return super.revision().then(() => '0');
      }
    },
    fails: ['has another revision after each change'],
  },
  {
    fault: 'has the number of names as its revision',
    Fake: class extends Sabotaged {
      override revision(): Promise<Revision> {
        return super.revision().then(() => String(this.names.size));
      }
    },
    fails: [
      'has another revision after each change',
      'gives the same data between two equal revisions, whatever is being written',
    ],
  },
  {
    fault: 'changes its revision a little later than its data',
    Fake: class extends Sabotaged {
      #told = '';

      override put(id: TallyId, name: Name): Promise<PutOutcome> {
        return this.run(async () => {
          this.#told = await super.revision();
          const outcome = await super.put(id, name);
          for (let turn = 0; turn < 5; turn++) await setImmediate();
          this.#told = '';
          return outcome;
        });
      }

      override revision(): Promise<Revision> {
        return super.revision().then((revision) => (this.#told === '' ? revision : this.#told));
      }
    },
    fails: [
      'lets put finish when close is called meanwhile',
      'lets restore finish when close is called meanwhile',
    ],
  },
  {
    fault: 'has another revision each time it is asked',
    Fake: class extends Sabotaged {
      #asked = 0;

      override revision(): Promise<Revision> {
        return super.revision().then(() => String(++this.#asked));
      }
    },
    fails: ['keeps the revision while nothing changes'],
  },
  {
    fault: 'forgets everything in a restart',
    Fake: class extends MemoryMappingStore {
      constructor() {
        super(new Map());
      }
    },
    fails: ['keeps what it acknowledged across a restart', 'keeps many changed names across a restart'],
  },
  {
    fault: 'brings removed names back in a restart',
    Fake: class extends Sabotaged {
      readonly #removed: Names = new Map();

      override remove(id: TallyId): Promise<boolean> {
        const name = this.names.get(id);
        if (name !== undefined) this.#removed.set(id, name);
        return super.remove(id);
      }

      protected override async onClose(): Promise<void> {
        for (const [id, name] of this.#removed) this.names.set(id, name);
      }
    },
    fails: ['keeps a removed association removed across a restart'],
  },
  ...closedStoreSabotages(MemoryMappingStore, operations),
];
