import { expect } from 'chai';
import { RestartRequest } from '../../src/systemd/restart-request.js';

describe('A request to restart', () => {
  it('is possible only while a program waits for it, and is ignored before', async () => {
    const request = new RestartRequest();
    request.ask();
    expect(request.isPossible).to.equal(false);
    const asked = request.wait();
    expect(request.isPossible).to.equal(true);
    request.ask();
    await asked;
  });
});
