import type { GroupId } from '../values/people/group.js';
import type { Role } from './values/roles.js';

/** The person or program that an action is done for. */
export interface Principal {
  /** `nobody` may do nothing. */
  readonly role: Role | 'nobody';
  /** A user who is bound to these groups may only see and change the persons in them. Absent: bound to none. */
  readonly groups?: readonly GroupId[];
  /**
   * For the audit trail: the name of a user, `token LABEL`, `console` for the owner of the process, or `anyone` while the
   * service is open to all. Actions of the service itself have {@link SERVICE_ACTOR}.
   */
  readonly name: string;
  /** The id of the session or token of the request, if there is one. */
  readonly credential?: string;
  /**
   * Of a token: the user who made it, directly or with another token; absent if no user did. Of somebody whom a proxy has
   * signed in: the same name, if it is that of a user.
   */
  readonly user?: string;
}

/** The person who is responsible for an action: for a token, the user who made it, if a user did. */
export function personOf({ name, user }: Principal): string {
  return user ?? name;
}

/** The fields of a principal that a user has too. */
export function rightsOf({ role, groups }: Pick<Principal, 'groups'> & { readonly role: Role }): {
  readonly role: Role;
  readonly groups?: readonly GroupId[];
} {
  return { role, ...(groups && { groups }) };
}

/** Whether two have the same role, and are bound to the same groups. */
export function hasSameRights(
  one: Pick<Principal, 'role' | 'groups'>,
  other: Pick<Principal, 'role' | 'groups'>,
): boolean {
  return one.role === other.role && JSON.stringify(one.groups) === JSON.stringify(other.groups);
}

/** Everybody, where access is not restricted. */
export const anyone: Principal = Object.freeze({ role: 'admin', name: 'anyone' });

/** The owner of the process, at the command line. */
export const owner: Principal = Object.freeze({ role: 'admin', name: 'console' });

/** A client without session or token, on a service with users. */
export const nobody: Principal = Object.freeze({ role: 'nobody', name: 'nobody' });
