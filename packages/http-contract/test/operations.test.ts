import { expect } from 'chai';
import { operations, optional, object, string, type Operation } from '../src/index.js';
import { describeOperations, refusalsOf } from '../src/openapi.js';
import { httpTables } from '../../../tools/http-reference.js';

const all = Object.entries<Operation>(operations);

describe('the operations of the interface', () => {
  it('are in the reference, with who may send them (npm run reference writes them there)', async () => {
    for (const { actual, expected } of await httpTables()) expect(actual).to.equal(expected);
  });

  it('have a name of their own each', () => {
    const ids = all.map(([, { id }]) => id);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it('declare each parameter of their path, and no other', () => {
    for (const [address, { params = {} }] of all) {
      const inPath = [...address.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(params), address).to.deep.equal(inPath);
    }
  });

  it('succeed in one way at least', () => {
    for (const [address, { answers }] of all)
      expect(
        Object.keys(answers).some((status) => status.startsWith('2')),
        address,
      ).to.equal(true);
  });

  it('refuse wrong input only where there is input', () => {
    for (const [address, operation] of all) {
      const hasInput = [operation.params, operation.query].some((each) => Object.keys(each ?? {}).length > 0);
      expect(400 in refusalsOf(operation), address).to.equal(hasInput || operation.body !== undefined);
    }
  });
});

describe('the OpenAPI document of operations', () => {
  it('has each named value once, which others refer to', () => {
    const { components } = describeOperations(operations, { version: '1.0.0' });
    const text = JSON.stringify({ components });
    for (const [, name = ''] of text.matchAll(/#\/components\/schemas\/(\w+)"/g))
      expect(components.schemas, name).to.have.property(name);
    expect(components.schemas).to.include.keys('Name', 'Entry', 'Problem', 'Attendance', 'Reset');
  });
});

describe('a schema of an object', () => {
  it('requires all properties but the optional ones', () => {
    expect(object({ first: string(), note: optional(string('A note.')) })).to.deep.equal({
      type: 'object',
      properties: { first: { type: 'string' }, note: { type: 'string', description: 'A note.' } },
      required: ['first'],
    });
  });
});
