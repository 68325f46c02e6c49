import { auditSection } from '@tallybook/domain/personal';
import type { AppDependencies } from '@tallybook/http-koa';
import type { Services } from '../services.js';
import { lackingPaths } from '../lacking.js';
import { appReportsOf } from './app-reports.js';

/** The dependencies of the HTTP interface. */
export function appDependenciesOf(services: Services): AppDependencies {
  const { names, attendance, calendar, timekeeper, corrections, backup, ranges, centreSync } = services;
  const { readerMonitor: readers, pushSources, status, health, metrics, unnamed, tags, events } = services;
  const { access, auditTrail: audit, page } = services;
  return {
    ...{ names, attendance, calendar, timekeeper, backup, ranges },
    ...(corrections && { corrections }),
    ...{ readers, pushSources, status, health, metrics, unnamed, tags, events },
    ...{ access, audit, page },
    ...personalDataOf(services),
    ...(centreSync && { centre: centreSync }),
    lacking: lackingPaths(services.storage),
    ...appReportsOf(services),
  };
}

function personalDataOf(services: Services): Pick<AppDependencies, 'personal'> {
  const { erasures, retention, auditTrail: audit, storage } = services;
  if (erasures === undefined || storage.erasures === undefined) return {};
  const sections = [auditSection(storage.audit, storage.erasures)];
  return { personal: { erasures, retention, person: { erasures: storage.erasures, sections }, audit } };
}
