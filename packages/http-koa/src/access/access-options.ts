import type { IncomingMessage } from 'node:http';
import type { Principal, Role } from '@tallybook/domain/access';

/** Ways in which requests identify their sender, besides cookies and tokens. */
export interface HttpAccessOptions {
  /**
   * Addresses of proxies, such as `10.0.0.7`, `10.0.0.0/8` or `fd00::/8`; default none. Only if a request comes from one of
   * them, its `X-Forwarded-For`, `X-Forwarded-Proto`, `X-Forwarded-Host` and `authHeader` are believed.
   */
  readonly trustedProxies?: readonly string[];
  /**
   * Header in which a trusted proxy names the user, such as `X-Forwarded-User`; default none. With such a header,
   * nobody has access without a name.
   */
  readonly authHeader?: string;
  /**
   * Role of a person whom the proxy names, but who is not a user here. Default: none, so such a person may do nothing.
   */
  readonly authHeaderRole?: Role;
  /**
   * Header in which a trusted proxy lists the groups of the user, such as `X-Forwarded-Groups`. If it has a bar, it is split at
   * bars, else at semicolons, else at commas.
   */
  readonly authGroupsHeader?: string;
  /**
   * The role of each group. A person in several groups gets the role with the most rights. The role of a group replaces
   * `authHeaderRole`.
   */
  readonly authGroupRoles?: Readonly<Record<string, Role>>;
  /**
   * Called for each request with a header that counts as absent, because it does not have the expected form, or does not come
   * from a trusted proxy. It gets the address of the sender only in the latter case.
   */
  readonly reportMisfit?: (header: string, expected: string, sender?: string) => void;
  /** Whether the operator has opened the service to a network on purpose. `/api/session` reports it. Default: false. */
  readonly isInsecure?: boolean;
  /**
   * The sender of a request whose connection is proof enough, such as a socket that only the owner of the process can
   * open.
   */
  readonly principalOf?: (request: IncomingMessage) => Principal | undefined;
}
