import { expect } from 'chai';
import { isTallybookError, TallybookError } from '@tallybook/domain';
import { loadConfig, settings } from '@tallybook/server';
import { loadStoreUrl } from '../../src/config/config.js';
import { settingsReference } from '../../../../tools/settings-reference.js';

describe('the settings', () => {
  it('are in the reference (npm run reference writes them there)', async () => {
    const { actual, expected } = await settingsReference();
    expect(actual).to.equal(expected);
  });

  it('have each a unique flag and variable', () => {
    const all = Object.values(settings);
    expect(new Set(all.map(({ flag }) => flag)).size).to.equal(all.length);
    expect(new Set(all.map(({ variable }) => variable)).size).to.equal(all.length);
  });

  it('are exactly the configuration', () => {
    expect(Object.keys(loadConfig({}, {})).sort()).to.deep.equal(Object.keys(settings).sort());
  });

  it('allow no unknown variable with the same prefix, because a misspelt one would be ignored', () => {
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
    loadConfig({}, known, { refusesUnknown: true });
    const misspelt = { TALLYBOOK_STOER: 'memory:', TALLYBOOK_READER: 'stdin:', TALLYBOOK_PORT: '-1' };
    expect(loadStoreUrl({}, misspelt)).to.equal(settings.store.default);
    expect(() => loadStoreUrl({}, misspelt, { refusesUnknown: true }))
      .to.throw(TallybookError, /^TALLYBOOK_STOER: /)
      .with.property('code', 'INVALID_OPTION');
    let message = '';
    try {
      loadConfig({}, misspelt, { refusesUnknown: true });
    } catch (error) {
      if (isTallybookError(error, 'INVALID_OPTION')) ({ message } = error);
    }
    expect(message.split('\n')).to.have.length(3);
    expect(message).to.match(
      /^TALLYBOOK_STOER: there is no such setting \(did you mean TALLYBOOK_STORE\?\); allowed are .*TALLYBOOK_HOST/,
    );
  });
});
