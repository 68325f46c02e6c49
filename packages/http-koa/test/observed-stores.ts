import type {
  AttendanceDay,
  Day,
  Mapping,
  MappingSnapshot,
  Name,
  PutOutcome,
  RecordOutcome,
  ScanSource,
  TallyId,
  Timestamp,
} from '@tallybook/domain';
import { MemoryDayStore, MemoryMappingStore } from '@tallybook/testing';

/** Counts reads, and fails on demand. */
export class ObservedMappingStore extends MemoryMappingStore {
  reads = 0;
  failure: Error | undefined;

  override read(): Promise<Mapping> {
    this.reads++;
    return this.failure ? Promise.reject(this.failure) : super.read();
  }

  override snapshot(): Promise<MappingSnapshot> {
    this.reads++;
    return this.failure ? Promise.reject(this.failure) : super.snapshot();
  }

  override put(id: TallyId, name: Name): Promise<PutOutcome> {
    return this.failure ? Promise.reject(this.failure) : super.put(id, name);
  }
}

/** Counts reads, and fails on demand. */
export class ObservedDayStore extends MemoryDayStore {
  reads = 0;
  failure: Error | undefined;

  override load(day: Day): Promise<AttendanceDay | undefined> {
    this.reads++;
    return this.failure ? Promise.reject(this.failure) : super.load(day);
  }

  override list(from: Day, to: Day): Promise<readonly Day[]> {
    this.reads++;
    return this.failure ? Promise.reject(this.failure) : super.list(from, to);
  }

  override record(day: Day, id: TallyId, at: Timestamp, source?: ScanSource): Promise<RecordOutcome> {
    return this.failure ? Promise.reject(this.failure) : super.record(day, id, at, source);
  }
}
