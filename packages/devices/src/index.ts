export { checkName, checkRange, DeviceUrl, invalidOption, parseDuration, type Range } from './device-url.js';
export { DeviceRegistry } from './device-registry.js';
export {
  REGISTRATION_VERSION,
  registrationsOf,
  type AdapterSetting,
  type DeviceIndicator,
  type DeviceRegistration,
  type IdentityDependencies,
  type IdentityRegistration,
  type IdentityValues,
  type IndicatorDependencies,
  type IndicatorRegistration,
  type PublisherRegistration,
  type ReaderDependencies,
  type ReaderRegistration,
  type Registration,
  type ServedStorage,
  type StorageDependencies,
  type StorageRegistration,
} from './registration.js';
export {
  checkChip,
  chipFile,
  findGpioTool,
  createGpioFault,
  createGpioLossFault,
  LINE_RANGE,
  readChipLabels,
  type GpioTool,
  type GpioFaultCode,
} from './gpio.js';
export { loadOptional } from './load-optional.js';
export type { BrokerFaultCode } from './mqtt/broker-fault.js';
export {
  BROKER_LOGIN,
  BROKER_PARAMETERS,
  brokerClientOf,
  readBroker,
  readTopic,
  checkTopic,
  checkTopicFilter,
  matchesTopic,
  type Broker,
} from './mqtt/broker.js';
export { MqttConnection, type BrokerMessage, type MqttConnectionOptions } from './mqtt/mqtt-connection.js';
export type { PublishOptions } from './mqtt/broker.js';
export { describeEnd, notInstalled, startProgram, type Program, type ProgramEnd } from './program.js';
export { ChangeFeed, type ChangeFeedOptions } from './publishing/change-feed.js';
export {
  toAsciiJson,
  type Publication,
  type RecordData,
  type RecordPublication,
  type ScanData,
  type ScanPublication,
  type Publisher,
  type PublisherDependencies,
} from './publishing/publisher.js';
export { deferred, within, type Deferred } from './waiting.js';
export { AccessFileError, readSmallFile } from './read-small-file.js';
export {
  Reconnection,
  type DeviceConnection,
  type DeviceSession,
  type ReconnectionOptions,
  retryDelayMs,
} from './reconnection.js';
