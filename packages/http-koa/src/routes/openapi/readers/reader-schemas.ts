import { orNull, ref, type Schema } from '../schema.js';

export const readerSchemas: Readonly<Record<string, Schema>> = {
  Readers: { type: 'array', items: ref('Reader'), description: 'In the order of the configuration.' },
  Reader: {
    type: 'object',
    description: 'State of a reader since the start of the service.',
    properties: {
      name: { type: 'string' },
      kind: { type: ['string', 'null'], description: 'Kind of device, such as `serial`.' },
      connection: {
        enum: ['connected', 'waiting'],
        description: '`waiting`: its device is not there, and attempts to connect go on.',
      },
      since: { ...ref('Timestamp'), description: 'When the connection last changed.' },
      faultySince: {
        ...orNull('Timestamp'),
        description: 'The first fault since its last reading or connection; null if there is none.',
      },
      lastReading: { ...orNull('Timestamp'), description: 'When it last read a tag.' },
      faults: {
        type: 'object',
        description: 'Number of faults, by their code.',
        additionalProperties: { type: 'integer', minimum: 1 },
      },
      lastFault: {
        oneOf: [ref('Fault'), { type: 'null' }],
      },
    },
    required: ['name', 'kind', 'connection', 'since', 'faultySince', 'lastReading', 'faults', 'lastFault'],
    examples: [
      {
        name: 'door',
        kind: 'serial',
        connection: 'waiting',
        since: 1_763_541_000,
        faultySince: 1_763_541_000,
        lastReading: 1_763_540_400,
        faults: { READER_DISCONNECTED: 1 },
        lastFault: {
          code: 'READER_DISCONNECTED',
          message: '/dev/ttyUSB0 was lost; plug the reader in again',
          at: 1_763_541_000,
        },
      },
    ],
  },
};
