/** Counts units of a text, such as words, however the text is chunked. */
export interface UnitCounter {
  /** How many units have begun. */
  readonly count: number
  /** How many characters at the end are undecided: they may not belong to any unit. */
  readonly pending?: number
  /** Takes the next piece of text; returns the index at which unit number `stop` begins, negative when that is before this piece. */
  push(text: string, stop?: number): number | undefined
  /** Ends the text: what was undecided is text. */
  end?(): void
}
