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
import { faults, type Sabotage } from '../sabotage.js';

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
  ...faults<new (names: Names) => MemoryMappingStore>({
    'is not empty at first': class extends Sabotaged {
      static readonly fails = ['is empty at first', 'returns the name that was put'];
      protected override async onOpen(): Promise<void> {
        this.names.set('FFFFFFFE' as TallyId, { first: 'Nobody', last: '' });
      }
    },
    'keeps nothing': class extends Sabotaged {
      static readonly fails = ['returns the name that was put'];
      override async put(id: TallyId, name: Name): Promise<PutOutcome> {
        const outcome = await super.put(id, name);
        this.names.clear();
        return outcome;
      }
    },
    'says added for every name': class extends Sabotaged {
      static readonly fails = [
        'says whether an association is new or replaced another one',
        'lets the last call win when one tag is put several times at the same time',
      ];
      override put(id: TallyId, name: Name): Promise<PutOutcome> {
        return super.put(id, name).then(() => 'added');
      }
    },
    'leaves names of backups out': class extends Sabotaged {
      static readonly fails = ['puts a name of a backup like any other one'];
      override restore(): Promise<RestoreOutcome> {
        return this.run(() => Promise.resolve('added'));
      }
    },
    'keeps the first name of a tag': class extends Sabotaged {
      static readonly fails = ['keeps the last name that was put'];
      override put(id: TallyId, name: Name): Promise<PutOutcome> {
        return super.put(id, this.names.get(id) ?? name);
      }
    },
    'keeps one tag of a name': class extends Sabotaged {
      static readonly fails = ['lets several tags have the same name'];
      override put(id: TallyId, name: Name): Promise<PutOutcome> {
        for (const [other, { last }] of this.names) {
          if (other !== id && last !== '' && last === name.last) this.names.delete(other);
        }
        return super.put(id, name);
      }
    },
    'reads in the order of writing': class extends Sabotaged {
      static readonly fails = ['gives all associations in pages, ascending, each once'];
      override read(): Promise<Mapping> {
        return super.read().then(() => new Map(this.names));
      }
    },
    'takes tags for one whose ids begin alike': class extends Sabotaged {
      static readonly fails = [
        'reads ids ascending, whatever the order of writing',
        'keeps ids apart that begin alike, have leading zeros or the most bytes',
        'loses nothing of associations put at the same time',
      ];
      override put(id: TallyId, name: Name): Promise<PutOutcome> {
        const ids = [...this.names.keys()];
        return super.put(ids.find((each) => each.slice(0, 6) === id.slice(0, 6)) ?? id, name);
      }
    },
    'keeps names in Latin-1': class extends Sabotaged {
      static readonly fails = ['keeps every character of a name'];
      override put(id: TallyId, { first, last }: Name): Promise<PutOutcome> {
        const latin1 = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
        return super.put(id, { first: latin1(first), last: latin1(last) });
      }
    },
    'removes everything': class extends Sabotaged {
      static readonly fails = [
        'removes an association and no other one',
        'changes many names in its turn among other writes',
      ];
      override async remove(id: TallyId): Promise<boolean> {
        const wasThere = await super.remove(id);
        this.names.clear();
        return wasThere;
      }
    },
    'says that it removed what was not there': class extends Sabotaged {
      static readonly fails = ['says so when there is no association to remove'];
      override remove(id: TallyId): Promise<boolean> {
        return super.remove(id).then(() => true);
      }
    },
    'leaves names as they are when many are changed': class extends Sabotaged {
      static readonly fails = ['never shows some of many changes without the others'];
      override change(): Promise<ReadonlyMap<TallyId, Name>> {
        return super.change(new Map());
      }
    },
    'says of many names what they have become': class extends Sabotaged {
      static readonly fails = ['changes many names at once, and says which ones there were'];
      override async change(changes: NameChanges): Promise<ReadonlyMap<TallyId, Name>> {
        await super.change(changes);
        return new Map([...this.names].filter(([id]) => changes.has(id)));
      }
    },
    'removes all names when none is to be changed': class extends Sabotaged {
      static readonly fails = ['changes nothing at all when nothing is to be changed'];
      override async change(changes: NameChanges): Promise<ReadonlyMap<TallyId, Name>> {
        if (changes.size === 0) this.names.clear();
        return super.change(changes);
      }
    },
    'changes many names one after another': class extends Sabotaged {
      static readonly fails = ['never shows some of many changes without the others'];
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
    'changes many names after the writes that were called later': class extends Sabotaged {
      static readonly fails = ['lets change finish when close is called meanwhile'];
      override change(changes: NameChanges): Promise<ReadonlyMap<TallyId, Name>> {
        return this.run(async () => {
          await setImmediate();
          return super.change(changes);
        });
      }
    },
    'reads everything, then writes everything': class extends Sabotaged {
      static readonly fails = ['lets put finish when close is called meanwhile'];
      override async put(id: TallyId, name: Name): Promise<PutOutcome> {
        const before = new Map(this.names);
        await setImmediate();
        this.names.clear();
        for (const [each, its] of before) this.names.set(each, its);
        return super.put(id, name);
      }
    },
    'writes to what was read before': class extends Sabotaged {
      static readonly fails = ['does not change what was read when more is written'];
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
    'gives the last of a page again in the next one': class extends Sabotaged {
      static readonly fails = ['gives all associations in pages, ascending, each once'];
      override snapshot(): Promise<MappingSnapshot> {
        return spoilPages(super.snapshot(), async (good, after, limit) => {
          const all = await good.page(undefined, Infinity);
          const start = all.findIndex(([id]) => id === after);
          return start === all.length - 1 ? [] : all.slice(Math.max(0, start), Math.max(0, start) + limit);
        });
      }
    },
    'gives everything on one page': class extends Sabotaged {
      static readonly fails = ['gives no page that is larger than asked for'];
      override snapshot(): Promise<MappingSnapshot> {
        return spoilPages(super.snapshot(), (good, after) => good.page(after, Infinity));
      }
    },
    'looks for the tag that a page follows': class extends Sabotaged {
      static readonly fails = ['goes on after a tag that has no name'];
      override snapshot(): Promise<MappingSnapshot> {
        return spoilPages(super.snapshot(), async (good, after, limit) =>
          after === undefined || (await good.page(undefined, Infinity)).some(([id]) => id === after)
            ? good.page(after, limit)
            : [],
        );
      }
    },
    'gives pages as they are when they are asked for': class extends Sabotaged {
      static readonly fails = ['gives the pages of the moment of the snapshot, whatever is written'];
      override snapshot(): Promise<MappingSnapshot> {
        return spoilPages(super.snapshot(), async (_, after, limit) =>
          (await super.snapshot()).page(after, limit),
        );
      }
    },
    'cannot write while there is a snapshot': class extends Sabotaged {
      static readonly fails = ['opens again after it was closed'];
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
    'can be disposed of once only': class extends Sabotaged {
      static readonly fails = ['lets a snapshot be disposed of twice, and writes go on meanwhile'];
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
    'has one revision for ever': class extends Sabotaged {
      static readonly fails = ['has another revision after each change'];
      override revision(): Promise<Revision> {
        return super.revision().then(() => '0');
      }
    },
    'has the number of names as its revision': class extends Sabotaged {
      static readonly fails = [
        'has another revision after each change',
        'gives the same data between two equal revisions, whatever is being written',
      ];
      override revision(): Promise<Revision> {
        return super.revision().then(() => String(this.names.size));
      }
    },
    'changes its revision a little later than its data': class extends Sabotaged {
      static readonly fails = [
        'lets put finish when close is called meanwhile',
        'lets restore finish when close is called meanwhile',
      ];
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
    'has another revision each time it is asked': class extends Sabotaged {
      static readonly fails = ['keeps the revision while nothing changes'];
      #asked = 0;

      override revision(): Promise<Revision> {
        return super.revision().then(() => String(++this.#asked));
      }
    },
    'forgets everything in a restart': class extends MemoryMappingStore {
      static readonly fails = [
        'keeps what it acknowledged across a restart',
        'keeps many changed names across a restart',
      ];
      constructor() {
        super(new Map());
      }
    },
    'brings removed names back in a restart': class extends Sabotaged {
      static readonly fails = ['keeps a removed association removed across a restart'];
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
  }),
  ...closedStoreSabotages(MemoryMappingStore, operations),
];
