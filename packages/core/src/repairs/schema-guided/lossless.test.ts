import fc from 'fast-check'
import { expect, test } from 'vitest'
import { repairBySchema } from './repair-by-schema.ts'

const classesOf = (value: unknown, schema: object): (string | undefined)[] =>
  repairBySchema(JSON.stringify({ a: value }), { properties: { a: schema } }, { allow: ['lossless', 'lossy', 'guess'] }).map(
    (edit) => edit.class,
  )

test.each<[string, object, string[]]>([
  ['1e999', { type: 'number' }, []],
  ['-1e999', { type: 'number' }, []],
  ['1e-400', { type: 'number' }, ['lossy']],
  ['9007199254740993', { type: 'integer' }, ['lossy']],
  ['0.1000000000000000055511151231257827', { type: 'number' }, ['lossy']],
  ['9007199254740991', { type: 'integer' }, ['lossless']],
  ['1.10', { type: 'number' }, ['lossless']],
  ['1e21', { type: 'number' }, ['lossless']],
  ['-0.0', { type: 'number' }, ['lossless']],
  ['', { type: 'array', items: { type: 'string' } }, ['guess']],
  [' ', { type: 'array', items: { type: 'string' } }, ['guess']],
  ['a', { type: 'array', items: { type: 'string' } }, ['lossless']],
])('%j as %j: %j', (value, schema, classes) => {
  expect(classesOf(value, schema)).toEqual(classes)
})

/** A decimal as a fraction of two whole numbers. */
function fraction(text: string): readonly [bigint, bigint] {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', part = ''] = mantissa.split('.')
  const shift = Number(exponent) - part.length
  const digits = BigInt(`${whole}${part}`.replace(/^-0+(?=\d)/, '-'))
  return shift >= 0 ? [digits * 10n ** BigInt(shift), 1n] : [digits, 10n ** BigInt(-shift)]
}

test('a number that is read without loss is written as it was', () => {
  const decimals = fc.stringMatching(/^-?(?:0|[1-9]\d{0,20})(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?$/)
  const run = fc.property(decimals, (text) => {
    const [kind] = classesOf(text, { type: 'number' })
    const read = Number(text)
    const exact = (): boolean => {
      const [[a, b], [c, d]] = [fraction(text), fraction(String(read))]
      return a * d === c * b
    }
    expect(kind).toBe(Number.isFinite(read) ? (exact() ? 'lossless' : 'lossy') : undefined)
  })
  fc.assert(run, { numRuns: 500 })
})
