import { TallybookError } from '@tallybook/domain';
import type { Queryable } from '../connection/session.js';

/** Decides the day of a tap. All servers of a site need the same calendar: otherwise the day of a tap would depend on the server. */
export interface SiteCalendar {
  /** IANA time zone: `Europe/Berlin`. Other names of the same zone count as the same. */
  readonly zone: string;
  /** Time of day at which a day begins, `HH:MM`. */
  readonly dayStart: string;
}

/** $1: site, $2: calendar. */
const setIfNone = 'UPDATE tallybook.site SET calendar = $2 WHERE site = $1 AND calendar IS NULL';
const setAnyway = 'UPDATE tallybook.site SET calendar = $2 WHERE site = $1 RETURNING site';
const select = 'SELECT calendar FROM tallybook.site WHERE site = $1';

/**
 * Sets the calendar of a site if it has none.
 *
 * @throws {TallybookError} `STORE_UNAVAILABLE` if the site has another calendar.
 */
export async function requireCalendar(
  connection: Queryable,
  site: string,
  calendar: SiteCalendar,
): Promise<void> {
  let kept = await readCalendar(connection, site);
  if (kept === null) {
    await connection.query(setIfNone, [site, textOf(calendar)]);
    kept = await readCalendar(connection, site);
  }
  const [zone = '', dayStart = ''] = kept?.split(' ') ?? [];
  if (kept === null || (dayStart === calendar.dayStart && resolve(zone) === resolve(calendar.zone))) return;
  throw new TallybookError(
    'STORE_UNAVAILABLE',
    `the days of the site ${site} are those of ${zone} from ${dayStart}, and this server has those of ${calendar.zone} from ${calendar.dayStart}: use ${flagsOf({ zone, dayStart })}; or, to change it for all servers of the site, stop them and run "tallybook migrate --store URL ${flagsOf(calendar)}"`,
    { details: { site, zone, dayStart } },
  );
}

/** Changes the calendar of a site. Recorded days stay as they are. Resolves with whether the site exists. */
export async function changeCalendar(
  connection: Queryable,
  site: string,
  calendar: SiteCalendar,
): Promise<boolean> {
  return (await connection.query(setAnyway, [site, textOf(calendar)])).length > 0;
}

async function readCalendar(connection: Queryable, site: string): Promise<string | null> {
  const [row] = await connection.query<{ calendar: string | null }>(select, [site]);
  return row?.calendar ?? null;
}

/** The name that Node uses for a zone with several names. It depends on the release of Node, so it is not stored. */
function resolve(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return zone;
  }
}

function textOf({ zone, dayStart }: SiteCalendar): string {
  return `${zone} ${dayStart}`;
}

function flagsOf({ zone, dayStart }: SiteCalendar): string {
  return `--zone ${zone} --day-start ${dayStart}`;
}
