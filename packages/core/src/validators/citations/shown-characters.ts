import { isHighSurrogate } from '../../answer/characters.ts'
import { isPunctuation } from '../../answer/inline/link-tail.ts'
import { readMarkdownReference, references } from '../shared/character-reference.ts'

/** The longest reference, with its signs. */
const longestReference = 34

const ends: readonly (readonly [start: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
]

/** Reads what a renderer of CommonMark shows, character by character: references and escapes are read, tags and what cannot be seen is left out. */
export class ShownCharacters {
  /** What has begun, and is not decided yet. */
  #open = ''
  /** The quotation mark that an attribute of the open tag has opened. */
  #quote = ''

  /** Whether something has begun of which nobody can tell yet what it shows. */
  get isOpen(): boolean {
    return this.#open !== ''
  }

  /** Whether a tag has begun, which line breaks do not end. */
  get inTag(): boolean {
    return this.#open.startsWith('<') && this.#open.length > 1
  }

  /** Forgets what has begun. */
  clear(): void {
    this.#open = ''
    this.#quote = ''
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
      case '<':
        return this.#addToTag(unit)
      default:
        this.#open = ''
        return isInvisible(open + unit) ? '' : open + unit
    }
  }

  #begin(unit: string): string {
    if (unit === '\\' || unit === '&' || unit === '<' || isHighSurrogate(unit.charCodeAt(0))) {
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

  #addToTag(unit: string): string {
    const written = this.#open + unit
    this.#open = written
    if (written.length === 2 && !/[a-zA-Z/!?]/.test(unit)) {
      this.#open = ''
      return `<${this.take(unit)}`
    }
    const special = ends.find(([start]) => written.startsWith(start))
    if (special !== undefined) {
      const [start, end] = special
      const least = start === '<!--' ? start.length + 1 : start.length + end.length
      if (written.length >= least && written.endsWith(end)) this.clear()
      // Only its beginning and its end count.
      else if (written.length > 24) this.#open = written.slice(0, 12) + written.slice(-6)
      return ''
    }
    if (this.#quote !== '') {
      if (unit === this.#quote) this.#quote = ''
    } else if (unit === '"' || unit === "'") this.#quote = unit
    else if (unit === '>') this.clear()
    if (written.length > 8) this.#open = '<a'
    return ''
  }
}

/** Whether characters take no room: those without width, and controls. */
function isInvisible(character: string): boolean {
  const code = character.charCodeAt(0)
  // Most of what is asked for is plain.
  if (code >= 32 && code < 127 && character.length === 1) return false
  return /^(?:\p{Default_Ignorable_Code_Point}|(?![\t\n\r])[\p{Cf}\p{Cc}])$/u.test(character)
}
