import * as z from 'zod'
import { isSpace } from '../../answer/words.ts'
import { foldCase } from '../shared/fold-case.ts'

const visible = () => z.string().max(10_000).regex(/\S/, 'it needs a visible character')

/** The options of `affixes`. */
export const affixesOptions = () =>
  z
    .strictObject({
      starts: visible().optional().describe('Text that the answer starts with.'),
      ends: visible().optional().describe('Text that the answer ends with; closing double quotes may follow it.'),
      wrappedIn: z
        .union([visible(), z.tuple([visible(), visible()])])
        .optional()
        .describe('Text around the whole answer, such as a double quote; a list of two when the end differs from the start.'),
      caseSensitive: z.boolean().default(false).describe('Whether upper and lower case differ.'),
    })
    .refine(
      ({ starts, ends, wrappedIn }) => starts !== undefined || ends !== undefined || wrappedIn !== undefined,
      'give starts, ends or wrappedIn',
    )

/** The affixes that an answer must have, without white space around them. */
export interface AffixRules {
  readonly open: string | undefined
  readonly close: string | undefined
  readonly starts: string | undefined
  readonly ends: string | undefined
  readonly caseSensitive: boolean
}

/** Reads the options. */
export function affixRulesOf({ starts, ends, wrappedIn, caseSensitive }: z.output<ReturnType<typeof affixesOptions>>): AffixRules {
  const [open, close] = Array.isArray(wrappedIn) ? wrappedIn : [wrappedIn, wrappedIn]
  return { open: open?.trim(), close: close?.trim(), starts: starts?.trim(), ends: ends?.trim(), caseSensitive }
}

/** What must occur at the start, and the code of its absence. */
interface Piece {
  readonly characters: readonly string[]
  readonly code: StartCode
}

/** What is wrong with a start. */
export type StartCode = 'NOT_WRAPPED' | 'WRONG_START'

/** Follows the start of an answer character by character, white space before each piece aside. */
export class StartMatcher {
  readonly #pieces: readonly Piece[]
  readonly #fold: (character: string) => string
  #piece = 0
  #matched = 0
  /** Why the start is wrong for certain. */
  failed: StartCode | undefined

  constructor({ open, starts }: AffixRules, fold: boolean) {
    this.#fold = fold ? foldCase : (character) => character
    const piece = (text: string, code: StartCode): Piece => ({ characters: Array.from(text, this.#fold), code })
    this.#pieces = [
      ...(open === undefined ? [] : [piece(open, 'NOT_WRAPPED')]),
      ...(starts === undefined ? [] : [piece(starts, 'WRONG_START')]),
    ]
  }

  /** Whether the whole start has been read and is right. */
  get done(): boolean {
    return this.#piece === this.#pieces.length
  }

  /** Why the start is not right as far as it has been read. */
  get missing(): StartCode | undefined {
    return this.failed ?? this.#pieces[this.#piece]?.code
  }

  /** Takes text until the start is decided; returns the offset in it after the character that decided. */
  push(text: string): number {
    let at = 0
    for (const character of text) {
      if (this.done || this.failed !== undefined) break
      at += character.length
      this.#take(character)
    }
    return at
  }

  #take(character: string): void {
    const piece = this.#pieces[this.#piece]
    if (piece === undefined || (this.#matched === 0 && isSpace(character.charCodeAt(0)))) return
    if (this.#fold(character) !== piece.characters[this.#matched]) {
      this.failed = piece.code
      return
    }
    this.#matched++
    if (this.#matched < piece.characters.length) return
    this.#piece++
    this.#matched = 0
  }
}
