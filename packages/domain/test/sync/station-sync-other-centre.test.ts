import { expect } from 'chai';
import { ada, Centre, Contents, pass, Station } from './sync-world.js';

describe('a station whose centre has another journal', () => {
  it('sends its whole record, regardless of the cursor of the centre', async () => {
    await using before = await Centre.open();
    await using station = await Station.open('door', before);
    await station.tap(ada, 1);
    await pass([station, before], 5);
    expect(before.record().scans).to.have.lengthOf(1);

    // A damaged copy of the centre: its cursors of the station do not match the record.
    const contents = new Contents();
    contents.stations = structuredClone(before.contents.stations);
    await using after = await Centre.open(contents);
    station.transport.centre = after;
    await pass([station, before, after], 60);
    expect(after.record()).to.deep.equal(station.record());
  });

  it('does so also if a missing batch is the first sign', async () => {
    await using before = await Centre.open();
    await using station = await Station.open('door', before);
    await station.tap(ada, 1);
    await pass([station, before], 5);
    const contents = new Contents();
    contents.stations = structuredClone(before.contents.stations);
    await station.tap(ada, 2);
    await pass([station, before], 5);

    await using after = await Centre.open(contents);
    station.transport.centre = after;
    await station.tap(ada, 3);
    await pass([station, before, after], 60);
    expect(after.record()).to.deep.equal(station.record());
  });
});
