import fc from 'fast-check'
import { randomFrom } from '../../bench/complexity/recipes.mjs'

/** Ways to write a value wrongly that can be undone; each is done here and there, as the seed says. */
export interface Damage {
  readonly quotes: 'double' | 'single' | 'smart' | 'back-tick'
  readonly bareKeys: boolean
  readonly trailingCommas: boolean
  readonly missingCommas: boolean
  readonly comments: boolean
  readonly python: boolean
  readonly numberForms: boolean
  readonly rawBreaks: boolean
  readonly equalsSigns: boolean
  /** So many of the closing brackets at the end are left out. */
  readonly openBrackets: number
  readonly around: 'nothing' | 'fence' | 'prose' | 'both'
  readonly seed: number
}

const undamaged: Damage = {
  quotes: 'double',
  bareKeys: false,
  trailingCommas: false,
  missingCommas: false,
  comments: false,
  python: false,
  numberForms: false,
  rawBreaks: false,
  equalsSigns: false,
  openBrackets: 0,
  around: 'nothing',
  seed: 0,
}

const rarely = fc.integer({ min: 0, max: 4 }).map((number) => number === 4)

const anyDamages: fc.Arbitrary<Damage> = fc.record({
  quotes: fc.constantFrom('double' as const, 'double' as const, 'single' as const, 'smart' as const, 'back-tick' as const),
  bareKeys: rarely,
  trailingCommas: rarely,
  missingCommas: rarely,
  comments: rarely,
  python: rarely,
  numberForms: rarely,
  rawBreaks: rarely,
  equalsSigns: rarely,
  openBrackets: fc.constantFrom(0, 0, 0, 1, 2),
  around: fc.constantFrom('nothing' as const, 'nothing' as const, 'fence' as const, 'prose' as const, 'both' as const),
  seed: fc.nat({ max: 0xffff }),
})

/** Damage of several kinds at once; amid prose a bracket that is missing, or stands before a comment, can be one of the prose, and so can back-ticks. */
export const damages: fc.Arbitrary<Damage> = anyDamages.map((damage) => {
  const isAmidProse = damage.around === 'prose' || damage.around === 'both'
  const quotes = damage.quotes === 'back-tick' ? 'double' : damage.quotes
  return isAmidProse ? { ...damage, quotes, openBrackets: 0, comments: false } : damage
})

/** Damage to what has nothing around it, as the arguments of a call. */
export const innerDamages: fc.Arbitrary<Damage> = damages.map((damage) => ({ ...damage, around: 'nothing' }))

/** Writes a value with its damage. */
export function writeDamaged(value: unknown, damage: Partial<Damage>): string {
  const given = { ...undamaged, ...damage }
  let text = new DamagedWriter(given).write(value)
  for (let left = given.openBrackets; left > 0 && /.[\]}]$/s.test(text); left--) text = text.slice(0, -1).trimEnd()
  if (given.around === 'fence' || given.around === 'both') text = `\`\`\`json\n${text}\n\`\`\``
  return given.around === 'prose' || given.around === 'both' ? `Here it is:\n\n${text}\n\nThat is all.` : text
}

class DamagedWriter {
  readonly #damage: Damage
  readonly #random: () => number

  constructor(damage: Damage) {
    this.#damage = damage
    this.#random = randomFrom(damage.seed)
  }

  write(value: unknown): string {
    if (typeof value === 'string') return this.#string(value)
    if (typeof value === 'number') return this.#number(value)
    if (value === null) return this.#sometimes(this.#damage.python) ? 'None' : 'null'
    if (typeof value === 'boolean') return this.#literal(String(value))
    if (Array.isArray(value))
      return this.#list(
        '[',
        value.map((item) => this.write(item)),
        ']',
      )
    const members = Object.entries(value as object).map(([key, item]) => `${this.#key(key)}${this.#colon()}${this.write(item)}`)
    return this.#list('{', members, '}')
  }

  #list(open: string, items: readonly string[], close: string): string {
    const { trailingCommas, missingCommas, comments } = this.#damage
    const parts = items.map((item, index) => {
      const isLast = index === items.length - 1
      const comma = isLast ? (this.#sometimes(trailingCommas) ? ',' : '') : this.#sometimes(missingCommas) ? '\n' : ','
      return `${item}${comma}${this.#comment(comments)}`
    })
    return `${open}${this.#comment(comments)}${parts.join(' ')}${close}`
  }

  #comment(allowed: boolean): string {
    if (!this.#sometimes(allowed)) return ''
    return this.#pick([' /* note */ ', ' // note\n', ' # note\n'])
  }

  #colon(): string {
    return this.#sometimes(this.#damage.equalsSigns) ? this.#pick([' = ', ' => ']) : ': '
  }

  #key(key: string): string {
    const isName = /^[a-z_$][\w$]*$/i.test(key) && !/^(?:true|false|null|none|nan|undefined|infinity)$/i.test(key)
    return isName && this.#sometimes(this.#damage.bareKeys) ? key : this.#string(key)
  }

  #string(text: string): string {
    const { quotes, rawBreaks } = this.#damage
    const raw = JSON.stringify(text).slice(1, -1)
    const inner = this.#sometimes(rawBreaks) ? raw.replace(/\\(.)/g, (all, next) => (next === 'n' ? '\n' : all)) : raw
    const unescaped = inner.replace(/\\(.)/g, (all, next) => (next === '"' ? '"' : all))
    if (quotes === 'double' || !this.#sometimes(true)) return `"${inner}"`
    if (quotes === 'single') return `'${unescaped.replaceAll("'", "\\'")}'`
    if (quotes === 'back-tick' && !/[`$]/.test(text)) return `\`${unescaped}\``
    return quotes === 'smart' && !/["“”„]/.test(text) ? `“${inner}”` : `"${inner}"`
  }

  #literal(word: string): string {
    if (!this.#sometimes(this.#damage.python)) return word
    return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
  }

  #number(number: number): string {
    const text = String(number)
    if (!this.#sometimes(this.#damage.numberForms) || text.includes('e')) return text
    if (text.startsWith('0.')) return text.slice(1)
    if (/^\d+$/.test(text)) return this.#pick([`+${text}`, `${text}.`])
    return number > 0 ? `+${text}` : text
  }

  #sometimes(allowed: boolean): boolean {
    return allowed && this.#random() < 0.6
  }

  #pick(list: readonly string[]): string {
    return list[Math.floor(this.#random() * list.length)] ?? ''
  }
}
