/* oxlint-disable typescript/no-unnecessary-type-assertion -- isolatedDeclarations wants the types of texts that are computed */
import { roles, type Role } from '@tallybook/domain/access';
import { checkIssuer, checkProviderUrl } from '@tallybook/identity-oidc';
import { parseGroupRole, parseOneOf, parseText, splitGroupRoles } from './parse-setting.js';

/** The list of the roles, in Markdown. */
const role: string = `one of ${roles.map((each) => `\`${each}\``).join(', ')}`;

/** Settings of signing in at a provider of OpenID Connect. */
export const oidcSettings = {
  publicUrl: {
    flag: 'public-url',
    value: '<url>',
    variable: 'TALLYBOOK_PUBLIC_URL',
    default: '',
    help: 'where people reach the page from outside, such as https://tally.example.org/',
    allowed:
      'an https URL, or an http URL of this machine, with the path that a proxy adds. `--oidc-issuer` needs it, because the provider sends people back to this URL. Its host name is allowed, as with `--allowed-host`',
    parse: (text: string): string | undefined =>
      text === '' ? undefined : withSlash(checkProviderUrl(text, 'the page')),
  },
  oidcIssuer: {
    flag: 'oidc-issuer',
    value: '<url>',
    variable: 'TALLYBOOK_OIDC_ISSUER',
    default: '',
    help: 'provider of OpenID Connect at which people may sign in; needs --oidc-client-id and --public-url',
    allowed:
      'an https URL, or an http URL of this machine, exactly as the provider writes it. If not set, nobody signs in by a provider. See [Let people sign in](../how-to/let-people-sign-in.md#with-an-account-that-they-have-elsewhere)',
    parse: (text: string): string | undefined => {
      if (text !== '') checkIssuer(text, 'the issuer');
      return text === '' ? undefined : text;
    },
  },
  oidcClientId: {
    flag: 'oidc-client-id',
    value: '<id>',
    variable: 'TALLYBOOK_OIDC_CLIENT_ID',
    default: '',
    help: 'id of this service at that provider',
    allowed: '1 to 256 characters; needs `--oidc-issuer`',
    parse: (text: string): string | undefined => parseText(text, 256),
  },
  oidcClientSecretFile: {
    flag: 'oidc-client-secret-file',
    value: '<file>',
    variable: 'TALLYBOOK_OIDC_CLIENT_SECRET_FILE',
    default: '',
    help: 'file with the secret of this service at that provider, in one line',
    allowed:
      'a file, read again for each sign-in; needs `--oidc-issuer`. If not set, the service is a public client, protected by PKCE only',
    parse: (text: string): string | undefined => (text === '' ? undefined : text),
  },
  oidcLabel: {
    flag: 'oidc-label',
    value: '<text>',
    variable: 'TALLYBOOK_OIDC_LABEL',
    default: '',
    help: 'name of that provider on the button of the page',
    allowed:
      '1 to 100 characters; needs `--oidc-issuer`. If not set, the button shows the host of the provider',
    parse: (text: string): string | undefined => parseText(text, 100),
  },
  oidcUserClaim: {
    flag: 'oidc-user-claim',
    value: '<claim>',
    variable: 'TALLYBOOK_OIDC_USER_CLAIM',
    default: '',
    help: 'claim that names a user (default: preferred_username)',
    allowed:
      'a claim, or a path with dots; needs `--oidc-issuer`. If not set, `preferred_username`. `email` counts only if the provider has verified it. A user is bound to the subject, and keeps the name of the first sign-in',
    parse: (text: string): string | undefined => parseText(text, 256),
  },
  oidcRole: {
    flag: 'oidc-role',
    value: '<role>',
    variable: 'TALLYBOOK_OIDC_ROLE',
    default: '',
    help: 'role of people whom that provider knows, but who are not users here',
    allowed:
      `${role}; needs \`--oidc-issuer\`. If not set, only users and members of groups get in` as string,
    parse: (text: string): Role | undefined => (text === '' ? undefined : parseOneOf(roles, text)),
  },
  oidcGroupsClaim: {
    flag: 'oidc-groups-claim',
    value: '<claim>',
    variable: 'TALLYBOOK_OIDC_GROUPS_CLAIM',
    default: '',
    help: 'claim that lists the groups of the user',
    allowed:
      'a claim such as `groups`, or a path with dots such as `realm_access.roles`: a list, a text, or an object whose keys are the groups; needs `--oidc-issuer`. If not set, groups do not count',
    parse: (text: string): string | undefined => parseText(text, 256),
  },
  oidcGroupRoles: {
    flag: 'oidc-group-role',
    value: '<group=role>',
    variable: 'TALLYBOOK_OIDC_GROUP_ROLES',
    default: [],
    split: (text: string): readonly string[] => splitGroupRoles(text),
    help: 'role of a group in --oidc-groups-claim, may be repeated; of several roles, a person gets the one with the most rights',
    allowed:
      `the name of a group, \`=\` and a role, such as \`staff=viewer\`. The role is ${role}. Needs \`--oidc-groups-claim\`` as string,
    check: (text: string): void => void parseGroupRole(text),
  },
} as const;

/** The URL of a page ends with a slash: the paths of its requests are below it. */
function withSlash(url: URL): string {
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url.href;
}
