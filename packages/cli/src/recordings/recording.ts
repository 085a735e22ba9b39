/** Tokens that a recorded call used, and its price in dollars where the record has one. */
export interface RecordedUsage {
  readonly promptTokens: number
  readonly completionTokens: number
  readonly cost?: number
}

/** A verdict that somebody else gave: a person, or another tool. */
export type Label = 'good' | 'bad'

/** One recorded answer. */
export interface Recording {
  /** The record's own id, otherwise `<file>:<line>`. */
  readonly id: string
  readonly file: string
  /** Its line, counted from 1; in a file that is one JSON document, the number of its record. */
  readonly line: number
  /** The fields of a line of `check --jsonl`: the answer as `text`, `message` or `response`, and what it was an answer to. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly model?: string
  readonly usage?: RecordedUsage
  readonly label?: Label
  readonly contract?: string
  /** What the checks of a gateway knew of the request; absent for answers that no gateway recorded. */
  readonly live?: {
    readonly context: Readonly<Record<string, unknown>>
    readonly request: { readonly api: string; readonly model: string }
  }
}

/** Why a record has no answer. */
export type Reason =
  | 'error'
  | 'expired'
  | 'canceled'
  | 'without text'
  | 'text not kept'
  | 'tool calls not kept'
  | 'request not kept'
  | 'secrets hidden'
  | 'stopped early'
  | 'contract unknown'
  | 'body not exported'
  | 'not a generation'
  | 'unreadable'
  | 'of another format'
  | 'duplicate'
  | 'not JSON'
  | 'too long'

/** A record without an answer. */
export interface Unusable {
  readonly file: string
  readonly line: number
  readonly reason: Reason
  /** What is wrong with this one, where the reason does not say it. */
  readonly detail?: string
  readonly id?: string
}

/** Recorded answers of one format, from one or more inputs. */
export interface RecordingSource {
  /** The name of the format. */
  readonly format: string
  /** Streams them, once: memory does not grow with their number. */
  read(): AsyncIterable<Recording | Unusable>
}

/** Whether a record has an answer. */
export function isRecording(record: Recording | Unusable): record is Recording {
  return 'fields' in record
}
