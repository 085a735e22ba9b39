import type { Fields } from '@stickler/core/internal'
import type { Label, Reason, RecordedUsage } from '../recording.ts'

/** An answer found in a record. */
export interface Found {
  readonly id?: string | undefined
  /** As in a line of `check --jsonl`. */
  readonly fields: Fields
  readonly model?: string | undefined
  readonly usage?: RecordedUsage | undefined
  readonly label?: Label | undefined
  readonly contract?: string | undefined
}

/** A record without an answer. */
export interface Missing {
  readonly id?: string | undefined
  readonly reason: Reason
  readonly detail?: string
}

/** The requests of a batch, by the ids that its answers have. */
export interface Requests {
  find(id: string): Fields | undefined
}

/** A format of recorded answers. */
export interface RecordFormat {
  /** As `--format` names it. */
  readonly name: string
  /** Whose it is, for people. */
  readonly title: string
  /** The keys that tell it from every other format, for messages and docs. */
  readonly keys: string
  /** Whether a record has these keys, and values that only this format has. */
  matches(record: Fields): boolean
  /** Whether a record can be read when the user names the format; `matches` when absent. */
  accepts?(record: Fields): boolean
  /** Why its records can never be used. */
  readonly refusal?: string
  /** The answers of a record. */
  read(record: Fields, requests: Requests | undefined): Iterable<Found | Missing>
}
