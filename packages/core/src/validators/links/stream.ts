import type { IncrementalCheck, Progress } from '../../contract/validator.ts'
import { attributes, drawing } from './attributes.ts'

/** A character reference, or the beginning of one, that may spell a letter or sign of an address. */
const reference = '&(?:#|(?:colon|b?sol|period);)'

/** Where an address may begin: what is before it is never part of a link that is judged. */
// backtracks: what is searched has at most 1000 characters and a chunk, and each part at most 40 in a row
const beginning = new RegExp(
  [
    '\\](?:\\(|:)',
    '<[a-z][a-z0-9+.-]{1,31}:',
    drawing.source,
    `\\b(?:${attributes})\\s*=`,
    '[a-z][a-z0-9+.-]{0,31}\\\\?:[/\\\\]',
    '[a-z0-9+.-]{0,40}(?:(?:https?|ftp|wss?|mailto|xmpp)\\\\?:|www\\\\?\\.)',
    '\\\\?/\\\\?/[^\\s/]',
    `[a-z0-9+.:/\\\\-]{0,40}${reference}`,
  ].join('|'),
  'i',
)

/** The end of a text that the next characters may turn into such a place. */
// backtracks: what is searched has at most 1000 characters and a chunk
const unfinished = new RegExp(`(?:\\b(?:${attributes})\\s*|\\]|<?[a-z0-9+.:/\\\\-]{0,40}(?:&[a-z]{0,6})?)$`, 'i')

/** Text that is kept to be looked at again with the next chunk; white space after the name of an attribute has no limit of its own. */
const mostKept = 1000

/** Releases everything before the first address, which may be wrong or may have to be removed. */
export class BeforeLinks implements IncrementalCheck<never> {
  #length = 0
  #kept = ''
  #held: number | undefined

  push(chunk: string): Progress<never> {
    this.#length += chunk.length
    if (this.#held !== undefined) return { safe: this.#held }
    const text = this.#kept + chunk
    const start = this.#length - text.length
    const found = text.search(beginning)
    if (found >= 0) {
      this.#held = start + found
      this.#kept = ''
      return { safe: this.#held }
    }
    this.#kept = text.slice(text.search(unfinished))
    const safe = this.#length - this.#kept.length
    if (this.#kept.length > mostKept) this.#held = safe
    return { safe }
  }
}
