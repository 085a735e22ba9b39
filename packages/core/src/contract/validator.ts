import type { Answer } from '../answer/answer.ts'
import type { AnswerReader } from '../answer/reader.ts'
import type { Certificate, RepairClass } from './certificate.ts'
import type { Constant } from './configuration/constant.ts'
import type { Finding, Issue, IssueDraft, Severity } from './issue.ts'
import type { Locale } from './locale.ts'
import type { Clock, Ports } from './ports.ts'
import type { OutsideRule } from './rules/rule-port.ts'
import type { InputOf, OutputOf, StandardSchema } from './standard-schema.ts'

/** What an issue code means, for `stickler explain` and the docs. */
export interface CodeEntry {
  readonly severity: Severity
  /** When it is reported, in one sentence. */
  readonly when: string
  /** What to do about it, in one sentence. */
  readonly fix: string
  /** Set when no repair of the validator fixes it. */
  readonly repaired?: false
}

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
  push(chunk: string, reader: AnswerReader): Progress<Code>
}

/** Reads the value of an answer while the answer grows. */
export interface ValueReader {
  /** Takes the next piece of text, which the reader has seen. */
  push(chunk: string, reader: AnswerReader): void
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

/** What a host, such as the gateway, does with a fact. */
export interface FactUse {
  /**
   * `kept`: stored with the run. `step`: stored too, and its changes are the history of a session. `citations`: a list of citations, which replies
   * carry as annotations. What is stored must be a word from a closed list, because it is stored where texts are not.
   */
  readonly use: 'kept' | 'step' | 'citations'
  /** Of a step: the values after which a session is over. */
  readonly last?: readonly string[]
  /** The rules of its repair that infer the value of a `step`. */
  readonly inferredBy?: readonly string[]
}

/** The one object that a validator is. */
export interface ValidatorDefinition<
  Schema extends StandardSchema = StandardSchema,
  Code extends string = string,
  Name extends string = string,
  Short extends string = string,
> {
  /** Name in configuration files, in snake case. */
  readonly name: Name
  /** The option that is meant where its value is written in place of a mapping of options. */
  readonly short?: Short
  /** What it checks, in one sentence. */
  readonly summary: string
  /** Address of the module that exports the validator, such as `import.meta.url`; a gateway then runs it in a thread that it can end. */
  readonly module?: string
  readonly options: Schema
  readonly codes: Readonly<Record<Code, CodeEntry>>
  /** The validator whose place it takes: with a preset that has this one, a call of the other means this one. */
  readonly replaces?: ValidatorDefinition
  /** Set when it passes on the codes of others, such as those of a service, beside its own. */
  readonly openCodes?: true
  /**
   * Set when it does not judge texts of every kind. `context`: only what was given with an answer, so that there need not be an answer. `calls`: the calls
   * of tools. `prose`: how sentences are written, so that names of fields are not judged.
   */
  readonly judges?: 'context' | 'calls' | 'prose'
  /** The ports without which it cannot check. */
  readonly ports?: readonly (keyof Ports)[]
  /** How hosts use its facts, by name; facts that are not listed appear only in the outcome. */
  readonly facts?: Readonly<Record<string, FactUse>>
  /** The sentence that tells the model the rule up front. */
  instruct(options: OutputOf<Schema>, locale: Locale): string
  prepare(options: OutputOf<Schema>): PreparedValidator<NoInfer<Code>>
}

/** A validator chosen for a contract, with the options as they were written. */
export interface Check<Value = unknown> {
  /** What issues and records call it, so that a contract may have its validator more than once. */
  readonly name?: string | undefined
  /** Set when nothing that it finds makes an answer invalid. */
  readonly severity?: 'warning' | undefined
  /** The requests for which it applies, by all that is given; `*` in a model stands for any characters. */
  readonly when?:
    | {
        readonly api?: 'chat' | 'responses' | 'messages' | 'check' | readonly ('chat' | 'responses' | 'messages' | 'check')[] | undefined
        readonly model?: string | readonly string[] | undefined
        readonly tag?: string | readonly string[] | undefined
      }
    | undefined
  readonly definition: ValidatorDefinition
  readonly options: unknown
  /** Only for the compiler: the type of the value that it reads from a valid answer; `never` when it reads none. */
  readonly '~value'?: Value
}

/** The type of a contract's value, of what its checks read: anything when none of them reads a value. */
export type ValueOf<Read> = [Read] extends [never] ? unknown : Read

/** The value of the option that is meant where no mapping of options is written; `never` when none is. */
export type ShortForm<Options, Short> = Short extends keyof Options ? Value<Constant<Exclude<Options[Short], undefined>>, Short> : never

/** Editors would take an option for the method of a list with its name. */
type Value<Written, Name> = Written extends readonly unknown[] ? (Name extends keyof Written ? Omit<Written, Name> : Written) : Written

/** What a validator is called with; options may be left out where none is required. */
type Given<Options, Short, Written = Constant<Options> | ShortForm<Options, Short>> =
  Record<never, never> extends Options ? [options?: Written, terms?: GivenTerms] : [options: Written, terms?: GivenTerms]

type GivenTerms = Pick<Check, 'name' | 'severity' | 'when'>

/** A validator: call it with options to put it into a contract. */
export interface Validator<
  Schema extends StandardSchema = StandardSchema,
  Code extends string = string,
  Name extends string = string,
  Short extends string = never,
> {
  (...given: Given<InputOf<Schema>, Short>): Check<never>
  readonly definition: ValidatorDefinition<Schema, Code, Name, Short>
}

/** Defines a validator. */
export function defineValidator<
  Schema extends StandardSchema,
  const Code extends string,
  const Name extends string,
  const Short extends keyof InputOf<Schema> & string = never,
>(definition: ValidatorDefinition<Schema, Code, Name, Short>): Validator<Schema, Code, Name, Short> {
  // A getter makes the schema when a contract needs it, once: all of ours together would take a third of the time to load the package.
  const make = Object.getOwnPropertyDescriptor(definition, 'options')?.get
  if (make) Reflect.defineProperty(definition, 'options', { get: once(make.bind(definition) as () => Schema) })
  const bind = (options?: unknown, terms?: GivenTerms): Check<never> => ({ definition, options, ...terms })
  return Object.assign(bind, { definition })
}

/** Calls a function on first use, and keeps what it returned. */
export function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}
