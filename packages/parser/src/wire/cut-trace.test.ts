import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutTrace } from './cut-trace.ts'
import { loadParserProto } from './parser-proto.ts'

const { responseSerialize, responseDeserialize } = loadParserProto().methods.Parse

const fault = fc.record({
  line: fc.nat(),
  column: fc.nat(),
  endLine: fc.nat(),
  endColumn: fc.nat(),
  message: fc.string(),
  suggestion: fc.string(),
})

/** Fields that this version does not know, one of each kind, between the others. */
const unknown = Buffer.from([0x18, 0x96, 0x01, 0x21, 1, 2, 3, 4, 5, 6, 7, 8, 0x2a, 2, 0x12, 0x12, 0x35, 1, 2, 3, 4])

test('leaves the first faults and everything else', () => {
  fc.assert(
    fc.property(fc.array(fault, { maxLength: 8 }), fc.nat(8), fc.boolean(), (trace, most, isVerdictLast) => {
      const verdict = responseSerialize({ verdict: 'INVALID', trace: [] })
      const faults = trace.map((one) => Buffer.concat([responseSerialize({ verdict: 0, trace: [one] }).subarray(2), unknown]))
      const bytes = Buffer.concat(isVerdictLast ? [...faults, verdict] : [verdict, ...faults])
      expect(responseDeserialize(cutTrace(bytes, most))).toEqual({
        verdict: 'INVALID',
        trace: responseDeserialize(bytes).trace.slice(0, most),
      })
    }),
    { numRuns: 200 },
  )
})

test.each([
  ['faults', [0x12, 0x00], 200],
  ['faults with a long tag', [0x92, 0x80, 0x00, 0x00], 200],
  ['verdicts', [0x08, 0x02], 0],
  ['verdicts with a long tag', [0x88, 0x00, 0x02, 0x08, 0x02], 0],
  ['unknown fields', [0x18, 0x01], 0],
])('a reply of many small %s is read at once', (_, field, faults) => {
  const bytes = Buffer.alloc(field.length * 1_000_000, Buffer.from(field))
  const cut = cutTrace(bytes, 200)
  expect(cut.length).toBeLessThan(1000)
  expect(responseDeserialize(cut).trace).toHaveLength(faults)
})

test('any bytes end, with a message or an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        expect(cutTrace(Buffer.from(bytes), 1).length).toBeLessThanOrEqual(bytes.length)
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError)
      }
    }),
    { numRuns: 500 },
  )
})
