import { CarePage } from './pages/care/care-page.js';
import { DaysPage } from './pages/days/days-page.js';
import { EnrolPage } from './pages/enrol/enrol-page.js';
import { ImportPage } from './pages/import/import-page.js';
import { KioskPage } from './pages/kiosk/kiosk-page.js';
import { MusterPage } from './pages/muster/muster-page.js';
import { NamesPage } from './pages/names/names-page.js';
import { PersonPage } from './pages/person/person-page.js';
import { TodayPage } from './pages/today/today-page.js';
import type { PageRoute } from './page-route.js';
import { lazy } from './parts/lazy.js';

/** Every page. Those with a label are in the navigation, in this order. */
export const routes: readonly PageRoute[] = [
  { path: '/', page: TodayPage, label: ({ nav }) => nav.today, icon: 'today' },
  { path: '/muster', page: MusterPage, label: ({ nav }) => nav.muster, icon: 'muster' },
  { path: '/names', page: NamesPage, label: ({ nav }) => nav.names, icon: 'names' },
  { path: '/names/enrol/:id?', page: EnrolPage },
  { path: '/names/import', page: ImportPage },
  { path: '/days/:from?/:to?', page: DaysPage, label: ({ nav }) => nav.days, icon: 'days' },
  { path: '/person/:id/:from?/:to?', page: PersonPage },
  { path: '/care', page: CarePage, label: ({ nav }) => nav.care, icon: 'care' },
  { path: '/kiosk', page: KioskPage, isBare: true },
  {
    path: '/phone-reader/:reader?',
    page: lazy(async () => (await import('./pages/phone-reader/phone-reader-page.js')).PhoneReaderPage),
    isBare: true,
  },
];
