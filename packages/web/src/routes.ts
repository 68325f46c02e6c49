import type { ComponentType } from 'preact';
import type { PathParams } from './routing.js';
import { KioskPage } from './pages/kiosk/kiosk-page.js';
import { MusterPage } from './pages/muster/muster-page.js';
import { lists, people, record, settings, system } from './pages/late-pages.js';
import { TodayPage } from './pages/today/today-page.js';
import { lazy } from './parts/placeholders.js';

export interface PageRoute {
  /** Pattern such as `/person/:id`, for the part of the address after `#`. */
  readonly path: string;
  /** The action that it needs, such as `see-record`. */
  readonly needs: string;
  readonly page: ComponentType<PathParams>;
  /** Its icon in the navigation, and the texts with its title; a page without an entry is reached from another page. */
  readonly entry?: 'today' | 'muster' | 'people' | 'days' | 'system';
  /** Whether the page is about everybody, so that a user of some groups may not see it. */
  readonly isForAll?: boolean;
  /** Whether the page has no navigation, as on a screen at the door or on paper. */
  readonly isBare?: boolean;
}

type Row = readonly [
  path: string,
  needs: string,
  page: ComponentType<PathParams>,
  more?: Pick<PageRoute, 'entry' | 'isBare' | 'isForAll'>,
];

const PersonPage = lazy(people, 'PersonPage');
const PersonalPage = lazy(system, 'PersonalPage');

/** The pages for a fire and for the door are loaded at the start; each other page is loaded when it is first opened. */
const rows: readonly Row[] = [
  ['/', 'see-today', TodayPage, { entry: 'today' }],
  ['/muster', 'see-today', MusterPage, { entry: 'muster' }],
  ['/people', 'see-record', lazy(people, 'PeoplePage'), { entry: 'people' }],
  ['/people/enrol/:id?', 'change-names', lazy(lists, 'EnrolPage'), { isForAll: true }],
  ['/people/import', 'change-names', lazy(lists, 'ImportPage'), { isForAll: true }],
  ['/groups', 'see-record', lazy(people, 'GroupsPage')],
  ['/days/:from?/:to?', 'see-record', lazy(record, 'DaysPage'), { entry: 'days' }],
  ['/person/:id/:from?/:to?', 'see-record', PersonPage],
  ['/tag/:tag/:from?/:to?', 'see-record', PersonPage],
  ['/corrections', 'see-record', lazy(record, 'CorrectionsPage')],
  ['/system', 'see-service', lazy(system, 'SystemPage'), { entry: 'system' }],
  ['/settings', 'manage-settings', lazy(settings, 'SettingsPage')],
  ['/first-steps', 'manage-settings', lazy(settings, 'FirstStepsPage'), { isBare: true }],
  ['/account', '', lazy(system, 'AccountPage')],
  ['/users', 'manage-access', lazy(system, 'UsersPage')],
  ['/tokens', 'manage-access', lazy(system, 'TokensPage')],
  ['/personal/:id?', 'manage-personal-data', PersonalPage],
  ['/personal/tag/:tag', 'manage-personal-data', PersonalPage],
  ['/audit', 'see-audit', lazy(system, 'AuditPage')],
  ['/kiosk', 'see-today', KioskPage, { isBare: true }],
  ['/phone-reader/:reader?', 'push-readings', lazy(record, 'PhoneReaderPage'), { isBare: true }],
];

/** Every page. Pages with an entry are in the navigation, in this order. */
export const routes: readonly PageRoute[] = rows.map(([path, needs, page, more]) => ({
  path,
  needs,
  page,
  ...more,
}));
