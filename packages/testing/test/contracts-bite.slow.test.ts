import type { Clock, JournalLimits, Lifecycle, Name, TallyId } from '@tallybook/domain';
import type { AuditEntry } from '@tallybook/domain/access';
import {
  accessStoreContract,
  auditStoreContract,
  clockContract,
  correctionStoreContract,
  dayStoreContract,
  erasureStoreContract,
  idSourceContract,
  journalContract,
  lifecycleContract,
  ManualClock,
  mappingStoreContract,
  MemoryCorrectionStore,
  MemoryAccessStore,
  MemoryAuditStore,
  MemoryDayStore,
  MemoryMappingStore,
  MemoryPeopleStore,
  MemoryProvisionalStore,
  MemoryReceiptStore,
  MemorySnapshotSource,
  MemoryStationStore,
  noCorrections,
  noAccess,
  noPeople,
  noProvisionalScans,
  passkeyVerifierContract,
  peopleStoreContract,
  provisionalStoreContract,
  receiptStoreContract,
  ScriptedIdSource,
  identityProviderContract,
  ScriptedDevice,
  ScriptedIdentityProvider,
  ScriptedPasskeyVerifier,
  secretsContract,
  snapshotSourceContract,
  stampedNamesContract,
  stationStoreContract,
  type MemoryDays,
  type MemoryReceipts,
  type MemoryStations,
  type StoreContractOptions,
  type StoreSubject,
  type TestRunner,
} from '@tallybook/testing';
import { expect } from 'chai';
import { collect, failuresOf } from './collecting-runner.js';
import { accessStoreSabotages } from './sabotage/access/access-stores.js';
import { auditStoreSabotages } from './sabotage/audit-stores.js';
import { clockSabotages } from './sabotage/clocks.js';
import { correctionStoreSabotages } from './sabotage/record/correction-stores.js';
import { dayStoreSabotages } from './sabotage/record/day-stores.js';
import { erasureStoreSabotages } from './sabotage/record/erasure-stores.js';
import { ErasureWorld } from './sabotage/record/erasure-world.js';
import { idSourceSabotages } from './sabotage/devices/id-sources.js';
import { JournalWorld } from './sabotage/record/journal-world.js';
import { journalSabotages } from './sabotage/record/journals.js';
import { lifecycleSabotages, Valve } from './sabotage/lifecycles.js';
import { mappingStoreSabotages } from './sabotage/names/mapping-stores.js';
import { provisionalStoreSabotages } from './sabotage/record/provisional-stores.js';
import { peopleStoreSabotages } from './sabotage/people/people-stores.js';
import { PeopleWorld } from './sabotage/people/people-world.js';
import { receiptStoreSabotages } from './sabotage/devices/receipt-stores.js';
import { identityProviderSabotages } from './sabotage/access/identity-providers.js';
import { passkeyVerifierSabotages } from './sabotage/access/passkey-verifiers.js';
import { QuickSecrets, secretsSabotages } from './sabotage/secrets.js';
import { snapshotSourceSabotages } from './sabotage/record/snapshot-sources.js';
import { stampedNamesSabotages } from './sabotage/names/stamped-names.js';
import { StampedWorld } from './sabotage/names/stamped-world.js';
import { stationStoreSabotages } from './sabotage/sync/station-stores.js';
import type { Sabotage } from './sabotage/sabotage.js';
import { scriptedProviderSubject } from './fixtures/scripted-provider-subject.js';
import { scriptedSourceSubject } from './fixtures/scripted-source-subject.js';

describe('lifecycleContract', () => {
  proves(lifecycleSabotages, Valve, (Fake) => (runner) => {
    const make = (): { resource: Valve; cleanup: () => Promise<void> } => {
      const resource = new Fake();
      return { resource, cleanup: () => resource.close().catch(() => undefined) };
    };
    lifecycleContract(runner, { name: 'Valve', make, operations: { pass: (valve) => valve.pass() } });
  });
});

describe('clockContract', () => {
  proves(clockSabotages, ManualClock, (Fake) => (runner) => {
    const make = () => {
      const clock = new Fake();
      const wait = (milliseconds: number): void => clock.advance(milliseconds);
      return { clock, wait, cleanup: () => Promise.resolve() };
    };
    clockContract(runner, { name: 'fake', make });
  });
});

describe('secretsContract', () => {
  proves(secretsSabotages, QuickSecrets, (Fake) => (runner) => {
    secretsContract(runner, { name: 'fake', make: () => new Fake() });
  });
});

describe('identityProviderContract', () => {
  proves(identityProviderSabotages, ScriptedIdentityProvider, (Fake) => (runner) => {
    identityProviderContract(runner, {
      name: 'fake',
      make: (people) => scriptedProviderSubject(Fake, people),
    });
  });
});

describe('passkeyVerifierContract', () => {
  proves(passkeyVerifierSabotages, ScriptedPasskeyVerifier, (Fake) => (runner) => {
    let devices = 0;
    const newDevice = (): ScriptedDevice => new ScriptedDevice(`device-${++devices}`);
    passkeyVerifierContract(runner, { name: 'fake', make: () => ({ verifier: new Fake(), newDevice }) });
  });
});

describe('mappingStoreContract', () => {
  provesStore(
    mappingStoreContract,
    mappingStoreSabotages,
    MemoryMappingStore,
    () => new Map<TallyId, Name>(),
  );
});

describe('dayStoreContract', () => {
  provesStore(dayStoreContract, dayStoreSabotages, MemoryDayStore, (): MemoryDays => new Map());
});

describe('correctionStoreContract', () => {
  provesStore(correctionStoreContract, correctionStoreSabotages, MemoryCorrectionStore, noCorrections);
});

describe('provisionalStoreContract', () => {
  provesStore(
    provisionalStoreContract,
    provisionalStoreSabotages,
    MemoryProvisionalStore,
    noProvisionalScans,
  );
});

describe('accessStoreContract', () => {
  provesStore(accessStoreContract, accessStoreSabotages, MemoryAccessStore, noAccess);
});

describe('auditStoreContract', () => {
  provesStore(auditStoreContract, auditStoreSabotages, MemoryAuditStore, (): AuditEntry[] => []);
});

describe('receiptStoreContract', () => {
  provesStore(
    receiptStoreContract,
    receiptStoreSabotages,
    MemoryReceiptStore,
    (): MemoryReceipts => new Map(),
  );
});

describe('snapshotSourceContract', () => {
  proves(snapshotSourceSabotages, MemorySnapshotSource, (Fake) => (runner) => {
    const make = async () => {
      const days: MemoryDays = new Map();
      const [corrections, scans, people] = [noCorrections(), noProvisionalScans(), noPeople()];
      const contents = { names: new Map<TallyId, Name>(), days, corrections, scans, people };
      const mapping = new MemoryMappingStore(contents.names);
      const stores = {
        mapping,
        people: new MemoryPeopleStore(people, { mapping }),
        days: new MemoryDayStore(contents.days),
        provisional: new MemoryProvisionalStore(contents.scans),
        corrections: new MemoryCorrectionStore(contents.corrections),
      };
      for (const store of Object.values(stores)) await store.open();
      const cleanup = async () => {
        for (const store of Object.values(stores)) await store.close();
      };
      return { ...stores, snapshots: new Fake(contents), cleanup };
    };
    snapshotSourceContract(runner, { name: 'fake', make });
  });
});

describe('erasureStoreContract', () => {
  proves(erasureStoreSabotages, ErasureWorld, (Fake) => (runner) => {
    erasureStoreContract(runner, {
      name: 'fake',
      hasFaults: true,
      hasPeople: true,
      make: () => new Fake().subject(),
    });
  });
});

describe('stationStoreContract', () => {
  provesStore(
    stationStoreContract,
    stationStoreSabotages,
    MemoryStationStore,
    (): MemoryStations => new Map(),
  );
});

describe('peopleStoreContract', () => {
  proves(peopleStoreSabotages, PeopleWorld, (Fake) => (runner) => {
    peopleStoreContract(runner, { name: 'fake', make: (source) => new Fake().subject(source) });
  });
});

describe('stampedNamesContract', () => {
  proves(stampedNamesSabotages, StampedWorld, (Fake) => (runner) => {
    stampedNamesContract(runner, {
      name: 'fake',
      isShared: true,
      make: (source) => new Fake().subject(source),
    });
  });
});

describe('journalContract', () => {
  proves(journalSabotages, JournalWorld, (Fake) => (runner) => {
    const make = (limits: JournalLimits) => new Fake().subject(limits);
    journalContract(runner, { name: 'fake', durable: true, hasFaults: true, losesAnswers: true, make });
  });
});

describe('idSourceContract', () => {
  proves<new (clock: Clock) => ScriptedIdSource>(idSourceSabotages, ScriptedIdSource, (Fake) => (runner) => {
    const clock = new ManualClock();
    const make = () => {
      const source = new Fake(clock);
      return { ...scriptedSourceSubject(source), cleanup: () => source.close().catch(() => undefined) };
    };
    // A fake delivers at once or never, so no wait is needed.
    idSourceContract(runner, { name: 'fake', clock, pluggable: true, patienceMs: 1, make });
  });
});

/** Proves the contract of a store whose fakes hold their data in `dataOf()`. */
function provesStore<Data, S>(
  contract: (runner: TestRunner, options: StoreContractOptions<S>) => void,
  sabotages: readonly Sabotage<new (data: Data) => S & Lifecycle>[],
  Good: new (data: Data) => S & Lifecycle,
  dataOf: () => Data,
): void {
  proves(sabotages, Good, (Fake) => (runner) => {
    const make = (): StoreSubject<S> => {
      const data = dataOf();
      const store = new Fake(data);
      return { store, reopen: () => new Fake(data), cleanup: () => store.close() };
    };
    contract(runner, { name: 'fake', durable: true, make });
  });
}

/** Shows that a fake with a fault makes the cases fail that are there for this fault; others may fail too. */
function proves<Fake>(
  sabotages: readonly Sabotage<Fake>[],
  Good: Fake,
  adopt: (Fake: Fake) => (runner: TestRunner) => void,
): void {
  const titles = collect(adopt(Good)).map(({ title }) => title);

  it('passes a fake that is not sabotaged', async () => {
    expect(await failuresOf(adopt(Good))).to.deep.equal([]);
  });

  for (const { fault, Fake, fails } of sabotages) {
    it(`notices a fake that ${fault}`, async () => {
      expect(await failuresOf(adopt(Fake))).to.include.members([...fails]);
    });
  }

  it('has no case that fails for none of these', () => {
    const proven = new Set([...lifecycleSabotages, ...sabotages].flatMap(({ fails }) => fails));
    expect(titles.filter((title) => !proven.has(title))).to.deep.equal([]);
  });

  it('has no title twice', () => {
    expect(titles.length).to.equal(new Set(titles).size);
  });
}
