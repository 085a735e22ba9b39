import type { BashCursor } from './cursor.ts'
import type { BashToken } from './lexer.ts'
import type { Substitution } from './pairs.ts'

/** What the parts of the grammar need from each other. */
export interface BashGrammar {
  readonly cursor: BashCursor
  /** Finds the end of the commands in a parenthesis. */
  readonly substitution: Substitution
  /** Ends of the parentheses that were matched as arithmetic, by their starts. */
  readonly pairs: Map<number, number>
  /** Reads commands up to a token that cannot start one, at least one. */
  commands(): void
  /** Reads the compound command that starts with a token; false when none does. */
  compound(token: BashToken): boolean
  /** Reads a simple command, whose first word may be taken already. */
  simple(name?: BashToken): void
  /** Reads one redirection. */
  redirection(): void
  /** Reads the redirections that may follow a compound command. */
  redirections(): void
  /** Reads the body of a function. */
  functionBody(): void
}
