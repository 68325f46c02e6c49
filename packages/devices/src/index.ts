export { checkRange, type Range } from './check-range.js';
export { DeviceRegistry, type DeviceKind } from './device-registry.js';
export { DeviceUrl } from './device-url.js';
export { chipFile, findGpioTool, type GpioTool } from './gpio/find-gpio-tool.js';
export { createGpioFault, createGpioLossFault, type GpioFaultCode } from './gpio/gpio-fault.js';
export { LINE_RANGE } from './gpio/line-range.js';
export { loadOptional } from './load-optional.js';
export type { BrokerFaultCode } from './mqtt/broker-fault.js';
export { BROKER_LOGIN, BROKER_PARAMETERS, readBroker, readTopic, type Broker } from './mqtt/broker.js';
export { MqttConnection, type BrokerMessage, type MqttConnectionOptions } from './mqtt/mqtt-connection.js';
export type { PublishOptions } from './mqtt/publish-options.js';
export { checkTopic, checkTopicFilter, matchesTopic } from './mqtt/topic.js';
export { parseDuration } from './parse-duration.js';
export { describeEnd, startProgram, type Program, type ProgramEnd } from './program.js';
export { ChangeFeed, type ChangeFeedOptions } from './publishing/change-feed.js';
export type {
  Publication,
  RecordData,
  RecordPublication,
  ScanData,
  ScanPublication,
} from './publishing/publication.js';
export { readPublisherName } from './publishing/publisher-name.js';
export type { Publisher, PublisherDependencies } from './publishing/publisher.js';
export { toAsciiJson } from './publishing/to-ascii-json.js';
export { AccessFileError, readSmallFile } from './read-small-file.js';
export {
  Reconnection,
  type DeviceConnection,
  type DeviceSession,
  type ReconnectionOptions,
  retryDelayMs,
} from './reconnection.js';
