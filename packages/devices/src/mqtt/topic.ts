import { quote, TallybookError } from '@tallybook/domain';

/** Longest topic that MQTT allows, in bytes. */
const LONGEST = 65_535;

/**
 * Checks a topic to publish to.
 *
 * @throws {TallybookError} `INVALID_OPTION` if it is not valid.
 */
export function checkTopic(parameter: string, topic: string): string {
  return check(parameter, topic, !/[+#]/.test(topic), 'without the wildcards + and #');
}

/**
 * Checks a topic filter to subscribe to: `+` stands for one level, `#` for all following levels.
 *
 * @throws {TallybookError} `INVALID_OPTION` if it is not valid.
 */
export function checkTopicFilter(parameter: string, filter: string): string {
  const levels = filter.split('/');
  const isWellPlaced = levels.every(
    (level, index) => level === '+' || (level === '#' && index === levels.length - 1) || !/[+#]/.test(level),
  );
  return check(parameter, filter, isWellPlaced, 'with + as a whole level, # as the last one');
}

/** Whether the filter matches this topic. */
export function matchesTopic(filter: string, topic: string): boolean {
  const levels = topic.split('/');
  const wanted = filter.split('/');
  const isOpen = wanted.at(-1) === '#';
  if (isOpen) wanted.pop();
  const isLongEnough = isOpen ? levels.length >= wanted.length : levels.length === wanted.length;
  return isLongEnough && wanted.every((level, index) => level === '+' || level === levels[index]);
}

function check(parameter: string, topic: string, isWellPlaced: boolean, wildcards: string): string {
  const isSound = topic !== '' && !/\p{Cc}/u.test(topic) && Buffer.byteLength(topic) <= LONGEST;
  if (isSound && isWellPlaced) return topic;
  throw new TallybookError(
    'INVALID_OPTION',
    `${parameter} is an MQTT topic such as home/door, ${wildcards}; got ${quote(topic)}`,
    { details: { parameter } },
  );
}
