import { signal, type ReadonlySignal } from '@preact/signals';
import { isoOf, type DayRange } from './state/days.js';

/** Parameters in the address of a page, by name. */
export type PathParams = Readonly<Record<string, string | undefined>>;

/**
 * Matches a path with a pattern such as `/days/:from?/:to?`: `:` marks a parameter, and `?` one that may be left out.
 *
 * @returns The values of the parameters; `undefined` if the path does not match.
 */
export function matchPath(pattern: string, path: string): PathParams | undefined {
  const wanted = partsOf(pattern);
  const parts = partsOf(path);
  const params: Record<string, string | undefined> = {};
  const isMatch = wanted.every((each, index) => {
    const part = parts[index];
    if (!each.startsWith(':')) return each === part;
    params[each.replace(/\W/g, '')] = part;
    return part !== undefined || each.endsWith('?');
  });
  return isMatch && parts.length <= wanted.length ? params : undefined;
}

function partsOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '');
}

/** Addresses of pages, for links. */
export const paths = {
  today: '#/',
  muster: '#/muster',
  kiosk: '#/kiosk',
  /** A day, or a range of days. */
  days: ({ from, to }: DayRange): string => `#/days${rangePath(from, to)}`,
  people: '#/people',
  groups: '#/groups',
  /** A person, in a range of days; without a range, this year. */
  person: (id: string, range?: DayRange): string => `#/person/${id}${rangeOf(range)}`,
  /** A tag, or the person who holds it. */
  tag: (id: string, range?: DayRange): string => `#/tag/${id}${rangeOf(range)}`,
  /** Naming tags one after another. */
  enrolment: '#/people/enrol',
  /** Naming one tag. */
  enrol: (id: string): string => `#/people/enrol/${id}`,
  import: '#/people/import',
  /** A phone as a reader; without a name, the user chooses a reader. */
  phoneReader: (reader?: string): string => `#/phone-reader${reader === undefined ? '' : `/${reader}`}`,
  corrections: '#/corrections',
  system: '#/system',
  settings: '#/settings',
  /** The questions after an installation. */
  firstSteps: '#/first-steps',
  account: '#/account',
  users: '#/users',
  tokens: '#/tokens',
  /** The data of persons. */
  personal: '#/personal',
  personalOf: (id: string): string => `#/personal/${id}`,
  personalOfTag: (id: string): string => `#/personal/tag/${id}`,
  audit: '#/audit',
} as const;

function rangePath(from: number, to: number): string {
  return from === to ? `/${isoOf(from)}` : `/${isoOf(from)}/${isoOf(to)}`;
}

function rangeOf(range: DayRange | undefined): string {
  return range === undefined ? '' : rangePath(range.from, range.to);
}

/** The address of a page that is limited to a group; with an empty group, of the whole page. */
export function inGroup(href: string, group: string): string {
  return group === '' ? href : `${href}?group=${encodeURIComponent(group)}`;
}

/**
 * The part of the address after `#`, which names the present page. So the page works below any path, without help of
 * the server.
 */
export class Address {
  private readonly window: Pick<Window, 'location' | 'history' | 'addEventListener'>;
  private readonly shown = signal('/');
  private readonly chosen = signal('');
  /** The path; begins with a slash. */
  readonly path: ReadonlySignal<string> = this.shown;
  /** Id of the group to which the page is limited; empty: to none. */
  readonly group: ReadonlySignal<string> = this.chosen;

  /** @param window The window of the browser. */
  constructor(window: Pick<Window, 'location' | 'history' | 'addEventListener'>) {
    this.window = window;
    this.read();
  }

  /** Follows links and the buttons of the browser from now on. */
  follow(): void {
    this.window.addEventListener('hashchange', () => this.read());
  }

  /** @param href An address of `paths`: begins with `#`. */
  go(href: string): void {
    this.window.location.hash = href;
  }

  /** Replaces the present address: the back button skips the old one. The group stays. */
  replace(href: string): void {
    this.window.history.replaceState(null, '', inGroup(href, this.chosen.peek()));
    this.read();
  }

  private read(): void {
    const [path = '', query] = this.window.location.hash.split('?');
    this.shown.value = path.replace(/^#?\/?/, '/');
    this.chosen.value = new URLSearchParams(query).get('group') ?? '';
  }
}
