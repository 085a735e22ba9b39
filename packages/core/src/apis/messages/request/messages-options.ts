import type { RequestLimits } from '../../request/limits.ts'
import type { Translation } from '../../request/translation.ts'

/** How requests of the Messages API are read. */
export interface MessagesOptions extends RequestLimits {
  /**
   * Keeps what only upstreams of this API support: `thinking`, `cache_control`, `is_error`, and
   * thinking blocks as `thinking_blocks` of a message. Without it thinking becomes
   * `reasoning_effort`, and the rest is dropped, since other providers reject it.
   */
  readonly native: boolean
}

/** One request being read, and its untranslatable fields. */
export interface MessagesReading extends MessagesOptions {
  readonly translation: Translation
}
