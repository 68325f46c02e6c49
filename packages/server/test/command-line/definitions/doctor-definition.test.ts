import { expect } from 'chai';
import { call, callWith } from '../../fixtures/processes/called.js';

const fromNpm = { npm_lifecycle_event: 'start', npm_package_name: 'tallybook-monorepo' };

describe('The doctor on the command line', () => {
  it('shows people the command for this installation, and gives programs the same text everywhere', async () => {
    const people = await callWith(fromNpm, 'doctor');
    expect(people.output)
      .to.include("npm start -- doctor --reader 'URL'")
      .and.not.include('tallybook doctor');
    const [here, elsewhere] = [await callWith(fromNpm, 'doctor', '--json'), await call('doctor', '--json')];
    expect(JSON.parse(here.output)).to.deep.equal(JSON.parse(elsewhere.output));
    expect(here.output).not.to.include('npm start');
  });

  it('waits from one second to one hour', async () => {
    for (const timeout of ['999ms', '3601s', 'soon', '-1s']) {
      const reader = ['--reader', 'simulated:?every=1d'];
      const { exitCode, errors } = await call('doctor', ...reader, '--timeout', timeout);
      expect([exitCode, errors], timeout).to.deep.equal([
        ...[2, `tallybook: --timeout: 1s to 1h; got "${timeout}"\n`],
      ]);
    }
  });

  it('gives advice when no tag came to a reader without further information', async () => {
    const before = process.listenerCount('SIGINT');
    const called = call('doctor', '--reader', 'simulated:?every=1d');
    while (process.listenerCount('SIGINT') === before) await new Promise(setImmediate);
    process.emit('SIGINT');
    const { output } = await called;
    expect(output.trimEnd().split('\n').at(-1)).to.equal(
      'No tag was read: nothing came; try another tag, or wait longer with --timeout.',
    );
  });
});
