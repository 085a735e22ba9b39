import type { JsonNode } from './json-tree.ts'

/** Longer numbers are the same only when they are written in the same way. */
const longestNumber = 400

/** Whether two values of a JSON text are the same for every reader, also for one that keeps more digits; at any depth. */
export function sameNode(first: JsonNode, second: JsonNode, text: string): boolean {
  const open: (readonly [JsonNode, JsonNode])[] = [[first, second]]
  for (let pair = open.pop(); pair; pair = open.pop()) {
    const [a, b] = pair
    if (a.kind !== b.kind) return false
    if (a.items) {
      if (a.items.length !== b.items?.length) return false
      for (const [index, item] of a.items.entries()) open.push([item, b.items[index] as JsonNode])
    } else if (a.members) {
      // The last of equal keys counts, as in `JSON.parse`; that they differ is reported of them alone.
      const own = new Map(a.members.map(({ key, node }) => [key, node]))
      const others = new Map(b.members?.map(({ key, node }) => [key, node]))
      if (own.size !== others.size) return false
      for (const [key, node] of own) {
        const other = others.get(key)
        if (other === undefined) return false
        open.push([node, other])
      }
    } else if (a.kind === 'number' ? !sameNumber(slice(text, a), slice(text, b)) : a.value !== b.value) return false
  }
  return true
}

function slice(text: string, { start, end }: JsonNode): string {
  return text.slice(start, end)
}

/** Whether two numbers are the same for every reader, also for one that keeps more digits. */
export function sameNumber(a: string, b: string): boolean {
  return a === b || (Number(a) === Number(b) && a.length <= longestNumber && b.length <= longestNumber && digitsOf(a) === digitsOf(b))
}

/** One text for all ways to write a number. */
function digitsOf(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().replace(/^-/, '').split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = whole + fraction
  let from = 0
  let to = digits.length
  while (digits[from] === '0') from++
  while (to > from && digits[to - 1] === '0') to--
  if (from === to) return '0'
  const shift = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - to)
  return `${number.startsWith('-') ? '-' : ''}${digits.slice(from, to)}e${shift}`
}
