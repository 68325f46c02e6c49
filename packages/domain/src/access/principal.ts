import type { Role } from '../values/access/roles.js';

/** On whose behalf something is done. */
export interface Principal {
  /** `nobody` may do nothing. */
  readonly role: Role | 'nobody';
  /**
   * For the audit trail: the name of a user, `token LABEL`, `console` for whoever owns the process, or `anyone` while the
   * service is open to all. What the service does by itself has {@link SERVICE_ACTOR}.
   */
  readonly name: string;
  /** The id of the session or token it came with, if it came with one. */
  readonly credential?: string;
  /** Of a token: the user who made it, also by another token, if a user did. */
  readonly user?: string;
}

/** Who answers for what somebody does: the user who made a token, if a user did, answers for what it does. */
export function personOf({ name, user }: Principal): string {
  return user ?? name;
}

/** Everybody, where access is not restricted. */
export const anyone: Principal = Object.freeze({ role: 'admin', name: 'anyone' });

/** The owner of the process, at the command line. */
export const owner: Principal = Object.freeze({ role: 'admin', name: 'console' });

/** A client without session or token, on a service with users. */
export const nobody: Principal = Object.freeze({ role: 'nobody', name: 'nobody' });
