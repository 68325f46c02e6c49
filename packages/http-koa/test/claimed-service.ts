import { owner, type Role } from '@tallybook/domain';
import type { Answer } from './documented.js';
import { RunningService, type ServiceOptions } from './running-service.js';

export const PASSWORD = 'correct horse battery';

/** A service with an admin, `ada`, and a user of each further role, named after it. */
export async function claimedService(
  { provider, ...access }: NonNullable<ServiceOptions['access']> & Pick<ServiceOptions, 'provider'> = {},
  ...roles: readonly Role[]
): Promise<RunningService> {
  const service = await RunningService.start({ access, ...(provider !== undefined && { provider }) });
  await service.access.putUser(owner, { name: 'ada', password: PASSWORD });
  for (const role of roles) await service.access.putUser(owner, { name: role, role, password: PASSWORD });
  return service;
}

export function signIn(
  service: RunningService,
  name = 'ada',
  headers: Record<string, string> = {},
): Promise<Answer> {
  return service.post({ name, password: PASSWORD }, headers, '/api/session');
}

/** What a browser sends of what it was told to keep. */
export function cookieOf({ headers }: Answer): string {
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}
