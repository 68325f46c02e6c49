export { type ErasedTag, ERASURE_MAX_TAGS, type ErasureReport, ErasureService } from './erasure-service.js';
export { firstKeptDay, formatKeep, type Keep, parseKeep } from './keep.js';
export { auditSection, personData, type PersonDataDependencies } from './person-data.js';
export { retentionDoubts } from './retention-guard.js';
export { type ExpiredDay, type RetentionReport, RetentionService } from './retention-service.js';
export { countTraces } from './trace-counts.js';
