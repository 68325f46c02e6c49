import type { AccessService } from '@tallybook/domain/access';
import type { Config } from '../config/config.js';
import { isLoopback } from '../config/loopback.js';
import { settings } from '../config/settings.js';
import { describeStore } from '../config/stores.js';
import { inGroups } from '../control/setup-code-file.js';
import type { Log } from '../log/log.js';

interface Start {
  readonly log: Log;
  readonly config: Config;
  /** Addresses of the page; none if the installation has no page. */
  readonly page: readonly string[];
}

/** Logs at the start where the page is, and who has access. Most important: how to set up a service without users. */
export function tellAccess(
  { state, code: setupCode }: Pick<AccessService['setup'], 'state' | 'code'>,
  { log, config: { host, isInsecure, store }, page }: Start,
  terminal: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stdout,
): void {
  const [hasPage, addUser] = [
    page.length > 0,
    `tallybook user add NAME --role admin --store ${describeStore(store)}`,
  ];
  if (setupCode !== undefined && !hasPage) {
    log.warn(`nobody gets in yet, and there is no page to make the first user: ${addUser}`);
    return;
  }
  if (setupCode !== undefined) {
    const code = inGroups(setupCode);
    log.warn(
      { page, code },
      `nobody gets in yet: to make the first user, open ${page.join(' or ')} in a browser and enter the setup code ${code}`,
    );
    if (terminal.isTTY)
      terminal.write(
        frame(['This service has no users yet. Open', ...page, `and enter the setup code ${code}`]),
      );
    return;
  }
  if (hasPage) log.info({ page }, `to see who is here, open ${page.join(' or ')} in a browser`);
  else log.warn('there is no page, only the HTTP interface: in a checkout, npm run build makes the page');
  if (isInsecure && state === 'claimed')
    log.warn('--insecure has no effect: there are users, and all have to sign in');
  if (isInsecure && state === 'open' && !isLoopback(host)) {
    log.warn(
      { host },
      `--insecure: everybody who can reach this address can read attendance, change names and set the time; to end that, add a user: ${addUser}`,
    );
  }
}

/** Says at the start that days and times are in another zone than that of the system. */
export function tellZone(
  log: Log,
  { zone }: Pick<Config, 'zone'>,
  { timeZone: system }: { readonly timeZone: string } = new Intl.DateTimeFormat('en').resolvedOptions(),
): void {
  const { timeZone: used } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
  if (used === system) return;
  // With --zone, the difference is probably meant.
  const isDefault = zone === settings.zone.default;
  const hint = isDefault ? `; to use that, write --zone ${system}` : '';
  log[isDefault ? 'warn' : 'info'](
    { zone, system },
    `days begin and times are in the zone ${zone}, but this system has ${system}${hint}`,
  );
}

function frame(lines: readonly string[]): string {
  const width = Math.max(...lines.map(({ length }) => length));
  const edge = '─'.repeat(width + 4);
  const rows = lines.map((line) => `│  ${line.padEnd(width)}  │\n`);
  return `\n┌${edge}┐\n${rows.join('')}└${edge}┘\n\n`;
}
