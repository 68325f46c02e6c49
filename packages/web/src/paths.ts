/** Addresses of pages, for links. */
export const paths = {
  today: '/',
  muster: '/muster',
  kiosk: '/kiosk',
  names: '/names',
  /** Where tags are given names one after another. */
  enrolment: '/names/enrol',
  /** Where a tag is given a name. */
  enrol: (id: string): string => `/names/enrol/${id}`,
  import: '/names/import',
} as const;
