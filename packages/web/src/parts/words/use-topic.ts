import { usePage } from '../../page-context.js';
import type { Topic } from '../../texts/messages.js';

/** Texts that are loaded with their page, in the language of the page. */
export function useTopic<T>(topic: Topic<T>): T {
  return topic[usePage().texts.language];
}
