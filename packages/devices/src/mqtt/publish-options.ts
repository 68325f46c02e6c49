export interface PublishOptions {
  /** 1 (default): resolves when the broker has it. 0: resolves when it is sent. */
  readonly qos?: 0 | 1;
  /** Whether the broker retains it for later subscribers. Default: no. */
  readonly retain?: boolean;
}
