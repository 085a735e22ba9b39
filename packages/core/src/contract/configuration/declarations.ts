import type { Locale } from '../locale.ts'

/** What a preset says beside its checks and its policy: data that a host, such as the gateway, applies without knowing which preset it is from. */
export interface Declarations {
  /** Most messages of a request, and most characters of each. */
  readonly messages?: { readonly count: number; readonly characters: number }
  /** Facts that are kept with a run, by the name under which they are kept; the changes of `step` are the history of a session. */
  readonly facts?: Readonly<Record<string, KeptFact>>
  /** The lines around the issues where an error is told as text. */
  readonly errorText?: Readonly<Record<Locale, ErrorText>>
  readonly annotations?: {
    /** Members beside `error` in the body of a refused answer, by their names; `findings` is `{ok, warnings, errors}` with spans in bytes. */
    readonly error?: Readonly<Record<string, 'findings'>>
    /** The fact that lists the citations of an answer, which replies carry as annotations of their text. */
    readonly citations?: FactSource
  }
}

/** A fact that a validator tells of an answer. */
export interface FactSource {
  readonly validator: string
  readonly fact: string
}

/** A fact that is kept; its values are words from a closed list, because they are kept where texts are not. */
export interface KeptFact extends FactSource {
  /** The values after which a session has come to its end. */
  readonly last?: readonly string[]
}

/** The lines before and after the issues of an error. */
export interface ErrorText {
  readonly opening: readonly string[]
  readonly closing: readonly string[]
}

/** What holds for a contract: all that its own preset declares, and of the others what they say about facts of its validators. */
export function declaredFor(
  own: Declarations | undefined,
  presets: readonly { readonly declares?: Declarations }[],
  validators: readonly { readonly name: string }[],
): Declarations {
  const isChecked = ({ validator }: FactSource): boolean => validators.some(({ name }) => name === validator)
  const all = [...presets.map(({ declares }) => declares), own].filter((one) => one !== undefined)
  const facts = Object.entries(Object.assign({}, ...all.map((one) => one.facts)) as NonNullable<Declarations['facts']>)
  const citations = all.map(({ annotations }) => annotations?.citations).find((source) => source !== undefined && isChecked(source))
  return {
    ...own,
    facts: Object.fromEntries(facts.filter(([, source]) => isChecked(source))),
    annotations: { ...own?.annotations, ...(citations === undefined ? {} : { citations }) },
  }
}
