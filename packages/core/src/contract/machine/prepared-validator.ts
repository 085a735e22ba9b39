import type { Answer } from '../../answer/answer.ts'
import type { AnswerOutline } from '../../answer/reader.ts'
import type { Certificate, RepairClass } from '../certificate.ts'
import type { Finding, Issue, IssueDraft } from '../issue.ts'
import type { Locale } from '../locale.ts'
import type { Clock, Ports } from '../ports.ts'
import type { OutsideRule } from '../rules/rule-port.ts'

/** What a validator receives besides the answer. */
export interface CheckContext {
  readonly locale: Locale
  /** What the caller passed as `context`; never sent to a model. */
  readonly context: Readonly<Record<string, unknown>>
  readonly ports: Ports
  /** The clock of the run, for limits of the validator's own. */
  readonly clock?: Clock
  readonly signal: AbortSignal
  /** What validators keep while a run lasts, each under a key of its own, such as verdicts that cost a call: the attempts of the run and their checks share it. */
  readonly memory?: Map<unknown, unknown>
  /** The attempt of the run whose answer is checked, from 1. */
  readonly attempt?: number | undefined
  /** Waits for something that does not count against the time limit, such as a grammar that is loaded once; the limit starts again afterwards. Absent in streams. */
  readonly uncounted?: (<Result>(wait: Promise<Result>) => Promise<Result>) | undefined
}

/** How far a stream has been judged. */
export interface Progress<Code extends string = string> {
  /**
   * Everything before this offset is safe, once `edits` are made: no continuation can make it wrong, and no other repair will touch it.
   * Infinity when that will be so for all that follows; the machine is not fed any more then.
   */
  readonly safe: number
  /**
   * Changes to text that has just become safe, each reported once, in text order and without overlaps: the same
   * changes that `repair` makes to the whole answer.
   * Only when the check was started with `edits`.
   */
  readonly edits?: readonly Certificate[]
  /** Set when no continuation can correct the answer. */
  readonly failure?: StreamFailure<Code>
  /**
   * Set when the check waits for a verdict from elsewhere: the progress once it is there. Text that is safe is released at once, and nothing more is read
   * before the verdict. When the promise is rejected or takes longer than the validator's time limit, the text is held to its end, as after a crash.
   */
  readonly pending?: Promise<Progress<Code>>
}

/** Why a stream is doomed. */
export interface StreamFailure<Code extends string = string> {
  /** The text before this offset is wrong already; the same for every chunking. */
  readonly at: number
  /** What is wrong for certain, whatever follows. */
  readonly issues: readonly IssueDraft<Code>[]
  /** Other certain errors in the text read so far; sent to the model, but not part of the verdict, since they depend on the chunks. */
  readonly further?: readonly IssueDraft<Code>[]
  /** Set when an allowed repair corrects `issues`, and only `further` needs the model. */
  readonly repairable?: true
  /** Set when no repair of the validator can make it good, so that the stream may end here although the validator has repairs. */
  readonly final?: true
}

/** A validator's incremental form: fed with every chunk, after the shared reader has seen it. */
export interface IncrementalCheck<Code extends string = string> {
  push(chunk: string, reader: AnswerOutline): Progress<Code>
  /** Ends the text, of which all was pushed and nothing failed: what `check` yields for the whole answer. */
  end?(answer: Answer): readonly Finding<Code>[]
}

/** Reads the value of an answer while the answer grows. */
export interface ValueReader {
  /** Takes the next piece of text, which the reader has seen. */
  push(chunk: string, reader: AnswerOutline): void
  /** Grows with every change of the value. */
  readonly version: number
  /** A copy of the value so far, as it will be at the end but for what is still missing; undefined when there is none to show. */
  copy(): unknown
}

/** What the incremental form of a validator knows about its contract. */
export interface StreamContract {
  /** Whether answers are repaired: if not, no failure has to be looked at for a repair. */
  readonly repairs: boolean
  /** The classes of repair that may be applied to what this validator finds; none when answers are not repaired. */
  readonly allow: readonly RepairClass[]
  /** Whether the check hands over its repairs as `edits`; a violation is a failure otherwise. */
  readonly edits?: boolean
  /** The same where this attempt may be the last one: with those of the last resort. */
  readonly allowNow: readonly RepairClass[]
}

/** A validator with its options bound. */
export interface PreparedValidator<Code extends string = string> {
  /** What the contract calls it, where the options say so; a contract may then have the validator more than once. */
  readonly name?: string
  /** The rule that it asks, for hosts that look whether it is there. */
  readonly asks?: OutsideRule
  /** Codes that the options give, beside those of its definition. */
  readonly codes?: readonly string[]
  /** The ports without which it cannot check with these options, beside those of its definition. */
  readonly ports?: readonly (keyof Ports)[]
  /** Yields what is wrong with a whole answer. */
  check(answer: Answer, context: CheckContext): Iterable<Finding<Code>> | AsyncIterable<Finding<Code>>
  /** Starts the incremental form; a validator without it holds a stream to its end. */
  incremental?(context: CheckContext, contract?: StreamContract): IncrementalCheck<Code>
  /** Starts reading the value of an answer for partial results; `allow` are the classes of repair that are always applied. */
  value?(allow: readonly RepairClass[]): ValueReader
  /** The JSON Schema of the value that it requires; with `instruct`, the model is given it. */
  readonly schema?: unknown
  /** Set when each line of the answer is a value: the schema is that of one, which no provider can guarantee, and a stream is continued line by line. */
  readonly lines?: true
  /** The classes of the changes that its incremental form can hand over, so that a stream goes on with the repaired text; absent when it hands over none. */
  readonly edits?: RepairClass | readonly RepairClass[]
  /** Set when what it finds must not be kept: traces and records have the text without what its repair takes out, even where that may not be delivered. */
  readonly secret?: true
  /** Set when it reads what the model is asked: `context.prompt` has it then, unless the caller gave another; validators without it are given neither. */
  readonly readsPrompt?: true
  /** Set when it asks for a call: no text that another check refuses is turned into one. */
  readonly asksForCall?: true
  /** Classes of repair that may be applied to what this validator finds; those that the contract allows are the ceiling. */
  readonly allow?: readonly RepairClass[]
  /** Set when an option asks for its repairs by name, such as `redact`: a contract without `allow` then permits them. */
  readonly optedIn?: true
  /** Further classes for an answer that would be given up otherwise, because no model can be asked again; those that the contract has in `allow` or `lastResort` are the ceiling. */
  readonly lastResort?: readonly RepairClass[]
  /** Asks again about its issues in its own words, in place of the engine's. */
  feedback?(issues: readonly Issue[]): string
  /** Yields the changes that would fix the issues; they must not overlap, and must not touch what is right. Classes that are not allowed are dropped. */
  repair?(
    answer: Answer,
    issues: readonly Issue[],
    context: CheckContext,
    allowed: AllowedRepairs,
  ): Iterable<Certificate> | AsyncIterable<Certificate>
}

/** The classes of repair that may be applied. */
export interface AllowedRepairs {
  /** Those that may always be. */
  readonly usual: readonly RepairClass[]
  /** Those that may be now: the same, or with the last resort. */
  readonly now: readonly RepairClass[]
}
