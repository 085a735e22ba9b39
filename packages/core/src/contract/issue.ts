import type { TextSpan } from '../answer/span.ts'

/** How bad an issue is: only errors make an answer invalid, warnings do not. */
export type Severity = 'error' | 'warning'

/** One thing that is wrong with an answer. */
export interface Issue {
  readonly code: string
  readonly severity: Severity
  readonly validator: string
  /** One imperative sentence to the model, with the limit and the observed value. */
  readonly message: string
  /** How to fix it. */
  readonly hint?: string
  readonly span?: TextSpan
  /** Where in a structured value, as path segments. */
  readonly path?: readonly (string | number)[]
  /** The value that was probably meant. */
  readonly suggestion?: string
}

/** What a validator yields for an issue; the engine adds the validator's name and the code's severity. */
export interface IssueDraft<Code extends string = string> {
  readonly kind: 'issue'
  readonly code: Code
  readonly message: string
  readonly severity?: Severity
  readonly hint?: string
  readonly span?: TextSpan
  readonly path?: readonly (string | number)[]
  readonly suggestion?: string
}

/** Something a validator learnt about an answer that is not a problem, such as a count. */
export interface Fact {
  readonly kind: 'fact'
  readonly name: string
  readonly value: unknown
}

/** What a check may yield. */
export type Finding<Code extends string = string> = IssueDraft<Code> | Fact

type IssueDetails = Omit<IssueDraft, 'kind' | 'code' | 'message'>

/** Drafts an issue. */
export function issue<const Code extends string>(code: Code, message: string, details: IssueDetails = {}): IssueDraft<Code> {
  return { kind: 'issue', code, message, ...details }
}

/** Records a fact about the answer. */
export function fact(name: string, value: unknown): Fact {
  return { kind: 'fact', name, value }
}

/** Whether a text has the form of a code, such as `MAX_WORDS`. */
export function isCode(text: string): boolean {
  return /^[A-Z][A-Z0-9_]{0,63}$/.test(text)
}
