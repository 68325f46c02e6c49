import type { Messages } from '../../texts/messages.js';

/** The actor of an action: the name of a user or a token, or the page's word for `anyone`. */
export function actorOf(actor: string, { access }: Pick<Messages, 'access'>): string {
  return actor === 'anyone' ? access.anyone : actor;
}
