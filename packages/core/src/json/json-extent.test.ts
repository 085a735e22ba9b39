import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { excessOf, isDeeperThan, type JsonExtent } from './json-extent.ts'

/** The extent of a value, counted on the value itself. */
function extentOf(value: unknown, isFree = false, path = ''): JsonExtent {
  const extent = { depth: 0, fields: 0, items: 0, values: 0, everything: 0 }
  if (typeof value !== 'object' || value === null) return extent
  const entries = Object.entries(value)
  const isList = Array.isArray(value)
  const counted = isList ? entries.filter(([, one]) => typeof one === 'string' || (typeof one === 'object' && one !== null)) : entries
  if (!isList) extent.fields = entries.length
  else if (!isFree) extent.items = counted.length
  if (!isFree) extent.values = counted.length
  extent.everything = 1 + Math.max(0, entries.length - 1)
  for (const [name, one] of entries) {
    const at = `${path}/${isList ? '*' : name.replaceAll('/', '~')}`
    const inner = extentOf(one, isFree || free.test(at), at)
    extent.depth = Math.max(extent.depth, inner.depth)
    extent.fields = Math.max(extent.fields, inner.fields)
    extent.items = Math.max(extent.items, inner.items)
    extent.values += inner.values
    extent.everything += inner.everything
  }
  extent.depth++
  return extent
}

const free = /^(?:(?:\/choices\/\*)?\/(?:prompt_)?|\/part\/|\/item\/content\/\*\/|(?:\/response)?\/output\/\*\/content\/\*\/)logprobs$/

const kinds = ['depth', 'fields', 'items', 'values', 'everything'] as const
const name = fc.oneof(
  fc.constantFrom(
    ...['logprobs', 'prompt_logprobs', 'my_logprobs', 'top_logprobs', 'choices', 'part', 'item', 'output', 'response', 'content'],
    ...['a', '"', '\\', '\\"', ':,', '{[', '"logprobs'],
  ),
  fc.string(),
)
const json = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'large' }, fc.string(), fc.double(), fc.constant(null), tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 6 }),
  object: fc.array(fc.tuple(name, tie('value')), { maxLength: 6 }).map((entries) => Object.fromEntries(entries)),
})).value

/** Values in which log probabilities are where APIs have them, or nearly. */
const replies = fc
  .tuple(
    fc.constantFrom(
      '',
      'choices.0',
      'part',
      'item.content.0',
      'output.0.content.0',
      'response.output.0.content.0',
      'message',
      'choices',
      'item.0',
      'a.choices.0',
    ),
    name,
    json,
  )
  .map(([path, last, value]) =>
    [...(path === '' ? [] : path.split('.')), last].reduceRight(
      (inner: unknown, step) => (step === '0' ? [inner] : { [step]: inner }),
      value,
    ),
  )

describe('the extent of JSON', () => {
  it('is counted on the text as on the value', () => {
    fc.assert(
      fc.property(fc.oneof(json, replies), fc.constantFrom(undefined, 1), (value, space) => {
        const written = JSON.stringify(value, undefined, space)
        const extent = extentOf(JSON.parse(written))
        expect(excessOf(written, extent)).toBeUndefined()
        for (const kind of kinds) {
          if (extent[kind] > 0) expect(excessOf(written, { ...extent, [kind]: extent[kind] - 1 }), kind).toBe(kind)
        }
      }),
    )
  })

  it('of what is not JSON is found too', () => {
    fc.assert(fc.property(fc.string(), (text) => !isDeeperThan(text, text.length)))
    expect(isDeeperThan('[['.repeat(1000), 1000)).toBe(true)
    expect(isDeeperThan(`${']'.repeat(1000)}[[`, 2)).toBe(false)
  })
})
