import type { RepairClass } from '../../../contract/certificate.ts'
import { jsonNumber } from '../../../json/scan.ts'

/** What a token without quotes means, and how it is written in JSON. */
interface BareValue {
  readonly value: unknown
  readonly written: string
  readonly rule: string
  readonly class: RepairClass
}

const words: ReadonlyMap<string, BareValue> = new Map(
  [
    word('true', true, 'true', 'literal'),
    word('false', false, 'false', 'literal'),
    word('null', null, 'null', 'literal'),
    word('True', true, 'true', 'python-literal'),
    word('False', false, 'false', 'python-literal'),
    word('None', null, 'null', 'python-literal'),
    word('TRUE', true, 'true', 'literal-case'),
    word('FALSE', false, 'false', 'literal-case'),
    word('NULL', null, 'null', 'literal-case'),
    word('Null', null, 'null', 'literal-case'),
    // repair: values that JSON cannot write
    word('undefined', null, 'null', 'undefined', 'lossy'),
    word('NaN', null, 'null', 'not-a-number', 'lossy'),
    word('Infinity', null, 'null', 'not-a-number', 'lossy'),
    word('-Infinity', null, 'null', 'not-a-number', 'lossy'),
    word('+Infinity', null, 'null', 'not-a-number', 'lossy'),
  ].map((entry) => [entry.name, entry.bare]),
)

const longestScalar = 40
const looseNumber = /^([+-]?)(\d*)(?:(\.)(\d*))?(?:([eE])([+-]?\d*))?$/

function word(name: string, value: unknown, written: string, rule: string, repairClass: RepairClass = 'lossless') {
  return { name, bare: { value, written, rule, class: repairClass } }
}

/** Reads a number or a literal, right or nearly; undefined when a token is text. */
export function readScalar(token: string): BareValue | undefined {
  const known = words.get(token)
  if (known) return known
  if (jsonNumber.test(token)) return { value: Number(token), written: token, rule: 'number', class: 'lossless' }
  return readLooseNumber(token)
}

/** Whether a token is a number or a literal; cheap for long text. */
export function isScalar(token: string): boolean {
  if (token.length > longestScalar) return jsonNumber.test(token)
  return readScalar(token) !== undefined
}

/** repair: text without quotes */
export function readText(token: string, repairClass: RepairClass): BareValue {
  const isWords = isBareWords(token) && !isNumbersAndLiterals(token.split(/\s+/))
  return { value: token, written: JSON.stringify(token), rule: 'quote-text', class: isWords ? repairClass : 'guess' }
}

/** Numbers as other languages and people write them; with leading zeros: a code, or a number after all. */
const otherNumber =
  /^(?:\p{N}[\p{N}_'’]*(?:\.\d{3})*(?:\.[\d_'’]*)?(?:[eE][+-]?[\d_'’]*)?|0[xX][\dA-Fa-f_'’]+|0[bB][01_'’]+|0[oO][0-7_'’]+)n?$/u
const literal = /^(?:true|false|null|none|nil|nan|undefined|infinity)$/i
const connective = /^(?:and|or|not)$/i

/** Whether words may be numbers, literals or an expression with them, not text. */
function isNumbersAndLiterals(parts: readonly string[]): boolean {
  const isNumber = (part: string): boolean => otherNumber.test(part) || isScalar(part)
  // A single word that is no literal of a language in this spelling is text.
  if (parts.length === 1) return isNumber(parts[0] as string)
  return (
    parts.every((part) => connective.test(part) || literal.test(part) || isNumber(part)) && !parts.every((part) => connective.test(part))
  )
}

const bareWords = /^[\p{L}\p{M}\p{N}_]+(?:[-'’.][\p{L}\p{M}\p{N}_]+)*\.?(?:\s+[\p{L}\p{M}\p{N}_]+(?:[-'’.][\p{L}\p{M}\p{N}_]+)*\.?)*$/u

/** Whether a text is nothing but words, with hyphens, apostrophes and points in them: anything else may be a call, an expression or several values. */
export function isBareWords(token: string): boolean {
  return bareWords.test(token)
}

/** repair: a literal or number that was cut off at the end of the text */
export function readCut(token: string): BareValue | undefined {
  for (const [name, bare] of words) {
    if (token !== name && token !== '' && bare.class === 'lossless' && name.startsWith(token))
      return { ...bare, rule: 'complete', class: 'guess' }
  }
  if (token === '-' || token === '+' || token === '-.' || token === '.') return { value: 0, written: '0', rule: 'complete', class: 'guess' }
  return undefined
}

/** repair: a number that only its form keeps from being JSON: a plus sign, no digits on one side of the point, an empty exponent */
function readLooseNumber(token: string): BareValue | undefined {
  const parts = looseNumber.exec(token)
  if (!parts) return undefined
  const [, sign = '', whole = '', point = '', fraction = '', e = '', exponent = ''] = parts
  // Leading zeros are an identifier, not a number.
  if ((whole === '' && fraction === '') || /^0\d/.test(whole)) return undefined
  const digits = /\d/.test(exponent) ? `e${exponent}` : ''
  const written = `${sign === '-' ? '-' : ''}${whole || '0'}${fraction === '' ? '' : `${point}${fraction}`}${digits}`
  return { value: Number(written), written, rule: 'number-form', class: e !== '' && digits === '' ? 'lossy' : 'lossless' }
}
