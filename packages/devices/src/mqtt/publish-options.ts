export interface PublishOptions {
  /**
   * 1 (default): publishing resolves when the broker has acknowledged the message. 0: it resolves when the message is
   * sent.
   */
  readonly qos?: 0 | 1;
  /** Whether the broker retains it for later subscribers. Default: no. */
  readonly retain?: boolean;
}
