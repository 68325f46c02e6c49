import { isIP } from 'node:net';
import type { Timekeeper } from '@tallybook/domain';
import type { IdentityProvider, IdentityRules } from '@tallybook/domain/access';
import { OidcIdentityProvider } from '@tallybook/identity-oidc';
import { secretFile } from '@tallybook/system';
import type { Config } from '../config/config.js';
import { parseGroupRole } from '../config/parse-setting.js';
import type { Log } from '../log/log.js';

/** The identity provider of the configuration; `undefined` if there is none. */
export function createIdentityProvider(
  config: Config,
  timekeeper: Timekeeper,
  log: Log,
): IdentityProvider | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, publicUrl: redirectUrl } = config;
  if (issuer === undefined || clientId === undefined || redirectUrl === undefined) return undefined;
  const { oidcClientSecretFile, oidcLabel, oidcUserClaim, oidcGroupsClaim } = config;
  return new OidcIdentityProvider({
    ...{ issuer, clientId, redirectUrl },
    ...(oidcClientSecretFile !== undefined && { readSecret: secretFile(oidcClientSecretFile) }),
    ...(oidcLabel !== undefined && { label: oidcLabel }),
    ...(oidcUserClaim !== undefined && { userClaim: oidcUserClaim }),
    ...(oidcGroupsClaim !== undefined && { groupsClaim: oidcGroupsClaim }),
    reportClaims: (claims) =>
      log.info({ claims }, 'signing in at the identity provider: kinds of the claims'),
    // The clock of the system may be wrong, while somebody has set the time of the service.
    now: () => timekeeper.now(),
  });
}

/**
 * Warns at the start if nobody can sign in at the provider, because the file has no secret. Later sign-ins read the
 * file again.
 */
export async function warnOfMissingSecret(log: Log, { oidcClientSecretFile: file }: Config): Promise<void> {
  if (file === undefined) return;
  await secretFile(file)().catch((err: unknown) => {
    log.warn({ err }, 'nobody can sign in at the identity provider: check --oidc-client-secret-file');
  });
}

/** The rules in the configuration by which people of the provider become users. */
export function identityRulesOf({ oidcRole, oidcGroupRoles }: Config): IdentityRules {
  return {
    groupRoles: Object.fromEntries(oidcGroupRoles.map(parseGroupRole)),
    ...(oidcRole !== undefined && { role: oidcRole }),
  };
}

/** The host name in the URL of the page. Addresses need not be allowed. */
export function publicNamesOf({ publicUrl }: Config): readonly string[] {
  if (publicUrl === undefined) return [];
  const host = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? [host] : [];
}
