import { readGroups } from './ip.ts'

/** How telephone numbers are compared: by their digits, and whether these begin with those of a country. */
interface Dialled {
  readonly digits: string
  readonly isInternational: boolean
}

/** Values that may be said, however they are written. */
export class KnownValues {
  readonly #values: ReadonlySet<string>
  readonly #numbers: readonly Dialled[]

  constructor(values: Iterable<string>) {
    const all = [...values]
    this.#values = new Set(all.map(comparable))
    this.#numbers = all.filter((value) => /^[\d\s+().:/-]{7,40}$/.test(value)).map(dialled)
  }

  /** Whether a value is one of them, or an address of a domain that is. */
  has(value: string): boolean {
    if (this.#values.size === 0) return false
    const domain = value.lastIndexOf('@')
    return (
      this.#values.has(comparable(value)) || (domain >= 0 && this.#values.has(comparable(value.slice(domain)))) || this.#hasNumber(value)
    )
  }

  #hasNumber(value: string): boolean {
    if (this.#numbers.length === 0 || /[^\d\s+().:/-]/.test(value)) return false
    const called = dialled(value)
    return this.#numbers.some((number) => isSameNumber(number, called))
  }
}

/** Spaces, signs between digits and case do not tell values apart, nor does the form of an IP address. */
function comparable(value: string): string {
  const groups = value.includes('::') || value.split(':').length === 8 ? readGroups(value) : undefined
  return groups?.map((group) => group.toString(16)).join(':') ?? value.toLowerCase().replace(/[\s()/-]/g, '')
}

function dialled(value: string): Dialled {
  const digits = value.replace(/\(0\)|\D/g, '')
  const isInternational = /^\s*(?:\+|00)/.test(value)
  return { digits: isInternational ? digits.replace(/^00/, '') : digits.replace(/^0/, ''), isInternational }
}

/** A shorter rest of a number may be that of many. */
const shortestNumber = 7
const longestCountry = 3

/** Whether two numbers are the same, where one of them may lack the digits of its country. */
function isSameNumber(a: Dialled, b: Dialled): boolean {
  if (a.digits === b.digits) return a.digits.length >= shortestNumber
  const [short, long] = a.digits.length < b.digits.length ? [a, b] : [b, a]
  const country = long.digits.length - short.digits.length
  const mayHaveCountry = long.isInternational || (country === 1 && long.digits.startsWith('1'))
  return (
    !short.isInternational &&
    mayHaveCountry &&
    country <= longestCountry &&
    short.digits.length >= shortestNumber &&
    long.digits.endsWith(short.digits)
  )
}

/** Groups of digits as somebody may write a number, whatever its form. */
const groups =
  // backtracks: from one start it reads at most 64 characters
  /(?<![\w+(])[+(]{0,2}\d(?:[ ().:/-]{0,3}\d){6,40}(?!\w)/g

/** Numbers that somebody wrote, whatever their form. */
export function numbersIn(text: string): readonly string[] {
  return text.match(groups) ?? []
}
