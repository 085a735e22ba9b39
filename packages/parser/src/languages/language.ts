import type { SyntaxFault } from '@stickler/core/validators'

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
