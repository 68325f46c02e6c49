const EVERYBODY = ['kiosk', 'viewer', 'desk', 'admin'];
const READERS = ['viewer', 'desk', 'admin'];
const DESK = ['desk', 'admin'];
const ADMIN = ['admin'];

/**
 * The roles of people that may do the action of a page. Only the service decides; the list shows whom to ask.
 *
 * @see `permissions` of the domain, which a test compares.
 */
const rolesByAction: Readonly<Record<string, readonly string[]>> = {
  'see-today': EVERYBODY,
  'see-record': READERS,
  'see-service': READERS,
  'push-readings': ['device', 'kiosk', 'desk', 'admin'],
  'change-names': DESK,
  'manage-personal-data': ADMIN,
  'manage-access': ADMIN,
  'see-audit': ADMIN,
};

/** @returns The names of the roles as in the service; none for an action that no page needs. */
export function rolesFor(action: string): readonly string[] {
  return rolesByAction[action] ?? [];
}
