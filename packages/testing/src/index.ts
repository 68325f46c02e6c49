export { accessStoreContract } from './contracts/access/access-store.js';
export { auditStoreContract } from './contracts/audit-store.js';
export { clockContract, type ClockContractOptions, type ClockSubject } from './contracts/clock.js';
export { correctionStoreContract } from './contracts/record/correction-store.js';
export { dayStoreContract } from './contracts/record/day-store.js';
export {
  erasureStoreContract,
  type ErasureStoreContractOptions,
} from './contracts/record/erasure/erasure-store.js';
export type {
  ErasureFaults,
  ErasureStores,
  ErasureSubject,
} from './contracts/record/erasure/erasure-subject.js';
export {
  identityProviderContract,
  type IdentityProviderContractOptions,
  type IdentityProviderSubject,
  type ProviderPerson,
} from './contracts/access/identity-provider.js';
export {
  idSourceContract,
  type IdSourceContractOptions,
  type IdSourceSubject,
} from './contracts/devices/id-source.js';
export { journalContract } from './contracts/record/journal.js';
export type {
  JournalContractOptions,
  JournalFaults,
  JournalStores,
  JournalSubject,
} from './contracts/record/journal-subject.js';
export {
  lifecycleContract,
  type LifecycleContractOptions,
  type LifecycleSubject,
} from './contracts/lifecycle.js';
export { mappingStoreContract } from './contracts/names/mapping-store.js';
export {
  passkeyVerifierContract,
  type PasskeyDevice,
  type PasskeyRequest,
  type PasskeyVerifierContractOptions,
} from './contracts/access/passkey-verifier.js';
export { peopleStoreContract } from './contracts/people/people-store.js';
export type {
  PeopleStoreContractOptions,
  PeopleStores,
  PeopleSubject,
} from './contracts/people/people-subject.js';
export { provisionalStoreContract } from './contracts/record/provisional-store.js';
export { secretsContract, type SecretsContractOptions } from './contracts/secrets.js';
export { receiptStoreContract } from './contracts/devices/receipt-store.js';
export {
  snapshotSourceContract,
  type SnapshotSourceContractOptions,
  type SnapshotSubject,
} from './contracts/record/snapshot-source.js';
export { stampedNamesContract } from './contracts/names/stamped-names.js';
export type {
  StampedNamesContractOptions,
  StampedNamesStores,
  StampedNamesSubject,
} from './contracts/names/stamped-subject.js';
export { stationStoreContract } from './contracts/sync/station-store.js';
export type { StoreContractOptions, StoreSubject } from './contracts/store-subject.js';
export { facetOf } from './facet-of.js';
export { ManualClock } from './fakes/manual-clock.js';
export { ScriptedIdentityProvider } from './fakes/scripted-identity-provider.js';
export {
  ScriptedDevice,
  ScriptedPasskeyVerifier,
  type ScriptedAnswer,
} from './fakes/scripted-passkey-verifier.js';
export { ScriptedIdSource } from './fakes/scripted-id-source.js';
export {
  proveStorage,
  type FacetName,
  type ProofOptions,
  type ProvenOptions,
  type ProvenStorage,
  type StorageFaults,
  type StorageSubject,
  type SuiteName,
} from './prove-storage.js';
export { PATIENCE_MS, Recorder } from './recorder.js';
export type { Deviation, TestRunner } from './runner.js';
export {
  MemoryAccessStore,
  MemoryAuditStore,
  MemoryCorrectionStore,
  MemoryData,
  MemoryDayStore,
  MemoryErasures,
  MemoryErasureStore,
  MemoryJournal,
  MemoryMappingStore,
  MemoryPeopleStore,
  MemoryProvisionalStore,
  MemoryReceiptStore,
  MemorySnapshotSource,
  MemoryStampedNames,
  MemoryStationStore,
  MemoryStorage,
  noAccess,
  noChanges,
  noCorrections,
  noPeople,
  noProvisionalScans,
  type MemoryAccess,
  type MemoryChanges,
  type MemoryContents,
  type MemoryCorrections,
  type MemoryDays,
  type MemoryEntry,
  type MemoryErasureParts,
  type MemoryPeople,
  type MemoryPeopleParts,
  type MemoryProvisionalScans,
  type MemoryReceipts,
  type MemoryStamping,
  type MemoryStamps,
  type MemoryStation,
  type MemoryStations,
} from '@tallybook/store-memory';
