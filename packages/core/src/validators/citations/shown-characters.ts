import { isHighSurrogate } from '../../answer/characters.ts'
import { isPunctuation } from '../../answer/inline/link-tail.ts'
import { readMarkdownReference, references } from '../shared/character-reference.ts'

/** The longest reference, with its signs. */
const longestReference = 34

/** Reads what a renderer of CommonMark shows, character by character: references and escapes are read, and what cannot be seen is left out. */
export class ShownCharacters {
  /** What has begun, and is not decided yet. */
  #open = ''
  /** Whether something has begun of which nobody can tell yet what it shows. */
  get isOpen(): boolean {
    return this.#open !== ''
  }

  /** Forgets what has begun. */
  clear(): void {
    this.#open = ''
  }

  /** Takes the next code unit; returns what is shown for certain now. */
  take(unit: string): string {
    const open = this.#open
    switch (open.charAt(0)) {
      case '':
        return this.#begin(unit)
      case '\\':
        this.#open = ''
        return isPunctuation(unit.charCodeAt(0)) ? unit : open + this.take(unit)
      case '&':
        return this.#refer(unit)
      default:
        this.#open = ''
        return isInvisible(open + unit) ? '' : open + unit
    }
  }

  #begin(unit: string): string {
    if (unit === '\\' || unit === '&' || isHighSurrogate(unit.charCodeAt(0))) {
      this.#open = unit
      return ''
    }
    return isInvisible(unit) ? '' : unit
  }

  #refer(unit: string): string {
    const written = this.#open + unit
    if (unit !== ';' && (!/[#0-9a-zA-Z]/.test(unit) || written.length > longestReference)) {
      this.#open = ''
      return written.slice(0, -1) + this.take(unit)
    }
    this.#open = unit === ';' ? '' : written
    if (unit !== ';') return ''
    const [match] = written.matchAll(references)
    const read = match?.[0] === written ? readMarkdownReference(match) : undefined
    return read === undefined ? written : isInvisible(read) ? '' : read
  }
}

/** Whether characters take no room: those without width, and controls. */
function isInvisible(character: string): boolean {
  const code = character.charCodeAt(0)
  // Most of what is asked for is plain.
  if (code >= 32 && code < 127 && character.length === 1) return false
  return /^(?:\p{Default_Ignorable_Code_Point}|(?![\t\n\r])[\p{Cf}\p{Cc}])$/u.test(character)
}
