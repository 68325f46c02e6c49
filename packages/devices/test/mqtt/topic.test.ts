import { expect } from 'chai';
import { checkTopic, checkTopicFilter, matchesTopic } from '../../src/index.js';

describe('checkTopic', () => {
  it('accepts the name of a topic unchanged', () => {
    for (const topic of ['a', 'home/door', '/home//door/', 'Tür 1/Ämter', 'a'.repeat(65_535)])
      expect(checkTopic('topic', topic)).to.equal(topic);
  });

  for (const topic of ['', 'home/+', 'home/#', 'a+', 'a\0b', 'a\nb', 'ä'.repeat(32_768)]) {
    it(`refuses ${JSON.stringify(topic.slice(0, 20))}`, () => {
      expect(() => checkTopic('topic', topic))
        .to.throw('topic is an MQTT topic such as home/door, without the wildcards + and #')
        .with.property('code', 'INVALID_OPTION');
    });
  }
});

describe('checkTopicFilter', () => {
  it('accepts wildcards as whole levels, and # only as the last level', () => {
    for (const filter of ['a', '#', '+', '+/b/+', 'tele/+/SENSOR', 'tele/#', '/+'])
      expect(checkTopicFilter('topic', filter)).to.equal(filter);
  });

  for (const filter of ['', 'a#', '#/a', 'a/#/b', 'a+/b', '+b', 'a\0']) {
    it(`refuses ${JSON.stringify(filter)}`, () => {
      expect(() => checkTopicFilter('topic', filter))
        .to.throw('with + as a whole level, # as the last one')
        .with.nested.property('details.parameter', 'topic');
    });
  }
});

describe('matchesTopic', () => {
  it('matches exactly the topics that a filter subscribes to', () => {
    const topics = ['a', 'a/b', 'a/b/c', 'a/', '/a', 'b/b'];
    const matches: Readonly<Record<string, readonly string[]>> = {
      a: ['a'],
      'a/b': ['a/b'],
      '+': ['a'],
      'a/+': ['a/b', 'a/'],
      '+/b': ['a/b', 'b/b'],
      'a/+/c': ['a/b/c'],
      'a/#': ['a', 'a/b', 'a/b/c', 'a/'],
      '#': topics,
      '+/+': ['a/b', 'a/', '/a', 'b/b'],
    };
    for (const [filter, expected] of Object.entries(matches))
      expect(
        topics.filter((topic) => matchesTopic(filter, topic)),
        filter,
      ).to.deep.equal(expected);
  });
});
