/** How many arguments a command takes: exactly, or from and to. */
export type Arity = number | readonly [least: number, most: number]

/** A command of the language. */
export interface AvapCommand {
  readonly arguments: Arity
  /** How many when its result is assigned, where that differs. */
  readonly assigned?: Arity | undefined
  /** Whether it opens a block that `end()` closes. */
  readonly block?: boolean | undefined
}

/** A name that models make up for a command. */
export interface AvapAlias {
  readonly command: string
  /** How a trace words it: `unknown command …`, or `… not defined — did you mean …?`. */
  readonly wording: 'unknown' | 'undefined'
}

/** Words of other languages, and what AVAP has instead. */
export interface AvapConstruct {
  readonly words: readonly string[]
  /** What a trace asks for, such as `AVAP loop syntax`. */
  readonly required: string
  readonly suggestion?: string | undefined
  /** Whether it opens a block. */
  readonly opens?: boolean | undefined
}

/** What the parser knows of AVAP beyond its grammar. */
export interface AvapCatalogue {
  readonly commands: Readonly<Record<string, Arity | AvapCommand>>
  /** What may be called in an expression besides commands and the functions of a file. */
  readonly functions: readonly string[]
  readonly aliases: Readonly<Record<string, AvapAlias>>
  readonly constructs: readonly AvapConstruct[]
  /** Objects of other languages, such as `console`. */
  readonly roots: readonly string[]
}
