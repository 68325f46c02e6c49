/**
 * Role of a user or a token.
 *
 * - `device`: sends scans, and reads nothing.
 * - `station`: another Tallybook, whose record this one gathers. Sends it, and takes names, corrections and erasures.
 * - `kiosk`: a screen on the wall. Sees who is here today.
 * - `viewer`: sees the whole record.
 * - `desk`: looks after names and corrections, and exports.
 * - `admin`: everything.
 */
export const roles = ['device', 'station', 'kiosk', 'viewer', 'desk', 'admin'] as const;
export type Role = (typeof roles)[number];

/** Who may do what. HTTP, the page, the command line and the documentation read it here. */
const permissions = {
  /** Who is here today, live, with names. */
  'see-today': ['kiosk', 'viewer', 'desk', 'admin'],
  /** Every day, and every name. */
  'see-record': ['viewer', 'desk', 'admin'],
  /** Health of the service: readers, store, clock, measurements. */
  'see-service': ['viewer', 'desk', 'admin'],
  /** Send scans, as a reader does. */
  'push-readings': ['device', 'kiosk', 'desk', 'admin'],
  /** Send a whole record, change by change, and take what the centre has for it: what a station does. */
  'sync-record': ['station', 'admin'],
  /** Which stations send, how far they got, and which items were refused. */
  'see-stations': ['desk', 'admin'],
  /** Give a tag a name, or take it away. */
  'change-names': ['desk', 'admin'],
  /** Add a scan that was forgotten, void one that was wrong. */
  'correct-record': ['desk', 'admin'],
  /** Approve or reject what somebody else corrected. */
  'decide-corrections': ['admin'],
  /** Files with names and days: CSV, XLSX. */
  'export-record': ['desk', 'admin'],
  'back-up': ['admin'],
  'set-time': ['admin'],
  'remove-days': ['admin'],
  /** Erase a person, get all data of one, remove days that were kept long enough. */
  'manage-personal-data': ['admin'],
  /** Users, sessions and tokens of everybody. */
  'manage-access': ['admin'],
  'see-audit': ['admin'],
} as const;

/** Something that a role may do or not. */
export type Action = keyof typeof permissions;

export const actions: readonly Action[] = Object.keys(permissions) as Action[];

const allowed: ReadonlyMap<Action, ReadonlySet<Role>> = new Map(
  actions.map((action) => [action, new Set<Role>(permissions[action])]),
);

/** Whether a role may do something; `nobody` is who has not said who they are. */
export function authorise(role: Role | 'nobody', action: Action): boolean {
  return role !== 'nobody' && allowed.get(action)?.has(role) === true;
}

/** Actions of a role. */
export function actionsOf(role: Role | 'nobody'): readonly Action[] {
  return actions.filter((action) => authorise(role, action));
}

/** Roles that may do something. */
export function rolesFor(action: Action): readonly Role[] {
  return roles.filter((role) => authorise(role, action));
}
