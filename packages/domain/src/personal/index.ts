export type { PersonalFacets } from '../record/ports/erasure-store.js';
export {
  countTraces,
  ERASURE_MAX_TAGS,
  ErasureService,
  type ErasedTag,
  type ErasureReport,
} from './erasure-service.js';
export { firstKeptDay, formatKeep, parseKeep, type Keep } from './keep.js';
export { personOfTag } from './held-traces.js';
export { auditSection, dataOfPerson, personData, type PersonDataDependencies } from './person-data.js';
export { retentionDoubts } from './retention-guard.js';
export { RetentionService, type ExpiredDay, type RetentionReport } from './retention-service.js';
export { personal, type PersonalServices } from './personal-feature.js';
