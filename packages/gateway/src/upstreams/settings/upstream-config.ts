import type { FailureKind, ToolCall } from '@stickler/core'
import type { UpstreamConfig } from '../kinds/upstream-kind.ts'

/** A provider behind an address. */
export interface HttpUpstreamConfig extends UpstreamConfig {
  /** The address without its query, for people. */
  readonly shown: string
  /** Secret when it has a query. */
  readonly baseUrl: string
  /** Secret. */
  readonly apiKey?: string
  /** Secret as a whole: those of `headers` and of `headersEnv`. */
  readonly headers: Readonly<Record<string, string>>
  readonly timeouts: { readonly firstByteMs?: number; readonly idleMs?: number; readonly totalMs?: number }
  readonly retries: number
  /** Most bytes of an answer. */
  readonly answerLimit: number
  /** The header that takes the key as it is; `authorization: Bearer` when absent. */
  readonly apiKeyHeader?: string
  readonly pathStyle?: 'openai' | 'azure'
  /** Whether `stream_options.include_usage` is understood; yes when absent. */
  readonly streamUsage?: boolean
}

/** The Claude command line. */
export interface ClaudeCliUpstreamConfig extends UpstreamConfig {
  readonly command: string
  readonly args: readonly string[]
  /** Full path of the folder that it works in; the root of the route when absent. */
  readonly cwd?: string
  /** Most processes at a time. */
  readonly processes: number
  /** Most calls that wait for a process. */
  readonly queue: number
  /** Most bytes of an answer. */
  readonly answerLimit: number
  /** Secret: everything that the command gets as its environment. */
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
  /** A failure in place of an answer. */
  readonly failure?: { readonly kind: FailureKind; readonly message?: string; readonly status?: number }
  /** The status of a failure as HTTP has it. */
  readonly status?: number
}

/** A script in place of a model. */
export interface ScriptedUpstreamConfig extends UpstreamConfig {
  readonly answers: readonly ScriptedAnswerConfig[]
}
