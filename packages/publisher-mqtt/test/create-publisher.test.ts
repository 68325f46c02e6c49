import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Recorder } from '@tallybook/testing';
import { thrownBy } from '../../domain/test/throws.js';
import { createPublisher, publisherSchemes, type Publisher } from '../src/index.js';
import { Home, TOPIC } from './fixtures/home.js';
import { tag } from './fixtures/scans.js';
import { useTempDirectory } from '../../store-level/test/fixtures/temp-directory.js';

describe('createPublisher', () => {
  const directory = useTempDirectory();
  let home: Home;
  let publisher: Publisher | undefined;
  beforeEach(async () => {
    home = await Home.create(directory.path);
  });
  afterEach(async () => {
    await publisher?.close();
    await home.dispose();
  });

  function create(url: string, outboxFolder?: string): Publisher {
    const { clock, service } = home.attendance;
    publisher = createPublisher(url, { attendance: service, clock, outboxFolder });
    return publisher;
  }

  it('makes a publisher of a URL alone, which describes itself to Home Assistant and tells no names', async () => {
    await home.attendance.names.assign(tag(1), { first: 'Ada', last: '' });
    await create(`mqtt://127.0.0.1:${home.broker.port}/${TOPIC}`).open();
    await home.published.find('the scanner', ({ topic }) => topic.startsWith('homeassistant/tag/'));
    await home.attendance.tap(tag(1));
    expect((await home.toldOf(1))[0])
      .to.include({ id: tag(1) })
      .and.not.to.have.property('name');
    expect(await readdir(directory.path)).to.deep.equal([]);
  });

  it('keeps its outbox in a folder that is named after it', async () => {
    const { port } = home.broker;
    await create(`mqtt://127.0.0.1:${port}/${TOPIC}?name=../büro&discovery=off`, directory.path).open();
    await home.attendance.tap(tag(1));
    await home.toldOf(1);
    expect(await readdir(directory.path)).to.deep.equal(['%2E%2E%2Fb%C3%BCro']);
    expect(await readdir(join(directory.path, '%2E%2E%2Fb%C3%BCro'))).to.deep.equal(['outbox.jsonl']);
    expect(home.published.values.filter(({ topic }) => topic.endsWith('/config'))).to.deep.equal([]);
  });

  it('takes names=yes, outbox= and another prefix', async () => {
    const { port } = home.broker;
    await home.attendance.names.assign(tag(1), { first: 'Ada', last: '' });
    await home.broker.unplug();
    const created = create(`mqtt://127.0.0.1:${port}/${TOPIC}?names=yes&outbox=2&discovery=ha/test`);
    await created.open();
    const faults = new Recorder(created.faults);
    for (let n = 3; n > 0; n--) await home.attendance.tap(tag(n));
    await faults.find('full', ({ details }) => details['reason'] === 'full');
    await home.broker.plug();
    const told = await home.toldOf(2);
    expect(told.map(({ id, name }) => ({ id, name }))).to.deep.equal([
      { id: tag(2), name: null },
      { id: tag(1), name: { first: 'Ada', last: '' } },
    ]);
    await home.published.find('the scanner', ({ topic }) => topic.startsWith('ha/test/tag/'));
  });

  it('names a publisher after its topic, or as it is asked to', () => {
    expect(create('mqtt://broker/home/attendance').name).to.equal('mqtt:home/attendance');
    expect(create('mqtts://broker/home/attendance?name=home&ca=/ca.pem').name).to.equal('home');
  });

  it('lists the schemes with how their URLs are written', () => {
    expect(Object.keys(publisherSchemes)).to.deep.equal(['mqtt', 'mqtts']);
    for (const usage of Object.values(publisherSchemes)) {
      const example = usage
        .replace('HOST', 'broker')
        .replace('TOPIC', 'a')
        .replace(/=(ID|FILE)/g, '=x');
      expect(create(example).status).to.equal('closed');
    }
  });

  for (const [url, reason, parameter] of [
    ['amqp://broker/a', /the scheme "amqp" is unknown; allowed are mqtt, mqtts/, undefined],
    ['mqtt://broker', /the path is an MQTT topic/, 'the path'],
    ['mqtt://broker/a/%23', /without the wildcards/, 'the path'],
    ['mqtt:/a', /the URL of a broker is mqtt:\/\/HOST\/TOPIC/, 'host'],
    ['mqtt://broker/a?names=maybe', /names is one of no, yes; got "maybe"/, 'names'],
    ['mqtt://broker/a?outbox=0', /outbox is a whole number from 1 to 1000000; got "0"/, 'outbox'],
    [
      'mqtt://broker/a?discovery=no',
      /discovery is off, or a prefix such as homeassistant; got "no"/,
      'discovery',
    ],
    ['mqtt://broker/a?discovery=True', /discovery is off, or a prefix .*got "True"/, 'discovery'],
    ['mqtt://broker/a?discovery=', /discovery is an MQTT topic/, 'discovery'],
    ['mqtt://broker/a?name=', /name is 1 to 100 characters/, 'name'],
    [`mqtt://broker/a?name=${'ü'.repeat(40)}`, /fewer if they are not ASCII/, 'name'],
    ['mqtt://broker/a?ca=FILE', /the parameter "ca" is unknown/, 'ca'],
    ['mqtt://broker/a?topic=b', /the parameter "topic" is unknown; allowed are .*names, outbox/, 'topic'],
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
