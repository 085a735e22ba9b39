import type { FailureKind, ToolCall, Usage } from '@stickler/core'
import type { UpstreamConfig } from '../kinds/upstream-kind.ts'

/** A provider with an address. */
export interface HttpUpstreamConfig extends UpstreamConfig {
  /** The address without its query, for display. */
  readonly shown: string
  /** Secret if it has a query. */
  readonly baseUrl: string
  /** Secret. */
  readonly apiKey?: string
  /** All secret: those of `headers` and of `headersEnv`. */
  readonly headers: Readonly<Record<string, string>>
  readonly timeouts: { readonly firstByteMs?: number; readonly idleMs?: number; readonly totalMs?: number }
  readonly retries: number
  /** Maximum bytes of an answer. */
  readonly answerLimit: number
  /** The header with the plain key; `authorization: Bearer` when absent. */
  readonly apiKeyHeader?: string
  readonly pathStyle?: 'openai' | 'azure'
  /** Whether `stream_options.include_usage` is supported; yes when absent. */
  readonly streamUsage?: boolean
}

/** The Claude command line. */
export interface ClaudeCliUpstreamConfig extends UpstreamConfig {
  readonly command: string
  readonly args: readonly string[]
  /** Absolute path of its working folder; the root of the route when absent. */
  readonly cwd?: string
  /** Maximum number of processes. */
  readonly processes: number
  /** Maximum number of calls that wait for a process. */
  readonly queue: number
  /** Maximum bytes of an answer. */
  readonly answerLimit: number
  /** Secret: the whole environment of the command. */
  readonly environment: Readonly<Record<string, string>>
  readonly timeouts: { readonly totalMs?: number }
}

/** One answer of a script. */
export interface ScriptedAnswerConfig {
  readonly text?: string
  readonly chunkSize?: number
  readonly delayMs?: number
  readonly finishReason?: string
  readonly toolCalls?: readonly ToolCall[]
  readonly usage?: Usage
  /** The text that a message of the request must have. */
  readonly asked?: string
  /** A failure instead of an answer. */
  readonly failure?: { readonly kind: FailureKind; readonly message?: string; readonly status?: number }
  /** The HTTP status of a failure. */
  readonly status?: number
}

/** A script instead of a model. */
export interface ScriptedUpstreamConfig extends UpstreamConfig {
  readonly answers: readonly ScriptedAnswerConfig[]
}
