import type { ComponentType } from 'preact';
import type { PathParams } from './routing.js';
import { KioskPage } from './pages/kiosk/kiosk-page.js';
import { MusterPage } from './pages/muster/muster-page.js';
import { NamesPage } from './pages/names/names-page.js';
import { TodayPage } from './pages/today/today-page.js';
import { lazy } from './parts/placeholders.js';

export interface PageRoute {
  /** Pattern such as `/person/:id`, for the part of the address after `#`. */
  readonly path: string;
  readonly page: ComponentType<PathParams>;
  /** Its icon in the navigation, and the texts with its title; a page without an entry is reached from another page. */
  readonly entry?: 'today' | 'muster' | 'names' | 'days' | 'care';
  /** The action that it needs, such as `see-record`. */
  readonly needs: string;
  /** Whether the page has no navigation, as on a screen at the door or on paper. */
  readonly isBare?: boolean;
}

/**
 * Every page. Pages with an entry are in the navigation, in this order.
 *
 * The pages for a fire and for the door are loaded at the start; each other page is loaded when it is first opened.
 */
export const routes: readonly PageRoute[] = [
  { path: '/', page: TodayPage, needs: 'see-today', entry: 'today' },
  { path: '/muster', page: MusterPage, needs: 'see-today', entry: 'muster' },
  { path: '/names', page: NamesPage, needs: 'see-record', entry: 'names' },
  {
    path: '/names/enrol/:id?',
    page: lazy(async () => (await import('./pages/enrol/enrol-page.js')).EnrolPage),
    needs: 'change-names',
  },
  {
    path: '/names/import',
    page: lazy(async () => (await import('./pages/import/import-page.js')).ImportPage),
    needs: 'change-names',
  },
  {
    path: '/days/:from?/:to?',
    page: lazy(async () => (await import('./pages/days/days-page.js')).DaysPage),
    needs: 'see-record',
    entry: 'days',
  },
  {
    path: '/person/:id/:from?/:to?',
    page: lazy(async () => (await import('./pages/person/person-page.js')).PersonPage),
    needs: 'see-record',
  },
  {
    path: '/corrections',
    page: lazy(async () => (await import('./pages/corrections-page.js')).CorrectionsPage),
    needs: 'see-record',
  },
  {
    path: '/care',
    page: lazy(async () => (await import('./pages/care/care-page.js')).CarePage),
    needs: 'see-service',
    entry: 'care',
  },
  {
    path: '/account',
    page: lazy(async () => (await import('./pages/access/account-page.js')).AccountPage),
    needs: '',
  },
  {
    path: '/users',
    page: lazy(async () => (await import('./pages/access/users-page.js')).UsersPage),
    needs: 'manage-access',
  },
  {
    path: '/tokens',
    page: lazy(async () => (await import('./pages/access/tokens-page.js')).TokensPage),
    needs: 'manage-access',
  },
  {
    path: '/personal/:id?',
    page: lazy(async () => (await import('./pages/personal/personal-page.js')).PersonalPage),
    needs: 'manage-personal-data',
  },
  {
    path: '/audit',
    page: lazy(async () => (await import('./pages/audit-page.js')).AuditPage),
    needs: 'see-audit',
  },
  { path: '/kiosk', page: KioskPage, needs: 'see-today', isBare: true },
  {
    path: '/phone-reader/:reader?',
    page: lazy(async () => (await import('./pages/phone-reader/phone-reader-page.js')).PhoneReaderPage),
    needs: 'push-readings',
    isBare: true,
  },
];
