import type { PageRoute } from './page-route.js';

/** Every page. Those with a label are in the navigation, in this order. */
export const routes: readonly PageRoute[] = [
  {
    path: '/',
    load: async () => (await import('./pages/today/today-page.js')).TodayPage,
    label: (texts) => texts.nav.today,
    icon: 'today',
  },
  {
    path: '/muster',
    load: async () => (await import('./pages/muster/muster-page.js')).MusterPage,
    label: (texts) => texts.nav.muster,
    icon: 'muster',
  },
  {
    path: '/names',
    load: async () => (await import('./pages/names/names-page.js')).NamesPage,
    label: (texts) => texts.nav.names,
    icon: 'names',
  },
  {
    path: '/names/enrol/:id?',
    load: async () => (await import('./pages/enrol/enrol-page.js')).EnrolPage,
  },
  {
    path: '/names/import',
    load: async () => (await import('./pages/import/import-page.js')).ImportPage,
  },
  {
    path: '/days/:from?/:to?',
    load: async () => (await import('./pages/days/days-page.js')).DaysPage,
    label: (texts) => texts.nav.days,
    icon: 'days',
  },
  {
    path: '/person/:id/:from?/:to?',
    load: async () => (await import('./pages/person/person-page.js')).PersonPage,
  },
  {
    path: '/care',
    load: async () => (await import('./pages/care/care-page.js')).CarePage,
    label: (texts) => texts.nav.care,
    icon: 'care',
  },
  {
    path: '/kiosk',
    load: async () => (await import('./pages/kiosk/kiosk-page.js')).KioskPage,
    isBare: true,
  },
];
