import { REGISTRATION_VERSION, type IdentityRegistration } from '@tallybook/devices';
import { TallybookError } from '@tallybook/domain';
import { roles } from '@tallybook/domain/access';
import { checkIssuer, checkProviderUrl, OidcIdentityProvider } from '@tallybook/identity-oidc';
import { secretFile } from '@tallybook/system';
import { parseGroupRole, parseOneOf, parseText } from './parse-setting.js';
import { groupRoles, optional, path, roleOfOthers } from './setting.js';

/** The settings of the identity provider that the program brings along. */
export const identitySettings = {
  oidcIssuer: optional('oidc-issuer', '<url>', parseIssuer, {
    help: 'provider of OpenID Connect at which people may sign in',
    allowed: 'an https URL, or an http URL of this machine, exactly as the provider writes it',
    needs: ['oidc-client-id', 'public-url'],
    note: 'If not set, nobody signs in by a provider. See [Let people sign in](../how-to/let-people-sign-in.md#with-an-account-that-they-have-elsewhere)',
  }),
  oidcClientId: optional('oidc-client-id', '<id>', (text) => parseText(text, 256), {
    help: 'id of this service at that provider',
    allowed: '1 to 256 characters',
    needs: ['oidc-issuer'],
  }),
  oidcClientSecretFile: path('oidc-client-secret-file', '<file>', {
    help: 'file with the secret of this service at that provider, in one line',
    needs: ['oidc-issuer'],
    note: 'Read again for each sign-in. If not set, the service is a public client, protected by PKCE only',
  }),
  oidcLabel: optional('oidc-label', '<text>', (text) => parseText(text, 100), {
    help: 'name of that provider on the button of the page',
    allowed: '1 to 100 characters',
    needs: ['oidc-issuer'],
    note: 'If not set, the button shows the host of the provider',
  }),
  oidcUserClaim: optional('oidc-user-claim', '<claim>', (text) => parseText(text, 256), {
    help: 'claim that names a user (default: preferred_username)',
    allowed: 'a claim, or a path with dots',
    needs: ['oidc-issuer'],
    note: 'If not set, `preferred_username`. `email` counts only if the provider has verified it. A user is bound to the subject, and keeps the name of the first sign-in',
  }),
  oidcRole: roleOfOthers('oidc-role', 'that provider knows', ['oidc-issuer']),
  oidcGroupsClaim: optional('oidc-groups-claim', '<claim>', (text) => parseText(text, 256), {
    help: 'claim that lists the groups of the user',
    allowed:
      'a claim such as `groups`, or a path with dots such as `realm_access.roles`: a list, a text, or an object whose keys are the groups',
    needs: ['oidc-issuer'],
    note: 'If not set, groups do not count',
  }),
  oidcGroupRoles: groupRoles('oidc-group-role', 'TALLYBOOK_OIDC_GROUP_ROLES', 'oidc-groups-claim'),
};

function parseIssuer(text: string): string {
  checkIssuer(text, 'the issuer');
  return text;
}

/** The URL of the page. @throws {TallybookError} `INVALID_OPTION` if nobody could be sent back to it. */
export function checkPageUrl(text: string): URL {
  return checkProviderUrl(text, 'the page');
}

export const oidc: IdentityRegistration = {
  ...{ kind: 'identity', version: REGISTRATION_VERSION, scheme: 'oidc' },
  usage: '--oidc-issuer URL --oidc-client-id ID',
  settings: Object.fromEntries(Object.values(identitySettings).map(({ flag, help }) => [flag, { help }])),
  make: (settings, { redirectUrl, now, log }) => {
    const { 'oidc-issuer': issuer = '', 'oidc-client-id': clientId = '' } = settings;
    const { 'oidc-client-secret-file': file, 'oidc-label': label } = settings;
    const { 'oidc-user-claim': userClaim, 'oidc-groups-claim': groupsClaim } = settings;
    return new OidcIdentityProvider({
      ...{ issuer, clientId, redirectUrl, now },
      ...(file !== undefined && { readSecret: secretFile(file) }),
      ...(label !== undefined && { label }),
      ...(userClaim !== undefined && { userClaim }),
      ...(groupsClaim !== undefined && { groupsClaim }),
      reportClaims: (claims) => log({ claims }, 'signing in at the identity provider: kinds of the claims'),
    });
  },
  rules: ({ 'oidc-role': role, 'oidc-group-role': groups }) => ({
    groupRoles: Object.fromEntries((groups?.split('\n') ?? []).map(parseGroupRole)),
    ...(role !== undefined && { role: parseOneOf(roles, role) }),
  }),
  check: async ({ 'oidc-client-secret-file': file }) => {
    if (file === undefined) return;
    await secretFile(file)().catch((cause: unknown) => {
      throw new TallybookError('INVALID_OPTION', 'check --oidc-client-secret-file', { cause });
    });
  },
};
