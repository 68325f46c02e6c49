import { isIP } from 'node:net';
import type { IdentityRegistration, IdentityValues } from '@tallybook/devices';
import type { Timekeeper } from '@tallybook/domain';
import type { IdentityProvider, IdentityRules } from '@tallybook/domain/access';
import { identitiesIn, type Config } from '../config/config.js';
import type { Log } from '../log/log.js';

/** The identity provider of the configuration; `undefined` if there is none. */
export function createIdentityProvider(
  config: Config,
  timekeeper: Timekeeper,
  log: Log,
): IdentityProvider | undefined {
  const { publicUrl: redirectUrl } = config;
  if (redirectUrl === undefined) return undefined;
  return ofConfigured(config, (registration, values) =>
    registration.make(values, {
      redirectUrl,
      // The clock of the system may be wrong, while somebody has set the time of the service.
      now: () => timekeeper.now(),
      log: (details, message) => log.info(details, message),
    }),
  );
}

/** Warns at the start if nobody can sign in at the provider. */
export async function warnOfIdentity(log: Log, config: Config): Promise<void> {
  const checking = ofConfigured(config, (registration, values) => registration.check?.(values));
  await checking?.catch((error: unknown) => {
    const { message, cause: err = error } = error as Error;
    log.warn({ err }, `nobody can sign in at the identity provider: ${message}`);
  });
}

/** The rules in the configuration by which people of the provider become users. */
export function identityRulesOf(config: Config): IdentityRules {
  return ofConfigured(config, (registration, values) => registration.rules?.(values)) ?? { groupRoles: {} };
}

function ofConfigured<T>(
  config: Config,
  use: (registration: IdentityRegistration, values: IdentityValues) => T,
): T | undefined {
  const [found] = identitiesIn(config);
  return found && use(found.registration, found.values);
}

/** The host name in the URL of the page. Addresses need not be allowed. */
export function publicNamesOf({ publicUrl }: Config): readonly string[] {
  if (publicUrl === undefined) return [];
  const host = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? [host] : [];
}
