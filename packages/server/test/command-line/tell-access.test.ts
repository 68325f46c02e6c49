import { loadConfig, type Settings } from '@tallybook/server';
import { expect } from 'chai';
import { tellAccess } from '../../src/command-line/tell-access.js';
import { recordedLog } from '../fixtures/logged.js';

describe('tellAccess', () => {
  const warningsOf = (state: 'open' | 'claimed', settings: Settings): readonly string[] => {
    const { log, lines } = recordedLog();
    const config = loadConfig({ store: 'memory:', ...settings }, {});
    const terminal = { isTTY: false, write: () => true };
    tellAccess({ state, setupCode: undefined }, { log, config, page: ['http://here/'] }, terminal);
    return lines.values.filter(({ level }) => level === 40).map(({ msg }) => msg.slice(0, 24));
  };

  it('warns of --insecure if it gives everybody access, and if it has no effect', () => {
    const insecure = { insecure: 'true' } as Settings;
    expect(warningsOf('open', { ...insecure, host: '0.0.0.0' })).to.deep.equal(['--insecure: everybody wh']);
    expect(warningsOf('open', { ...insecure, host: '127.0.0.1' })).to.deep.equal([]);
    expect(warningsOf('claimed', insecure)).to.deep.equal(['--insecure has no effect']);
    expect(warningsOf('claimed', {})).to.deep.equal([]);
  });
});
