import type { IncomingMessage } from 'node:http';
import { quote, TallybookError } from '@tallybook/domain';
import {
  roleOfGroups,
  roles,
  userNameOf,
  type AccessService,
  type Principal,
  type Role,
} from '@tallybook/domain/access';
import type { HttpAccessOptions } from './access-options.js';
import { headerText, listOf, type Connections } from './connections.js';
import { readSessionCookie } from './session-cookie.js';

/** How a request proves its sender. */
type Proof = 'connection' | 'token' | 'proxy' | 'session';

/** The sender of a request, and the proof. */
export interface Authentication {
  readonly principal: Principal;
  readonly by: Proof;
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const BEARER = /^bearer +(\S+) *$/i;

/** Finds the principal of a request. */
export class Authenticator {
  readonly #access: AccessService;
  readonly #connections: Connections;
  readonly #options: HttpAccessOptions;
  readonly #authHeader: string | undefined;
  readonly #groupsHeader: string | undefined;

  /**
   * @throws {TallybookError} `INVALID_OPTION` if the name of a header is not valid, or a role is not one of `roles`.
   */
  constructor(access: AccessService, connections: Connections, options: HttpAccessOptions) {
    this.#access = access;
    this.#connections = connections;
    this.#options = options;
    this.#authHeader = checkHeader('authHeader', options.authHeader);
    this.#groupsHeader = checkHeader('authGroupsHeader', options.authGroupsHeader);
    const { authHeaderRole, authGroupRoles = {} } = options;
    for (const role of [authHeaderRole ?? 'viewer', ...Object.values(authGroupRoles)]) checkRole(role);
  }

  /** Whether everybody may do everything: there are no users, and no proxy names users. */
  get isOpen(): boolean {
    return this.#access.state === 'open' && this.#authHeader === undefined;
  }

  /** The sender of a request; `undefined` if there is no valid proof. */
  find(request: IncomingMessage): Authentication | undefined {
    const owner = this.#options.principalOf?.(request);
    if (owner !== undefined) return { principal: owner, by: 'connection' };
    const { authorization } = request.headers;
    const bearer = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
    // If there is a token, a cookie is ignored.
    if (bearer !== undefined)
      return authenticated(this.#access.credentials.authenticate('token', bearer), 'token');
    return (
      authenticated(this.#fromProxy(request), 'proxy') ?? authenticated(this.#fromCookie(request), 'session')
    );
  }

  /** Whether a request has a session or token, known or not. */
  hasCredential(request: IncomingMessage): boolean {
    return BEARER.test(request.headers.authorization ?? '') || this.#cookieOf(request) !== undefined;
  }

  #fromCookie(request: IncomingMessage): Principal | undefined {
    const secret = this.#cookieOf(request);
    return secret === undefined ? undefined : this.#access.credentials.authenticate('session', secret);
  }

  #cookieOf(request: IncomingMessage): string | undefined {
    if (request.headers.cookie === undefined) return undefined;
    return readSessionCookie(request, this.#connections.transportOf(request));
  }

  #fromProxy(request: IncomingMessage): Principal | undefined {
    const { headers, socket } = request;
    const { authHeaderRole, reportMisfit } = this.#options;
    const header = this.#authHeader;
    const text = header === undefined ? '' : headerText(headers[header]);
    if (header === undefined || text === '') return undefined;
    if (!this.#connections.isProxied(request)) {
      reportMisfit?.(header, 'a request of a trusted proxy', socket.remoteAddress);
      return undefined;
    }
    // If the header comes twice, its value has a comma, and no name has one.
    const name = userNameOf(text);
    if (name === undefined) {
      reportMisfit?.(
        header,
        'one name of letters, digits or . _ - @ +, which begins with a letter or a digit',
      );
      return undefined;
    }
    const user = this.#access.users.principalOf(name);
    if (user !== undefined) return user;
    const role = this.#roleOfGroups(request) ?? authHeaderRole;
    return role && { role, name };
  }

  #roleOfGroups({ headers }: IncomingMessage): Role | undefined {
    const { authGroupRoles = {}, authHeaderRole, reportMisfit } = this.#options;
    const text = this.#groupsHeader === undefined ? '' : headerText(headers[this.#groupsHeader]);
    if (this.#groupsHeader === undefined || text === '') return undefined;
    // Group names of a directory contain commas. Authentik separates by bars, LemonLDAP::NG and Shibboleth by semicolons.
    const separator = ['|', ';'].find((each) => text.includes(each)) ?? ',';
    const role = roleOfGroups([text, ...listOf(text, separator)], authGroupRoles);
    if (role === undefined && authHeaderRole === undefined)
      reportMisfit?.(this.#groupsHeader, 'a group that has a role; between groups a |, else a ; or a comma');
    return role;
  }
}

function authenticated(principal: Principal | undefined, by: Proof): Authentication | undefined {
  return principal && { principal, by };
}

function checkHeader(option: string, name: string | undefined): string | undefined {
  if (name === undefined || HEADER_NAME.test(name)) return name?.toLowerCase();
  throw new TallybookError(
    'INVALID_OPTION',
    `${option} is the name of a header such as X-Forwarded-User; got ${quote(name)}`,
  );
}

function checkRole(role: Role): void {
  if (roles.includes(role)) return;
  throw new TallybookError('INVALID_OPTION', `a role is one of ${roles.join(', ')}; got ${quote(role)}`);
}
