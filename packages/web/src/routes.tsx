import type { ComponentType } from 'preact';
import type { Messages } from './texts/messages.js';

/** A page, loaded when it is first gone to. */
export interface PageRoute {
  /** As wouter has it: `/person/:id`. It stands behind the `#` of the address. */
  readonly path: string;
  readonly load: () => Promise<ComponentType<Record<string, string | undefined>>>;
  /** Its name in the navigation; a page without one is reached from another page. */
  readonly label?: (texts: Messages) => string;
  readonly icon?: IconName;
  /** A page for a screen at the door, or for paper, has no navigation around it. */
  readonly isBare?: boolean;
}

export type IconName = 'today' | 'muster' | 'kiosk';

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
    path: '/kiosk',
    load: async () => (await import('./pages/kiosk/kiosk-page.js')).KioskPage,
    label: (texts) => texts.nav.kiosk,
    icon: 'kiosk',
    isBare: true,
  },
];

/** Addresses of pages, for links. */
export const paths = {
  today: '/',
  muster: '/muster',
  kiosk: '/kiosk',
  /** Where a tag is given a name. */
  enrol: (id: string): string => `/enrol/${id}`,
} as const;
