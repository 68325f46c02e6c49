import { toAsciiJson, type Publication } from '@tallybook/devices';
import { DATE_MAX, type Timestamp } from '@tallybook/domain';

const RECORD_TYPES = {
  'day-removed': 'day.removed',
  'day-merged': 'day.merged',
  erased: 'person.erased',
  'day-corrected': 'day.corrected',
  repaired: 'record.repaired',
} as const;

/**
 * The body of a request: `type`, `timestamp` and `data`, as Standard Webhooks defines them.
 *
 * @param now Timestamp for a publication without a time of its own.
 */
export function formatPayload(publication: Publication, now: Timestamp): string {
  if (publication.kind === 'record') {
    const { event, ...data } = publication.data;
    return toAsciiJson({ type: RECORD_TYPES[event], timestamp: formatTime(now), data });
  }
  const { data } = publication;
  const type = data.outcome === 'provisional' ? 'scan.provisional' : 'scan.recorded';
  return toAsciiJson({ type, timestamp: formatTime(data.at ?? now), data });
}

function formatTime(at: Timestamp): string {
  return new Date(Math.min(at, DATE_MAX) * 1_000).toISOString();
}
