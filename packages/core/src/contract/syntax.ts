import { type CircuitState, type FaultKind, type NoVerdict, ValidatorUnavailable } from './validator-unavailable.ts'

/** One fault in source code; lines and columns count from 1, columns in UTF-16 units, and the end is the first place after the fault. */
export interface SyntaxFault {
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  /** What is wrong, so that a model can act on it; without the line. */
  readonly message: string
  /** What to write instead, where that is known. */
  readonly suggestion?: string
}

/** One line of a trace: the fault with its line, such as `Line 3: unknown command 'getSHA256' — expected known identifier`. */
export function traceLine({ line, message }: Pick<SyntaxFault, 'line' | 'message'>): string {
  return `Line ${line}: ${message}`
}

/** What a parser says of source code; `unsupported` when it does not know the language. */
export type SyntaxVerdict =
  | { readonly verdict: 'valid' }
  | { readonly verdict: 'invalid'; readonly trace: readonly [SyntaxFault, ...SyntaxFault[]] }
  | { readonly verdict: 'unsupported' }

/** Returns whether source code parses; throws `ParserUnavailable` when that is unknown. */
export interface SyntaxParser {
  /** Parses source code in a language, by its name or by the tag of a fence; a parser with more to do than it can serves callers in turn. */
  parse(language: string, source: string, signal?: AbortSignal, caller?: string): Promise<SyntaxVerdict>
  /** Loads what a language needs, where that is to be done first; the time of a check does not include it. */
  load?(language: string, signal?: AbortSignal, caller?: string): Promise<void> | undefined
}

/** Thrown by a parser that has no verdict. */
export class ParserUnavailable extends ValidatorUnavailable {
  declare readonly reason: NoVerdict

  // Narrower than that of its base: a parser always says why.
  constructor(message: string, reason: NoVerdict, circuit?: CircuitState, fault?: FaultKind) {
    super(message, reason, { circuit, fault })
  }
}

/** Finds the faults of source code, in their order; none when it parses. */
export type SourceParser = (source: string) => readonly SyntaxFault[]

/** A language that can be parsed; its grammar is loaded when it is first needed. */
export interface Language {
  /** As `languageOf` writes it. */
  readonly name: string
  /** What the guide says of its parser. */
  readonly parsedBy?: string
  /** Whether a source without anything in it is wrong too. */
  readonly needsText?: true
  load(): Promise<SourceParser>
  /** The language with another catalogue of names, as it is written in JSON; throws ConfigurationError when it is not right. */
  with?(catalogue: unknown): Language
}
