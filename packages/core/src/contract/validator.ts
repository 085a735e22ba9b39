import type { RepairClass } from './certificate.ts'
import type { Constant } from './configuration/constant.ts'
import type { Severity } from './issue.ts'
import type { Locale } from './locale.ts'
import type { Machine, Reading } from './machine/machine.ts'
import { prepareMachine } from './machine/machine-run.ts'
import type { PreparedValidator } from './machine/prepared-validator.ts'
import type { Ports } from './ports.ts'
import type { InputOf, OutputOf, StandardSchema } from './standard-schema.ts'

export type {
  AllowedRepairs,
  CheckContext,
  IncrementalCheck,
  PreparedValidator,
  Progress,
  StreamContract,
  StreamFailure,
  ValueReader,
} from './machine/prepared-validator.ts'

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
  /** Set when it may repair what it finds, with some options at least; a machine with `edits` does. For `stickler list` and `stickler explain`. */
  readonly repairs?: boolean
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
>(
  given: Omit<ValidatorDefinition<Schema, Code, Name, Short>, 'prepare'> &
    (
      | Pick<ValidatorDefinition<Schema, Code, Name, Short>, 'prepare'>
      | {
          /** Binds the options; the function that it returns starts a machine for each answer. */
          machine(options: OutputOf<Schema>): (reading: Reading<NoInfer<Code>>) => Machine
          /** The class of the changes that the machine reports. */
          readonly edits?: RepairClass
          /** Set when the machine reads reasoning too, and not only the body. */
          readonly reads?: 'all'
        }
    ),
): Validator<Schema, Code, Name, Short> {
  // The same object, because a spread would make the options.
  const definition = given as ValidatorDefinition<Schema, Code, Name, Short>
  if ('machine' in given) {
    const { machine, edits, reads } = given
    const terms = { reads, ...(edits && { edits }) }
    if (edits) Object.assign(given, { repairs: true })
    Object.assign(given, { prepare: (options: OutputOf<Schema>) => prepareMachine(machine(options), terms) })
  }
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
