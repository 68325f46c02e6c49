import { auditSection } from '@tallybook/domain/personal';
import type { AppServices } from '@tallybook/http-koa';
import type { Services } from '../services.js';

/** The services that the HTTP interface offers. */
export function appServicesOf(services: Services): AppServices {
  const { names, attendance, calendar, timekeeper, corrections, backup, ranges, centreSync } = services;
  const {
    readerMonitor: readers,
    pushSources,
    status: statusSource,
    health,
    metrics,
    unnamed,
    tags,
    events,
  } = services;
  const { access, auditTrail: audit } = services;
  return {
    ...{ names, attendance, calendar, timekeeper, backup, ranges },
    ...(corrections && { corrections }),
    ...{ readers, pushSources, statusSource, health, metrics, unnamed, tags, events },
    ...{ access, audit },
    ...personalDataOf(services),
    ...(centreSync && { centre: centreSync }),
  };
}

function personalDataOf(services: Services): Pick<AppServices, 'personal'> {
  const { erasures, retention, auditTrail: audit, storage } = services;
  if (erasures === undefined || storage.erasures === undefined) return {};
  const sections = [auditSection(storage.audit, storage.erasures)];
  return { personal: { erasures, retention, person: { erasures: storage.erasures, sections }, audit } };
}
