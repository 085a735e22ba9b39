export interface FoundRegex {
  readonly source: string | undefined
  readonly flags: string
  readonly file: string
  readonly line: number
  readonly excused: boolean
}
export function findRegexes(text: string, file: string): FoundRegex[]
