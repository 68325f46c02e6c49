import { expect } from 'chai';
import type { Publisher } from '@tallybook/devices';
import { thrownBy } from '../../../domain/test/fixtures/throws.js';
import { tag } from '../../../devices/test/publishing/recorded-attendance.js';
import { createPublisher, publisherSchemes } from '../../src/index.js';
import { Home, TOPIC } from './fixtures/home.js';

describe('createPublisher of a broker', () => {
  let home: Home;
  let publisher: Publisher | undefined;
  beforeEach(async () => {
    home = await Home.create();
  });
  afterEach(async () => {
    await publisher?.close();
    await home.dispose();
  });

  function create(url: string): Publisher {
    publisher = createPublisher(url, home.attendance.dependencies);
    return publisher;
  }

  it('makes a publisher from a URL alone, which describes itself to Home Assistant and publishes no names', async () => {
    await home.attendance.names.put(tag(1), { first: 'Ada', last: '' });
    await create(`mqtt://127.0.0.1:${home.broker.port}/${TOPIC}`).open();
    await home.published.find('the scanner', ({ topic }) => topic.startsWith('homeassistant/tag/'));
    await home.attendance.tap(tag(1));
    expect((await home.toldOf(1))[0])
      .to.include({ id: tag(1) })
      .and.not.to.have.property('name');
  });

  it('continues at the position of its name, and describes nothing with discovery=off', async () => {
    const { journal } = home.attendance;
    const { port } = home.broker;
    await create(`mqtt://127.0.0.1:${port}/${TOPIC}?name=../büro&discovery=off`).open();
    await home.attendance.tap(tag(1));
    await home.toldOf(1);
    await publisher?.close();
    expect(await journal.position('../büro')).to.equal(await journal.latest());
    expect(home.published.values.filter(({ topic }) => topic.endsWith('/config'))).to.deep.equal([]);
  });

  it('accepts names=yes and another prefix', async () => {
    const { port } = home.broker;
    await home.attendance.names.put(tag(1), { first: 'Ada', last: '' });
    await create(`mqtt://127.0.0.1:${port}/${TOPIC}?names=yes&discovery=ha/test`).open();
    for (let n = 2; n > 0; n--) await home.attendance.tap(tag(n));
    const told = await home.toldOf(2);
    expect(told.map(({ id, name }) => ({ id, name }))).to.deep.equal([
      { id: tag(2), name: null },
      { id: tag(1), name: { first: 'Ada', last: '' } },
    ]);
    await home.published.find('the scanner', ({ topic }) => topic.startsWith('ha/test/tag/'));
  });

  it('names a publisher after its topic, or by the given name', () => {
    expect(create('mqtt://broker/home/attendance').name).to.equal('mqtt:home/attendance');
    expect(create('mqtts://broker/home/attendance?name=home&ca=/ca.pem').name).to.equal('home');
  });

  it('lists the schemes with the form of their URLs', () => {
    for (const scheme of ['mqtt', 'mqtts']) {
      const example = (publisherSchemes[scheme] ?? '')
        .replace('HOST', 'broker')
        .replace('TOPIC', 'a')
        .replace(/=(ID|FILE)/g, '=x');
      expect(create(example).status).to.equal('closed');
    }
  });

  for (const [url, reason, parameter] of [
    ['amqp://broker/a', /the scheme "amqp" is unknown; allowed are mqtt, mqtts, https, http/, undefined],
    ['mqtt://broker', /the path is an MQTT topic/, 'the path'],
    ['mqtt://broker/a/%23', /without the wildcards/, 'the path'],
    ['mqtt:/a', /the URL of a broker is mqtt:\/\/HOST\/TOPIC/, 'host'],
    ['mqtt://broker/a?names=maybe', /names is one of no, yes; got "maybe"/, 'names'],
    [
      'mqtt://broker/a?discovery=no',
      /discovery is off, or a prefix such as homeassistant; got "no"/,
      'discovery',
    ],
    ['mqtt://broker/a?discovery=True', /discovery is off, or a prefix .*got "True"/, 'discovery'],
    ['mqtt://broker/a?discovery=', /discovery is an MQTT topic/, 'discovery'],
    ['mqtt://broker/a?name=', /name is 1 to 100 characters/, 'name'],
    [`mqtt://broker/a?name=${'x'.repeat(101)}`, /name is 1 to 100 characters/, 'name'],
    ['mqtt://broker/a?ca=FILE', /the parameter "ca" is unknown/, 'ca'],
    [
      'mqtt://broker/a?topic=b',
      /the parameter "topic" is unknown; allowed are .*discovery, name, names/,
      'topic',
    ],
  ] as const) {
    it(`refuses ${url.slice(0, 40)}`, () => {
      const error = thrownBy('INVALID_OPTION', () => create(url));
      expect(error.message)
        .to.match(/^the publisher "/)
        .and.match(reason);
      expect(error.details['parameter']).to.equal(parameter);
    });
  }
});
