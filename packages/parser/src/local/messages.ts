import type { SyntaxFault } from '@stickler/core/validators'
import type { Catalogues } from '../languages/with-catalogues.ts'

/** What a thread is started with. */
export interface ThreadData {
  /** Addresses of modules that export `language`, by the language's name. */
  readonly modules: Readonly<Record<string, string>>
  /** Catalogues that take the place of a language's own. */
  readonly catalogues: Catalogues
}

/** The first message to a process. */
export interface Start {
  readonly start: ThreadData & {
    /** Megabytes of memory for the thread. */
    readonly memoryMb: number
  }
}

/** Asks for a grammar, so that what happens then is not taken for the fault of a snippet. */
export interface Load {
  readonly load: string
}

/** Source code to parse in a language that is loaded. */
export interface Snippet {
  readonly language: string
  readonly source: string
}

/** What a thread reports: that a grammar is loaded, what it found, or why it has no result. */
export type FromThread =
  | { readonly loaded: string }
  | { readonly faults: readonly SyntaxFault[] }
  | { readonly problem: string; readonly cause: 'load' | 'crash' | 'stack' | 'memory' }
