/** What an editor says of a place: what it shows, and its documentation. */
export interface Hover {
  readonly shown: string
  readonly documentation: string
}

/** What an editor says of each place of a program that a comment marks. */
export function hoversOf(source: string): Hover[]
