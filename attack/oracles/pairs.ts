import fc from 'fast-check'

/** JSON with few keys, so that some of them meet, and with several spellings of the same. */
export const { json: repeatingJson } = fc.letrec<{ json: string; object: string; list: string; scalar: string }>((tie) => ({
  json: fc.oneof({ depthSize: 'small' }, tie('scalar'), tie('list'), tie('object')),
  scalar: fc.constantFrom('0', '-0', '1', '1.0', '10e-1', '9007199254740993', '9007199254740992', '"a"', '"\\u0061"', 'true', 'null', '""'),
  list: fc.array(tie('json'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
  object: fc
    .array(fc.tuple(fc.constantFrom('a', '\\u0061', 'b', '__proto__', ''), tie('json')), { maxLength: 4 })
    .map((pairs) => `{${pairs.map(([key, value]) => ` "${key}" : ${value}`).join(',')}}`),
}))

/** A value with every pair of its objects. */
export type Slow = string | readonly Slow[] | { readonly pairs: readonly (readonly [string, Slow])[] }

/** The slow, obvious reader: recursive, by cutting the text, every pair kept, numbers as exact fractions. */
export function readPairs(text: string): Slow {
  let rest = text
  const skip = (): void => {
    rest = rest.trimStart()
  }
  const take = (token: RegExp): string => {
    skip()
    const piece = token.exec(rest)?.[0] ?? ''
    rest = rest.slice(piece.length)
    return piece
  }
  const value = (): Slow => {
    if (take(/^\[/)) return list(/^\]/, value)
    if (take(/^\{/)) return { pairs: list(/^\}/, () => [pairKey(), value()] as const) }
    const word = take(/^"(?:[^"\\]|\\.)*"|^[^,\]}\s]+/)
    return /^[-\d]/.test(word) ? exact(word) : JSON.stringify(JSON.parse(word))
  }
  const pairKey = (): string => {
    const key = JSON.parse(take(/^"(?:[^"\\]|\\.)*"/)) as string
    take(/^:/)
    return key
  }
  const list = <Item>(end: RegExp, item: () => Item): Item[] => {
    const items: Item[] = []
    while (!take(end)) {
      items.push(item())
      take(/^,/)
    }
    return items
  }
  return value()
}

/** Numbers of the generator have at most one digit behind the point, and small exponents. */
function exact(word: string): string {
  const [mantissa = '', exponent = '0'] = word.split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const scale = 20 + Number(exponent) - fraction.length
  return `number ${BigInt(`${whole}${fraction}`.replace('-', '')) * 10n ** BigInt(scale)}`
}

function same(a: Slow, b: Slow): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((one, at) => same(one, b[at]))
  const [left, right] = [a, b].map((one) => new Map((one as { pairs: readonly (readonly [string, Slow])[] }).pairs)) as [
    Map<string, Slow>,
    Map<string, Slow>,
  ]
  return left.size === right.size && [...left].every(([key, one]) => right.has(key) && same(one, right.get(key) as Slow))
}

export function differs(value: Slow): boolean {
  if (typeof value === 'string') return false
  if (Array.isArray(value)) return value.some(differs)
  const { pairs } = value as { pairs: readonly (readonly [string, Slow])[] }
  const clash = pairs.some(([key, one]) => !same(one, pairs.find(([other]) => other === key)?.[1] as Slow))
  return clash || pairs.some(([, one]) => differs(one))
}
