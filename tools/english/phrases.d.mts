export interface Phrase {
  readonly pattern: RegExp
  /** What to write in its place. */
  readonly instead: string
}

export interface FoundPhrase {
  readonly line: number
  readonly found: string
  readonly instead: string
}

export declare const phrases: readonly Phrase[]
export declare const commentPhrases: readonly Phrase[]
export declare function prose(markdown: string): string
export declare function findPhrases(text: string, list?: readonly Phrase[]): readonly FoundPhrase[]
export declare function findInComments(source: string, file: string): readonly FoundPhrase[]
