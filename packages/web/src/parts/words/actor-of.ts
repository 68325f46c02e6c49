import type { Messages } from '../../texts/messages.js';

/** Who did something: a user or a token by name, and in words of the page who did not have to sign in. */
export function actorOf(actor: string, { access }: Pick<Messages, 'access'>): string {
  return actor === 'anyone' ? access.anyone : actor;
}
