import { sha256Hex } from '../sha256.ts'

/** The owner of cached answers; they are never shown to anyone else. */
export interface CacheScope {
  readonly tenant: string
  readonly user: string
}

/** What an answer depends on. */
export interface CacheInputs {
  readonly question: string
  readonly provider: string
  readonly model: string
  readonly temperature: number | undefined
  readonly seed: bigint | undefined
  readonly fingerprint: string
  /** The type of a question that went through the pipeline: each type has its own prompt and contract. */
  readonly type?: string | undefined
}

const separator = '\x1f'

/** The key of an answer: a SHA-256 in hex over scope and inputs, so that no two different lists of fields share one. */
export function answerCacheKey({ tenant, user }: CacheScope, inputs: CacheInputs): Promise<string> {
  const { question, provider, model, fingerprint, type } = inputs
  const temperature = inputs.temperature === undefined ? 'none' : plainDecimal(inputs.temperature)
  const seed = inputs.seed === undefined ? 'none' : String(inputs.seed)
  const fields = [tenant, user, question, provider, model, temperature, seed, fingerprint, ...(type === undefined ? [] : [type])]
  return sha256Hex(fields.some(isAmbiguous) ? lengthPrefixed(fields) : fields.join(separator))
}

/** A separator would move the borders of fields; a lone surrogate is the same UTF-8 as U+FFFD. */
function isAmbiguous(field: string): boolean {
  return field.includes(separator) || /\p{Surrogate}/u.test(field)
}

/** Each field as its number of UTF-16 units (4 bytes) and these units (2 bytes each), all big endian. */
function lengthPrefixed(fields: readonly string[]): Uint8Array {
  // 0xFF never occurs in UTF-8: no joined form can be these bytes.
  const domain = new Uint8Array([0xff, ...new TextEncoder().encode('answer-key')])
  const view = new DataView(new ArrayBuffer(fields.reduce((length, field) => length + 4 + 2 * field.length, domain.length)))
  new Uint8Array(view.buffer).set(domain)
  let at = domain.length
  for (const field of fields) {
    view.setUint32(at, field.length)
    at += 4
    for (let index = 0; index < field.length; index++, at += 2) view.setUint16(at, field.charCodeAt(index))
  }
  return new Uint8Array(view.buffer)
}

/** The shortest decimal that reads back as the number, never with an exponent and never `-0`. */
export function plainDecimal(number: number): string {
  const shortest = String(number)
  const match = /^(-?)([0-9])(?:\.([0-9]+))?e([+-][0-9]+)$/.exec(shortest)
  if (match === null) return shortest
  const [, sign = '', first = '', rest = '', power = ''] = match
  const exponent = Number(power)
  // Exponents are only written from 21 upwards or from -7 downwards, so the point is never inside the digits.
  return exponent > 0 ? `${sign}${(first + rest).padEnd(exponent + 1, '0')}` : `${sign}0.${'0'.repeat(-exponent - 1)}${first}${rest}`
}
