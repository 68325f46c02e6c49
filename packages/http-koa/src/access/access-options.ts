import type { IncomingMessage } from 'node:http';
import type { Principal, Role } from '@tallybook/domain';

/** How requests say who they come from, beside cookies and tokens. */
export interface HttpAccessOptions {
  /**
   * Addresses of proxies, such as `10.0.0.7`, `10.0.0.0/8` or `fd00::/8`; default none. From them, and from nobody else,
   * `X-Forwarded-For`, `X-Forwarded-Proto`, `X-Forwarded-Host` and `authHeader` are believed.
   */
  readonly trustedProxies?: readonly string[];
  /** Header in which a trusted proxy names the user, such as `X-Forwarded-User`; default none. With one, nothing is open. */
  readonly authHeader?: string;
  /** Role of somebody whom the proxy names and who is no user here. Default: none, so such a person may do nothing. */
  readonly authHeaderRole?: Role;
  /** Header in which a trusted proxy lists the groups of the user, separated by commas, such as `X-Forwarded-Groups`. */
  readonly authGroupsHeader?: string;
  /** The role of each group. Who is in several groups gets the role that may do most. They decide before `authHeaderRole`. */
  readonly authGroupRoles?: Readonly<Record<string, Role>>;
  /** Whether the operator has opened the service to a network on purpose, which `/api/session` tells. Default: false. */
  readonly isInsecure?: boolean;
  /** Who a request comes from by its connection alone, such as a socket that only the owner of the process can open. */
  readonly principalOf?: (request: IncomingMessage) => Principal | undefined;
}
