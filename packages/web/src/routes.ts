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
  /** The action that it needs, such as `see-record`. */
  readonly needs: string;
  readonly page: ComponentType<PathParams>;
  /** Its icon in the navigation, and the texts with its title; a page without an entry is reached from another page. */
  readonly entry?: 'today' | 'muster' | 'names' | 'days' | 'system';
  /** Whether the page has no navigation, as on a screen at the door or on paper. */
  readonly isBare?: boolean;
}

type Row = readonly [
  path: string,
  needs: string,
  page: ComponentType<PathParams>,
  more?: Pick<PageRoute, 'entry' | 'isBare'>,
];

/** The pages for a fire and for the door are loaded at the start; each other page is loaded when it is first opened. */
const rows: readonly Row[] = [
  ['/', 'see-today', TodayPage, { entry: 'today' }],
  ['/muster', 'see-today', MusterPage, { entry: 'muster' }],
  ['/names', 'see-record', NamesPage, { entry: 'names' }],
  ['/names/enrol/:id?', 'change-names', lazy(() => import('./pages/enrol/enrol-page.js'), 'EnrolPage')],
  ['/names/import', 'change-names', lazy(() => import('./pages/import/import-page.js'), 'ImportPage')],
  [
    '/days/:from?/:to?',
    'see-record',
    lazy(() => import('./pages/days/days-page.js'), 'DaysPage'),
    { entry: 'days' },
  ],
  [
    '/person/:id/:from?/:to?',
    'see-record',
    lazy(() => import('./pages/person/person-page.js'), 'PersonPage'),
  ],
  ['/corrections', 'see-record', lazy(() => import('./pages/corrections-page.js'), 'CorrectionsPage')],
  [
    '/system',
    'see-service',
    lazy(() => import('./pages/system/system-page.js'), 'SystemPage'),
    { entry: 'system' },
  ],
  ['/account', '', lazy(() => import('./pages/access/account-page.js'), 'AccountPage')],
  ['/users', 'manage-access', lazy(() => import('./pages/access/users-page.js'), 'UsersPage')],
  ['/tokens', 'manage-access', lazy(() => import('./pages/access/tokens-page.js'), 'TokensPage')],
  [
    '/personal/:id?',
    'manage-personal-data',
    lazy(() => import('./pages/personal/personal-page.js'), 'PersonalPage'),
  ],
  ['/audit', 'see-audit', lazy(() => import('./pages/audit-page.js'), 'AuditPage')],
  ['/kiosk', 'see-today', KioskPage, { isBare: true }],
  [
    '/phone-reader/:reader?',
    'push-readings',
    lazy(() => import('./pages/phone-reader/phone-reader-page.js'), 'PhoneReaderPage'),
    { isBare: true },
  ],
];

/** Every page. Pages with an entry are in the navigation, in this order. */
export const routes: readonly PageRoute[] = rows.map(([path, needs, page, more]) => ({
  path,
  needs,
  page,
  ...more,
}));
