import type { Locale } from '../locale.ts'
import type { ValidatorDefinition } from '../validator.ts'

/** What a preset says beside its checks and its policy: data that a host, such as the gateway, applies without knowing which preset it is from. */
export interface PresetDeclarations {
  /** Most messages of a request, and most characters of each. */
  readonly messages?: { readonly count: number; readonly characters: number }
  /** The lines before and after the issues when an error is sent as text. */
  readonly errorText?: Readonly<Record<Locale, ErrorText>>
  /** Tasks of a chat client, such as titles, whose answers need none of these checks. */
  readonly exempt?: { readonly tasks: readonly string[]; readonly checks: readonly string[] }
  /** Members beside `error` in the body of a refused answer, by their names; `findings` is `{ok, warnings, errors}` with spans in bytes. */
  readonly annotations?: { readonly error?: Readonly<Record<string, 'findings'>> }
  /** The words in which outcomes and replies report the verdict on an answer, in contracts that have the validator it is about. */
  readonly validationStatus?: ValidationWords
}

/** Declares the returned answer, by its verdict. */
export interface ValidationWords {
  /** Whose verdict counts; absent: that of all validators of the contract. */
  readonly validator?: string
  /** Valid, repaired, or nothing to validate. */
  readonly valid: string
  readonly invalid: string
  /** Without a verdict. */
  readonly unchecked: string
}

/** What holds for a contract: what its preset declares, and what hosts do with the facts of its validators. */
export interface Declarations extends PresetDeclarations {
  /** Facts that are kept with a run, by the name under which they are kept. */
  readonly facts: Readonly<Record<string, FactSource>>
  /** The fact whose changes are the history of a session. */
  readonly step?: StepSource
  /** The fact that lists the citations of an answer, which replies carry as annotations of their text. */
  readonly citations?: FactSource
}

/** Where a fact comes from. */
export interface FactSource {
  readonly validator: string
  readonly fact: string
}

/** Where the step of a session comes from. */
interface StepSource extends FactSource {
  /** The values after which a session is over. */
  readonly last: readonly string[]
  /** The rules of repairs by which the step is inferred, and not what the model said. */
  readonly inferredBy?: readonly string[]
}

/** The lines before and after the issues of an error. */
export interface ErrorText {
  readonly opening: readonly string[]
  readonly closing: readonly string[]
}

/** Merges what a preset declares with the facts of validators; where two validators declare the same, the first in the contract counts. */
export function declaredFor(
  preset: PresetDeclarations | undefined,
  validators: readonly { readonly definition: ValidatorDefinition }[],
): Declarations {
  const all = validators.flatMap(({ definition: { name, facts = {} } }) =>
    Object.entries(facts).map(([fact, { use, last = [], inferredBy }]) => ({ use, last, inferredBy, source: { validator: name, fact } })),
  )
  const step = all.find(({ use }) => use === 'step')
  const citations = all.find(({ use }) => use === 'citations')
  const kept = all.filter(({ use }) => use === 'kept').map(({ source }) => [source.fact, source] as const)
  const { validationStatus: words, ...declared } = preset ?? {}
  // A validator that did not run has no verdict.
  const isAsked = words?.validator === undefined || validators.some(({ definition: { name } }) => name === words.validator)
  return {
    ...declared,
    ...(words !== undefined && isAsked ? { validationStatus: words } : {}),
    facts: Object.fromEntries(kept.reverse()),
    ...(step ? { step: { ...step.source, last: step.last, ...(step.inferredBy && { inferredBy: step.inferredBy }) } } : {}),
    ...(citations ? { citations: citations.source } : {}),
  }
}
