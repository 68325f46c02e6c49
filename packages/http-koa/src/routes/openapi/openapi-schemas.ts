import { accessSchemas } from './access/access-schemas.js';
import { passkeySchemas } from './access/passkey-schemas.js';
import { correctionSchemas } from './corrections/correction-schemas.js';
import { daySchemas } from './days/day-schemas.js';
import { provisionalSchemas } from './days/provisional-schemas.js';
import { eventSchemas } from './events/event-schemas.js';
import { nameSchemas } from './names/name-schemas.js';
import { personalSchemas } from './personal/personal-schemas.js';
import { rangeSchemas } from './ranges/range-schemas.js';
import { pushSchemas } from './readers/push-schemas.js';
import { readerSchemas } from './readers/reader-schemas.js';
import { auditSchemas } from './service/audit-schemas.js';
import { healthSchemas } from './service/health-schemas.js';
import { statusSchemas } from './service/status-schemas.js';
import { timeSchemas } from './service/time-schemas.js';
import { syncSchemas } from './sync/sync-schemas.js';
import { problemSchemas } from './problem-schemas.js';
import { valueSchemas } from './value-schemas.js';
import type { Schema } from './schema.js';

/** All values that the interface sends or accepts, by name. */
export const schemas: Readonly<Record<string, Schema>> = {
  ...valueSchemas,
  ...accessSchemas,
  ...auditSchemas,
  ...correctionSchemas,
  ...daySchemas,
  ...eventSchemas,
  ...healthSchemas,
  ...nameSchemas,
  ...passkeySchemas,
  ...personalSchemas,
  ...provisionalSchemas,
  ...pushSchemas,
  ...rangeSchemas,
  ...readerSchemas,
  ...statusSchemas,
  ...syncSchemas,
  ...timeSchemas,
  ...problemSchemas,
};
