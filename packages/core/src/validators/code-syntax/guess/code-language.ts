/** A language that texts without fences are recognised to be in, by the name of their file or by their lines. */
export interface CodeLanguage {
  /** As the tag of a fence has it. */
  readonly name: string
  /** The ending of its files, without the dot. */
  readonly ending: string
  /** Whether a line could be a statement of it. */
  isLine(line: string): boolean
  /** Whether lines that could all be its statements have what other languages do not write so. */
  isCertain(lines: readonly string[]): boolean
}
