import type { Messages } from '../../texts/messages.js';

/** Who did something: the name of a user or a token, or the page's word for anyone. */
export function actorOf(actor: string, { access }: Pick<Messages, 'access'>): string {
  return actor === 'anyone' ? access.anyone : actor;
}
