import { orNull, ref, type Schema } from '../schema.js';

export const readerSchemas: Readonly<Record<string, Schema>> = {
  Readers: { type: 'array', items: ref('Reader'), description: 'In the order of the configuration.' },
  Reader: {
    type: 'object',
    description: 'State of a reader since the start of the service.',
    properties: {
      name: { type: 'string' },
      kind: { type: ['string', 'null'], description: 'Kind of the device, such as `serial`.' },
      connection: {
        enum: ['connected', 'waiting'],
        description: '`waiting`: the device is missing, and the service tries to open it again and again.',
      },
      since: { ...ref('Timestamp'), description: 'Time of the last change of `connection`.' },
      faultySince: {
        ...orNull('Timestamp'),
        description: 'Time of the first fault after the last reading or reconnection; null if there is none.',
      },
      lastReading: { ...orNull('Timestamp'), description: 'Time of the last reading.' },
      faults: {
        type: 'object',
        description: 'Number of faults, by code.',
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
