import type { ProtocolLimits } from '../shared/limits.ts'

/** How requests of the Messages API are read. */
export interface MessagesOptions extends ProtocolLimits {
  /**
   * Keeps what only upstreams of this API understand: `thinking`, `cache_control`, and thinking blocks as `thinking_blocks` of a message.
   * Without it thinking becomes `reasoning_effort`, and the rest is left out, since other providers refuse it.
   */
  readonly native: boolean
}
