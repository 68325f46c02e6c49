import { expect } from 'chai';
import { TallybookError } from '@tallybook/domain';
import { loadConfig, settings } from '@tallybook/server';
import { loadStoreUrl } from '../../src/config/config.js';
import { listenerDefaults } from '../../src/http/http-listener.js';
import { settingsTable } from '../../../../tools/settings-reference.js';

describe('the settings', () => {
  it('are in the reference (npm run reference writes them there)', async () => {
    const { actual, expected } = await settingsTable();
    expect(actual).to.equal(expected);
  });

  it('have each a unique flag and variable', () => {
    const all = Object.values(settings);
    expect(new Set(all.map(({ flag }) => flag)).size).to.equal(all.length);
    expect(new Set(all.map(({ variable }) => variable)).size).to.equal(all.length);
  });

  it('need only settings that exist', () => {
    const flags = Object.values(settings).map(({ flag }): string => flag);
    expect(flags).to.include.members(Object.values(settings).flatMap(({ needs }) => needs));
  });

  it('have the limits of connections that a listener has without settings', () => {
    const { maxConnections, maxConnectionsPerAddress } = listenerDefaults;
    expect(settings.maxConnections.default).to.equal(String(maxConnections));
    expect(settings.maxConnectionsPerAddress.default).to.equal(String(maxConnectionsPerAddress));
  });

  it('are exactly the configuration, besides what makes the devices', () => {
    const { adapters: _, ...values } = loadConfig({}, {});
    expect(Object.keys(values).sort()).to.deep.equal(Object.keys(settings).sort());
  });

  function warningsOf(env: Readonly<Record<string, string>>): readonly string[] {
    const warnings: string[] = [];
    loadConfig({}, env, { warn: (problem) => warnings.push(problem) });
    const ofStore: string[] = [];
    loadStoreUrl({}, env, { warn: (problem) => ofStore.push(problem) });
    expect(ofStore).to.deep.equal(warnings);
    return warnings;
  }

  it('have a warning for each unknown variable with the same prefix, because it may be misspelt', () => {
    const env: Record<string, string> = {};
    for (const { variable } of Object.values(settings)) env[variable] = '';
    const known = {
      ...env,
      TALLYBOOK_CONFIG: '',
      TALLYBOOK_TEST_SEED: '1',
      TALLYBOOK_MQTT_PASSWORD: '',
      HOME: '/',
      MY_TALLYBOOK_HOME: '/',
    };
    expect(warningsOf(known)).to.deep.equal([]);
    expect(warningsOf({ TALLYBOOK_STOER: 'memory:', TALLYBOOK_READER: 'stdin:' })).to.deep.equal([
      'TALLYBOOK_STOER: ignored, because there is no such setting (did you mean TALLYBOOK_STORE?)',
      'TALLYBOOK_READER: ignored, because there is no such setting (did you mean TALLYBOOK_READERS?)',
    ]);
  });

  it('ignore what Kubernetes and Docker add for a service of this name, with one warning', () => {
    const injected = {
      TALLYBOOK_SERVICE_HOST: '10.0.171.239',
      TALLYBOOK_SERVICE_PORT: '8080',
      TALLYBOOK_SERVICE_PORT_HTTP: '8080',
      TALLYBOOK_PORT: 'tcp://10.0.171.239:8080',
      TALLYBOOK_PORT_8080_TCP: 'tcp://10.0.171.239:8080',
      TALLYBOOK_PORT_8080_TCP_PROTO: 'tcp',
      TALLYBOOK_PORT_8080_TCP_PORT: '8080',
      TALLYBOOK_PORT_8080_TCP_ADDR: '10.0.171.239',
      TALLYBOOK_DB_PORT: 'tcp://10.0.0.2:5432',
    };
    const [warning = '', ...others] = warningsOf(injected);
    expect(others).to.deep.equal([]);
    for (const name of [...Object.keys(injected), 'enableServiceLinks: false'])
      expect(warning).to.include(name);
    expect(loadConfig({}, injected).port).to.equal(8080);
    expect(loadConfig({ port: '9000' }, injected).port).to.equal(9000);
  });

  for (const wrong of ['-1', 'tcp', 'tcp://', 'tcp://a b', 'http://10.0.0.1:8080', '8080/tcp']) {
    it(`refuse the port ${wrong}, which nobody adds`, () => {
      expect(() => loadConfig({}, { TALLYBOOK_PORT: wrong })).to.throw(TallybookError, /^TALLYBOOK_PORT: /);
    });
  }

  it('refuse such a value of another variable', () => {
    const env = { TALLYBOOK_ZONE: 'tcp://10.0.0.1:8080' };
    expect(() => loadConfig({}, env)).to.throw(TallybookError, /^TALLYBOOK_ZONE: /);
  });
});
