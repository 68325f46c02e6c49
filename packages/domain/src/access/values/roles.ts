import { quote, TallybookError, type ErrorCode } from '../../errors.js';

/**
 * Role of a user or a token.
 *
 * - `device`: sends scans, and reads nothing.
 * - `station`: another Tallybook, for which this one is the centre. Sends its record, and takes names, corrections and
 *   erasures.
 * - `kiosk`: a screen on the wall. Sees who is here today.
 * - `viewer`: sees the whole record.
 * - `desk`: looks after names and corrections, and exports.
 * - `admin`: everything.
 */
export const roles = ['device', 'station', 'kiosk', 'viewer', 'desk', 'admin'] as const;
export type Role = (typeof roles)[number];

/** @throws {TallybookError} With this code, if the value is not a role. */
export function parseRole(value: unknown, code: ErrorCode): Role {
  const role = roles.find((each) => each === value);
  if (role !== undefined) return role;
  throw new TallybookError(code, `a role is one of ${roles.join(', ')}; got ${quote(value)}`);
}

/** The roles that may do each action. HTTP, the page, the command line and the documentation use this list. */
const permissions = {
  /** Who is here today, live, with names; and which readers are missing. */
  'see-today': ['kiosk', 'viewer', 'desk', 'admin'],
  /** Every day, and every name. */
  'see-record': ['viewer', 'desk', 'admin'],
  /** Health of the service: readers, store, clock, measurements. */
  'see-service': ['viewer', 'desk', 'admin'],
  /** Send scans, as a reader does. */
  'push-readings': ['device', 'kiosk', 'desk', 'admin'],
  /** What a station does: send its record, change by change, and take the changes of the centre. */
  'sync-record': ['station', 'admin'],
  /** Which stations send, how far they got, and which items were refused. */
  'see-stations': ['desk', 'admin'],
  /** Give a tag a name, or take it away. */
  'change-names': ['desk', 'admin'],
  /** Add a guest who is here now. */
  'add-guests': ['kiosk', 'desk', 'admin'],
  /** Add a forgotten scan, void a wrong scan. */
  'correct-record': ['desk', 'admin'],
  /** Approve or reject corrections by somebody else. */
  'decide-corrections': ['admin'],
  /** Files with names and days: CSV, XLSX. */
  'export-record': ['desk', 'admin'],
  'back-up': ['admin'],
  'set-time': ['admin'],
  'remove-days': ['admin'],
  /** Erase a person, get all data of a person, remove days that were kept long enough. */
  'manage-personal-data': ['admin'],
  /** Users, sessions and tokens of everybody. */
  'manage-access': ['admin'],
  'see-audit': ['admin'],
  /** Settings that are stored with the record, trials of readers, and restarts. */
  'manage-settings': ['admin'],
} as const;

/** An action that needs a role. */
export type Action = keyof typeof permissions;

export const actions: readonly Action[] = Object.keys(permissions) as Action[];

const allowed: ReadonlyMap<Action, ReadonlySet<Role>> = new Map(
  actions.map((action) => [action, new Set<Role>(permissions[action])]),
);

/** Whether a role may do an action; `nobody` is a client that has not signed in. */
export function authorise(role: Role | 'nobody', action: Action): boolean {
  return role !== 'nobody' && allowed.get(action)?.has(role) === true;
}

/** The actions that somebody who is bound to groups may do, on the persons in these. */
const inGroups: ReadonlySet<Action> = new Set<Action>([
  ...(['see-today', 'see-record', 'change-names', 'correct-record', 'export-record'] as const),
]);

/** Roles of users who may be bound to groups. */
export const groupRoles: readonly Role[] = ['viewer', 'desk'];

/** Whether somebody may do an action: by their role, and if they are bound to groups, on the persons in these. */
export function mayDo(
  { role, groups }: { readonly role: Role | 'nobody'; readonly groups?: readonly unknown[] },
  action: Action,
): boolean {
  return authorise(role, action) && (groups === undefined || inGroups.has(action));
}

/** Actions of a role. */
export function actionsOf(role: Role | 'nobody'): readonly Action[] {
  return actions.filter((action) => authorise(role, action));
}

/** Roles that may do an action. */
export function rolesFor(action: Action): readonly Role[] {
  return roles.filter((role) => authorise(role, action));
}
