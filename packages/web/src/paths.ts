/** Addresses of pages, for links. */
export const paths = {
  today: '/',
  muster: '/muster',
  kiosk: '/kiosk',
  /** Where a tag is given a name. */
  enrol: (id: string): string => `/enrol/${id}`,
} as const;
