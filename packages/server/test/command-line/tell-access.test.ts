import { loadConfig, type Settings } from '@tallybook/server';
import { expect } from 'chai';
import { tellAccess, tellZone } from '../../src/command-line/tell-access.js';
import { recordedLog } from '../fixtures/logged.js';

describe('tellAccess', () => {
  const warningsOf = (state: 'open' | 'claimed', settings: Settings): readonly string[] => {
    const { log, lines } = recordedLog();
    const config = loadConfig({ store: 'memory:', ...settings }, {});
    const terminal = { isTTY: false, write: () => true };
    tellAccess({ state, code: undefined }, { log, config, page: ['http://here/'] }, terminal);
    return lines.values.filter(({ level }) => level === 40).map(({ msg }) => msg.slice(0, 24));
  };

  it('warns of --insecure if it gives everybody access, and if it has no effect', () => {
    const insecure = { insecure: 'true' } as Settings;
    expect(warningsOf('open', { ...insecure, host: '0.0.0.0' })).to.deep.equal(['--insecure: everybody wh']);
    expect(warningsOf('open', { ...insecure, host: '127.0.0.1' })).to.deep.equal([]);
    expect(warningsOf('claimed', insecure)).to.deep.equal(['--insecure has no effect']);
    expect(warningsOf('claimed', {})).to.deep.equal([]);
  });

  it('names no page if there is none, and says what to do instead', () => {
    for (const [setupCode, message] of [
      [undefined, /^there is no page, only the HTTP interface: .*npm run build/],
      [
        '7K3MQX0P9ZTA',
        /^nobody gets in yet, and there is no page .*: tallybook user add NAME --role admin --store memory:/,
      ],
    ] as const) {
      const { log, lines } = recordedLog();
      const written: unknown[] = [];
      const terminal = { isTTY: true, write: (text: unknown) => written.push(text) > 0 };
      const config = loadConfig({ store: 'memory:' }, {});
      tellAccess({ state: 'open', code: setupCode }, { log, config, page: [] }, terminal);
      expect(lines.values.map(({ level }) => level)).to.deep.equal([40]);
      expect(lines.values[0]?.msg).to.match(message).and.not.include('browser');
      expect(written).to.deep.equal([]);
    }
  });
});

describe('tellZone', () => {
  const linesOf = (zone: string, system: string): readonly unknown[] => {
    const { log, lines } = recordedLog();
    tellZone(log, { zone }, { timeZone: system });
    return lines.values.map(({ level, msg }) => [level, msg]);
  };

  it('warns that the days are in UTC while the system has another zone', () => {
    expect(linesOf('UTC', 'Europe/Berlin')).to.deep.equal([
      [
        40,
        'days begin and times are in the zone UTC, but this system has Europe/Berlin; to use that, write --zone Europe/Berlin',
      ],
    ]);
  });

  it('says that the chosen zone is another one', () => {
    expect(linesOf('Asia/Tokyo', 'Europe/Berlin')).to.deep.equal([
      [30, 'days begin and times are in the zone Asia/Tokyo, but this system has Europe/Berlin'],
    ]);
  });

  it('says nothing if the zones are the same', () => {
    expect(linesOf('Europe/Berlin', 'Europe/Berlin')).to.deep.equal([]);
    expect(linesOf('Etc/UTC', 'UTC')).to.deep.equal([]);
  });
});
