import type { RepairClass } from '../../contract/certificate.ts'

/** What a token without quotes stands for, and how it is written in JSON. */
export interface BareValue {
  readonly value: unknown
  /** As JSON writes it; absent when it is right already. */
  readonly written?: string
  readonly rule: string
  readonly class: RepairClass
}

const words: ReadonlyMap<string, BareValue> = new Map<string, BareValue>([
  ['true', { value: true, rule: 'literal', class: 'lossless' }],
  ['false', { value: false, rule: 'literal', class: 'lossless' }],
  ['null', { value: null, rule: 'literal', class: 'lossless' }],
  ['True', { value: true, written: 'true', rule: 'python-literal', class: 'lossless' }],
  ['False', { value: false, written: 'false', rule: 'python-literal', class: 'lossless' }],
  ['None', { value: null, written: 'null', rule: 'python-literal', class: 'lossless' }],
  ['TRUE', { value: true, written: 'true', rule: 'literal-case', class: 'lossless' }],
  ['FALSE', { value: false, written: 'false', rule: 'literal-case', class: 'lossless' }],
  ['NULL', { value: null, written: 'null', rule: 'literal-case', class: 'lossless' }],
  ['undefined', { value: null, written: 'null', rule: 'undefined', class: 'lossy' }],
  ['NaN', { value: null, written: 'null', rule: 'not-a-number', class: 'lossy' }],
])

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const looseNumber = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

/** Tells whether a token is a number or a literal, so that white space ends it. */
export function isScalar(token: string): boolean {
  return words.has(token) || jsonNumber.test(token)
}

/** Reads a token that stands without quotes. */
export function readBare(token: string): BareValue {
  const word = words.get(token)
  if (word) return word
  if (jsonNumber.test(token)) return { value: Number(token), rule: 'number', class: 'lossless' }
  return readLooseNumber(token) ?? { value: token, written: JSON.stringify(token), rule: 'quote-text', class: 'lossless' }
}

/** Completes what was cut off at the end: a literal by its letters, a number by what is certain of it. */
export function readCutBare(token: string): BareValue {
  const whole = ['true', 'false', 'null'].find((word) => token !== '' && word.startsWith(token))
  if (whole !== undefined && whole !== token) return { ...(words.get(whole) as BareValue), written: whole, rule: 'complete', class: 'lossy' }
  const certain = /^-?(?:\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)?/.exec(token)?.[0] ?? ''
  if (/^-?\d*\.?\d*(?:[eE][+-]?)?$/.test(token) && /[\d-]/.test(token) && certain !== token) {
    const number = certain === '' || certain === '-' ? 0 : Number(certain)
    return { value: number, written: String(number), rule: 'complete', class: 'lossy' }
  }
  if (token === '-') return { value: 0, written: '0', rule: 'complete', class: 'lossy' }
  return readBare(token)
}

/** A number that only its form keeps from being JSON: a plus sign, a missing digit around the point. */
function readLooseNumber(token: string): BareValue | undefined {
  const parts = looseNumber.exec(token)
  if (!parts) return undefined
  const [, sign = '', whole = '', fraction = '', exponent] = parts
  // Leading zeros are an identifier, not a number.
  if ((whole === '' && fraction === '') || /^0\d/.test(whole)) return undefined
  const written = `${sign === '-' ? '-' : ''}${whole || '0'}${fraction === '' ? '' : `.${fraction}`}${exponent === undefined ? '' : `e${exponent}`}`
  return { value: Number(written), written, rule: 'number-form', class: 'lossless' }
}
