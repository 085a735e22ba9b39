import type { Answer } from '../../answer/answer.ts'
import type { AnswerOutline } from '../../answer/reader.ts'
import type { TextSpan } from '../../answer/span.ts'
import type { Certificate, RepairClass } from '../certificate.ts'
import type { IssueDraft } from '../issue.ts'
import type { Locale } from '../locale.ts'

/** Reads an answer once, whole or piece by piece, and reports what it finds: one form for checks, streams and repairs. */
export interface Machine {
  /** No text before this offset can still turn out to be wrong, or be changed; Infinity for all that has been read. */
  safe: number
  /** How far before `safe` it asks for text; set by machines that ask often, so that long texts do not cost more. */
  readonly reach?: number | undefined
  /** Set when only the whole answer counts: a stream is not read, and not held back. */
  readonly readsWhole?: true
  /** Takes the next piece of what it reads, usually the body, which starts at this offset. A whole answer is one piece; a stream ends with an empty one. */
  read(piece: string, at: number, isEnd: boolean): void
}

/** Starts a machine for one answer. */
export type StartMachine<Code extends string = string> = (reading: Reading<Code>) => Machine

/** What a machine may ask of the answer that it reads, and where it reports what it finds. */
export interface Reading<Code extends string = string> {
  readonly locale: Locale
  /** What the caller passed as `context`. */
  readonly context: Readonly<Record<string, unknown>>
  /** The classes of repair that may be applied to what it finds in a stream; none in a whole answer. */
  readonly allow: readonly RepairClass[]
  /** Whether changes are made, so that errors are not reported. */
  readonly isEditing: boolean
  /** The structure of the text, as far as it is known. */
  readonly outline: AnswerOutline
  /** At the end: the whole answer, also with the tools that are called. */
  readonly answer: Answer | undefined
  /** Up to here it is known what is code; Infinity at the end. */
  readonly closed: number
  /** Whether code holds an offset before `closed`; asked in text order. */
  inCode(offset: number): boolean
  /** The text at a span: in a stream not further before `safe` than `reach`, where that is set. */
  slice(span: TextSpan): string
  /** Reports an error once no continuation can correct it. */
  wrong(found: Wrong<Code>): void
  /** Reports a change that a repair makes; of overlapping ones the first is made, then the longer. */
  fix(change: Omit<Certificate, 'before'>): void
  /** Reports something that is not a problem. */
  fact(name: string, value: unknown): void
}

/** An error that a machine has found. */
export interface Wrong<Code extends string = string> {
  /** Text before this offset may be shown. */
  readonly start: number
  /** The text before this offset is wrong; Infinity for what only the end shows. */
  readonly at: number
  /** The issues; in a stream by the text that had come by then, for a whole answer by all of it. */
  issue(text: string, isWhole: boolean): IssueDraft<Code> | readonly IssueDraft<Code>[]
  /** The class of the repair that corrects it, when there is one. */
  readonly repair?: RepairClass
  /** The place of its rule in a whole report; those of one rule are reported as they were found. */
  readonly rank?: number
  /** Set when it never makes an answer invalid, and so never ends a stream. */
  readonly isWarning?: boolean
}
