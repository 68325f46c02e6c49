import { auditSection } from '@tallybook/domain/personal';
import type { AppDependencies } from '@tallybook/http-koa';
import type { Services } from '../services.js';
import { appReportsOf } from './app-reports.js';
import { hasConfiguredStores, isCentre } from './configured-stores.js';

/** The dependencies of the HTTP interface. */
export function appDependenciesOf(services: Services): AppDependencies {
  const { names, attendance, calendar, timekeeper, corrections, backup, ranges } = services;
  const { readerMonitor: readers, pushSources, status, health, metrics, unnamed, tags, events } = services;
  const { access, auditTrail: audit, page } = services;
  return {
    ...{ names, attendance, calendar, timekeeper, corrections, backup, ranges },
    ...{ readers, pushSources, status, health, metrics, unnamed, tags, events },
    ...{ access, audit, page },
    ...(hasConfiguredStores(services) && { personal: personalDataOf(services) }),
    ...(isCentre(services) && { centre: services.centreSync }),
    ...appReportsOf(services),
  };
}

function personalDataOf(services: Services): AppDependencies['personal'] & object {
  const { erasures, retention, erasureStore, auditStore, auditTrail: audit } = services;
  const sections = [auditSection(auditStore, erasureStore)];
  return { erasures, retention, person: { erasures: erasureStore, sections }, audit };
}
