import { unknownName } from '@stickler/core/internal'
import { HttpError } from '@stickler/core/internal/apis'
import { badCursor } from '../../records/store/ask-store.ts'
import { readTime } from './read-time.ts'

const longestText = 256
const longestCursor = 256
const mostValues = 20
const wholeNumber = /^\d{1,16}$/

/** Whether a text has the form of a cursor; only the store can validate it further. */
export function isCursor(text: string): boolean {
  return text.length <= longestCursor && /^[\w.~:-]+$/.test(text)
}

/** Reads the query of a request; an invalid parameter is a 400 that names it. */
export class QueryReader {
  readonly #values = new Map<string, string>()
  /** Parameters that were given several times. */
  readonly #lists = new Map<string, string[]>()

  /** Rejects unknown parameters, and repeated ones except those of `repeated`. */
  constructor(query: URLSearchParams, known: readonly string[], repeated: readonly string[] = []) {
    for (const [name, value] of query) {
      if (repeated.includes(name)) {
        this.#add(name, value)
        continue
      }
      if (!known.includes(name)) throw badParameter(name.slice(0, 80), unknownName('parameter', name, [...known, ...repeated]))
      if (this.#values.has(name)) throw badParameter(name, `Give "${name}" only once.`)
      // An empty form field means no choice.
      if (value !== '') this.#values.set(name, value)
    }
  }

  #add(name: string, value: string): void {
    if (value === '') return
    const list = this.#lists.get(name) ?? []
    if (list.length >= mostValues) throw badParameter(name, `"${name}" may be given at most ${mostValues} times.`)
    if (value.length > longestText) throw badParameter(name, `"${name}" may have at most ${longestText} characters.`)
    if (!list.includes(value)) this.#lists.set(name, [...list, value])
  }

  /** A text of bounded length, or several of which any may match. */
  anyOf(name: string): string | readonly string[] | undefined {
    const list = this.#lists.get(name)
    return list?.length === 1 ? list[0] : list
  }

  /** One or several of a few words. */
  anyWord<Word extends string>(name: string, words: readonly Word[]): Word | readonly Word[] | undefined {
    const list = this.#lists.get(name)
    for (const value of list ?? []) this.#check(name, value, words)
    return (list?.length === 1 ? list[0] : list) as Word | readonly Word[] | undefined
  }

  #check(name: string, value: string, words: readonly string[]): void {
    if (!words.includes(value)) throw badParameter(name, `"${name}" must be one of ${words.join(', ')}.`)
  }

  /** A text of bounded length. */
  text(name: string): string | undefined {
    const value = this.#values.get(name)
    if (value !== undefined && value.length > longestText) throw badParameter(name, `"${name}" may have at most ${longestText} characters.`)
    return value
  }

  /** One of a few words. */
  oneOf<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const value = this.#values.get(name)
    const found = words.find((word) => word === value)
    if (value !== undefined) this.#check(name, value, words)
    return found
  }

  /** A whole number within its bounds. */
  whole(name: string, least: number, most: number): number | undefined {
    const value = this.#values.get(name)
    if (value === undefined) return undefined
    const number = wholeNumber.test(value) ? Number(value) : Number.NaN
    if (number >= least && number <= most) return number
    throw badParameter(name, `"${name}" must be a whole number from ${least} to ${most}.`)
  }

  /** A time, as milliseconds since 1970 or in ISO 8601. */
  time(name: string): number | undefined {
    const value = this.#values.get(name)
    if (value === undefined) return undefined
    const time = readTime(value)
    if (time !== undefined) return time
    throw badParameter(name, `"${name}" must be milliseconds since 1970, or a time such as 2026-01-31T12:00:00Z.`)
  }

  /** Where a list continues. */
  cursor(name: string): string | undefined {
    const value = this.#values.get(name)
    if (value !== undefined && !isCursor(value)) throw badCursor(name)
    return value
  }

  /** The paging parameters of every list. */
  page(standard: number, most: number): { readonly limit: number; readonly before?: string } {
    return present({ limit: this.whole('limit', 1, most) ?? standard, before: this.cursor('cursor') })
  }
}

/** The names of the paging parameters. */
export const pageParameters = ['limit', 'cursor'] as const

/** Leaves out what is undefined. */
export function present<Of extends object>(fields: Of): { [Name in keyof Of]: Exclude<Of[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Of]: Exclude<Of[Name], undefined>
  }
}

/** The error for an invalid parameter. */
export function badParameter(param: string, message: string): HttpError {
  return new HttpError(400, message.charAt(0).toUpperCase() + message.slice(1), { param, code: 'invalid_parameter' })
}
