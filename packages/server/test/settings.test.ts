import { expect } from 'chai';
import { isTallybookError } from '@tallybook/domain';
import { loadConfig, settings } from '@tallybook/server';
import { settingsReference } from '../../../tools/settings-reference.js';
import { checkVariables } from '../src/config/config.js';

describe('the settings', () => {
  it('stand in the reference as they are (npm run reference writes them there)', async () => {
    const { actual, expected } = await settingsReference();
    expect(actual).to.equal(expected);
  });

  it('have a flag and a variable each that no other one has', () => {
    const all = Object.values(settings);
    expect(new Set(all.map(({ flag }) => flag)).size).to.equal(all.length);
    expect(new Set(all.map(({ variable }) => variable)).size).to.equal(all.length);
  });

  it('are the configuration, and nothing else is', () => {
    expect(Object.keys(loadConfig({}, {})).sort()).to.deep.equal(Object.keys(settings).sort());
  });

  it('may have no variable beside them that begins alike, since a misspelt one would be ignored', () => {
    const env: Record<string, string> = {};
    for (const { variable } of Object.values(settings)) env[variable] = '';
    checkVariables({
      ...env,
      TALLYBOOK_CONFIG: '',
      TALLYBOOK_TEST_SEED: '1',
      TALLYBOOK_MQTT_PASSWORD: '',
      HOME: '/',
    });
    let message = '';
    try {
      checkVariables({ TALLYBOOK_STOER: 'memory:', TALLYBOOK_READER: 'stdin:' });
    } catch (error) {
      if (isTallybookError(error, 'INVALID_OPTION')) ({ message } = error);
    }
    expect(message.split('\n')).to.have.length(2);
    expect(message).to.match(/^TALLYBOOK_STOER: there is no such setting; allowed are .*TALLYBOOK_STORE/);
  });
});
