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
  readonly #caseSensitive: boolean
  #piece = 0
  #matched = 0
  /** How much has been read: up to the character that decided, whatever the case. */
  length = 0
  /** Whether it is wrong in any case. */
  hasFailed = false
  /** The first piece that is wrong for certain, if only in its case, and how much had been read by then. */
  wrong: { readonly code: StartCode; readonly length: number } | undefined

  constructor({ open, starts, caseSensitive }: AffixRules) {
    this.#caseSensitive = caseSensitive
    const piece = (text: string, code: StartCode): Piece => ({ characters: Array.from(text), code })
    this.#pieces = [
      ...(open === undefined ? [] : [piece(open, 'NOT_WRAPPED')]),
      ...(starts === undefined ? [] : [piece(starts, 'WRONG_START')]),
    ]
  }

  /** Whether the whole start has been read, perhaps in another case. */
  get isThere(): boolean {
    return this.#piece === this.#pieces.length
  }

  /** Whether the whole start has been read and is right. */
  get isRight(): boolean {
    return this.isThere && this.wrong === undefined
  }

  /** Why the start is not right as far as it has been read. */
  get missing(): StartCode | undefined {
    return this.wrong?.code ?? this.#pieces[this.#piece]?.code
  }

  /** Takes text until the start is decided. */
  push(text: string): void {
    for (const character of text) {
      if (this.isThere || this.hasFailed) return
      this.length += character.length
      this.#take(character)
    }
  }

  #take(character: string): void {
    const piece = this.#pieces[this.#piece]
    if (piece === undefined || (this.#matched === 0 && isSpace(character.charCodeAt(0)))) return
    const wanted = piece.characters[this.#matched] ?? ''
    this.hasFailed = foldCase(character) !== foldCase(wanted)
    if (this.hasFailed || (this.#caseSensitive && character !== wanted)) this.wrong ??= { code: piece.code, length: this.length }
    if (this.hasFailed || ++this.#matched < piece.characters.length) return
    this.#piece++
    this.#matched = 0
  }
}
