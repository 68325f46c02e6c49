import { expect } from 'chai';
import { createReader } from '@tallybook/readers';
import { ManualClock, Recorder } from '@tallybook/testing';
import { PluggableBroker } from '../../../../devices/test/mqtt/pluggable-broker.js';
import { PluggableLine } from '../../../../readers/test/serial/pluggable-line.js';
import { encodeFrame } from '../../../../readers/test/serial/decoders/rdm6300-frame.js';
import type { SurveyPart } from '../../../src/command-line/doctor/device-survey.js';
import { TallybookProcess } from '../../fixtures/processes/server-process.js';

const ada = '04A2B3C4D5';

describe('tallybook doctor as a command', () => {
  it('surveys this machine, for people and for programs, with exit code 0', async () => {
    const people = new TallybookProcess('doctor');
    expect(await people.exited).to.equal(0);
    expect(people.text)
      .to.match(/^Serial lines\n {2}\S/)
      .and.contain(" doctor --reader 'URL'");
    const programs = new TallybookProcess('doctor', '--json');
    expect(await programs.exited).to.equal(0);
    const parts = JSON.parse(programs.text) as SurveyPart[];
    expect(parts.map(({ title }) => title)).to.include('GPIO chips');
  });

  it('shows the input of the reader for one tag, and its id', async () => {
    const line = await PluggableLine.create();
    const url = `serial:${line.path}?format=dec10`;
    const doctor = new TallybookProcess('doctor', '--reader', url);
    await doctor.says(/The device is there\.\n/);
    await line.send(encodeFrame('010063E9AE'), encodeFrame('010063E9AE'));
    expect(await doctor.exited).to.equal(0);
    expect(doctor.text.split('\n').slice(1)).to.deep.equal([
      'The device is there.',
      'raw  "010063E9AE"',
      'id   0063E9AE',
      '',
    ]);
    await line.dispose();
  });

  it('takes no messages from a service that reads the same topic of a broker', async () => {
    const broker = await PluggableBroker.create();
    const url = `mqtt://127.0.0.1:${broker.port}/door?client=desk`;
    const service = createReader(url, { clock: new ManualClock() });
    const ids = new Recorder({
      subscribe: (next) => service.readings.subscribe((reading) => next(reading.id)),
    });
    const connections = new Recorder(service.connections);
    await service.open();
    await connections.count(1);
    await service.close();
    await broker.publish('door', '0006547886');
    const doctor = new TallybookProcess('doctor', '--reader', url);
    await doctor.says(/The device is there\.\n/);
    await broker.publish('door', ada);
    expect(await doctor.exited).to.equal(0);
    expect(doctor.text).to.contain(`id   ${ada}`).and.not.contain('0006547886');
    await service.open();
    expect(await ids.count(2)).to.deep.equal(['0006547886', ada]);
    await service.close();
    await broker.dispose();
  });

  it('prints the same for programs in one line', async () => {
    const doctor = new TallybookProcess('doctor', '--json', '--reader', 'stdin:?format=hex-xor');
    doctor.child.stdin.write('what?\n04A2B3C4D504\n');
    expect(await doctor.exited).to.equal(0);
    expect(JSON.parse(doctor.text)).to.deep.include({
      reader: 'stdin:?format=hex-xor',
      wasConnected: true,
      raw: '04A2B3C4D504',
      id: ada,
      looksLike: null,
    });
    expect(
      (JSON.parse(doctor.text) as { faults: { code: string }[] }).faults.map(({ code }) => code),
    ).to.deep.equal(['INVALID_TALLY_ID']);
  });

  const inVain: readonly (readonly [what: string, args: readonly string[], typed: string, says: RegExp])[] = [
    ['the device is missing', ['serial:/dev/none'], '', /READER_DISCONNECTED: .*\n.*the device is missing/],
    ['nothing comes', ['stdin:'], '', /nothing came; try another tag, or wait longer with --timeout/],
    ['the reader says that there is no tag', ['stdin:'], '00000000\n', /No tag was read: .*00000000/],
    [
      'what comes is no id',
      ['stdin:?format=dec10'],
      `${ada}\n`,
      /raw {2}"04A2B3C4D5"\nINVALID_TALLY_ID: .*\n.*Set another format with format=, or format=text/,
    ],
  ];
  for (const [what, [url = ''], typed, says] of inVain) {
    it(`exits with 1 and a hint when ${what}`, async () => {
      const doctor = new TallybookProcess('doctor', '--timeout', '1s', '--reader', url);
      doctor.child.stdin.write(typed);
      expect(await doctor.exited).to.equal(1);
      expect(doctor.text).to.match(says);
    });
  }

  it('has a hint for a reader that sends a tag only once', async () => {
    const line = await PluggableLine.create();
    const doctor = new TallybookProcess('doctor', '--reader', `serial:${line.path}`);
    await doctor.says(/is there/);
    await line.send(encodeFrame(ada));
    await doctor.says(/raw/);
    doctor.child.kill('SIGINT');
    expect(await doctor.exited).to.equal(1);
    expect(doctor.text).to.contain('add confirm=1 to its URL');
    await line.dispose();
  });

  it('has a hint for a broker without messages, and repeats the problems of its messages', async () => {
    const broker = await PluggableBroker.create();
    const tryTopic = async (...payloads: string[]): Promise<string> => {
      const doctor = new TallybookProcess('doctor', '--reader', `mqtt://127.0.0.1:${broker.port}/tags`);
      await doctor.says(/is there/);
      for (const payload of payloads) await broker.publish('tags', payload);
      if (payloads.length > 0) await doctor.says(/BLANK_TALLY_ID/);
      doctor.child.kill('SIGINT');
      expect(await doctor.exited).to.equal(1);
      return doctor.text;
    };
    expect(await tryTopic()).to.match(/\nNo tag was read: nothing came; .* published to the topic/);
    expect(await tryTopic('00000000')).to.match(/\nNo tag was read: the reader says "no tag": 00000000/);
    await broker.dispose();
  });

  it('has a hint for a silent line', async () => {
    const line = await PluggableLine.create();
    const doctor = new TallybookProcess('doctor', '--reader', `serial:${line.path}`);
    await doctor.says(/is there/);
    doctor.child.kill('SIGINT');
    expect(await doctor.exited).to.equal(1);
    expect(doctor.text).to.contain('nothing came; check the tag, the wiring, protocol= and baud=');
    await line.dispose();
  });

  it('describes the bytes for programs', async () => {
    const line = await PluggableLine.create();
    const args = ['--json', '--timeout', '2s', '--reader', `serial:${line.path}`];
    const doctor = new TallybookProcess('doctor', ...args);
    // Repeats the frame, like a tag held at the reader, because nothing shows when the line is open.
    const sending = setInterval(() => void line.send(Buffer.from('62E3086CED08')), 300);
    expect(await doctor.exited).to.equal(1);
    clearInterval(sending);
    const { looksLike } = JSON.parse(doctor.text) as { looksLike: { what: string; reader: string } };
    expect(looksLike.what).to.contain('EM-18');
    expect(looksLike.reader).to.equal(`serial:${line.path}?protocol=em18`);
    await line.dispose();
  });

  const spoken: readonly (readonly [
    what: string,
    parameters: string,
    sent: string,
    says: string,
    suggested: string | undefined,
  ])[] = [
    ['an EM-18', '?name=door', '62E3086CED08', 'frames of an EM-18', '?protocol=em18&name=door'],
    [
      'a 7941D',
      '?protocol=id12&checksum=keep',
      '\x02\x0a\x02\x2e\x00\xb6\xd7\xb5\xf2\x03',
      'frames of a 7941D',
      '?protocol=7941d',
    ],
    [
      'lines, at the rate at which they came',
      '?protocol=parallax',
      'UID: 04 A1 B2 C3\r\n',
      'lines with an id of 4 bytes in hex',
      `?protocol=lines&pattern=${encodeURIComponent('^UID: ([0-9A-Fa-f]{2}(?:[ :-][0-9A-Fa-f]{2}){3})$')}&baud=2400`,
    ],
    ['noise', '', '\xfe\x80\x98\xe0', '4 bytes', undefined],
  ];
  for (const [what, parameters, sent, says, suggested] of spoken) {
    it(`recognises ${what} by the received bytes`, async () => {
      const line = await PluggableLine.create();
      const url = `serial:${line.path}`;
      const doctor = new TallybookProcess('doctor', '--timeout', '2s', '--reader', `${url}${parameters}`);
      await doctor.says(/is there/);
      await line.send(Buffer.from(sent, 'latin1'));
      expect(await doctor.exited).to.equal(1);
      expect(doctor.text).to.contain(says);
      if (suggested === undefined) expect(doctor.text).to.not.contain('looks like');
      else expect(doctor.text).to.contain(` doctor --reader '${url}${suggested}'\n`);
      await line.dispose();
    });
  }

  it('reports the bytes of a reader with another protocol, without another byte', async () => {
    const line = await PluggableLine.create();
    const doctor = new TallybookProcess('doctor', '--reader', `serial:${line.path}`);
    await doctor.says(/is there/);
    await line.send(Buffer.from('62E3086CED08'));
    await doctor.says(/FRAME_INVALID/);
    doctor.child.kill('SIGINT');
    expect(await doctor.exited).to.equal(1);
    expect(doctor.text).to.match(
      /\nNo tag was read, but this came: received bytes outside a frame \(12 bytes: #{12}\); .*; check .* protocol= and baud=\.\n/,
    );
    await line.dispose();
  });

  it('prints little for a line full of noise', async () => {
    const doctor = new TallybookProcess('doctor', '--reader', 'stdin:');
    await doctor.says(/is there/);
    for (let n = 0; n < 1_000; n++) doctor.child.stdin.write(`${'x'.repeat((n % 90) + 1)} ${n}\n`);
    doctor.tap(ada);
    expect(await doctor.exited).to.equal(0);
    expect(doctor.text.split('\n')).to.have.length.below(30);
    expect(doctor.text).to.contain(`id   ${ada}`);
  });

  const wrong: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [['--reader', 'pigeon:'], /the scheme "pigeon" is unknown; allowed are serial/],
    [['--reader', 'stdin:', '--timeout', '1ms'], /--timeout: 1s to 1h; got "1ms"/],
    [['--reader', 'stdin:', '--timeout', '2h'], /--timeout: 1s to 1h; got "2h"/],
    [['--reader', 'stdin:', '--timeout', 'soon'], /--timeout: 1s to 1h; got "soon"/],
    [['--timeout', 'soon'], /--timeout: 1s to 1h; got "soon"/],
    [['serial'], /too many arguments/],
  ];
  for (const [args, message] of wrong) {
    it(`exits with 2 and lists the allowed values: ${args.join(' ')}`, async () => {
      const doctor = new TallybookProcess('doctor', ...args);
      expect(await doctor.exited).to.equal(2);
      expect(doctor.text).to.match(message);
    });
  }
});
