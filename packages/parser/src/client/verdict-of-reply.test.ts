import { ParserUnavailable } from '@stickler/core/validators'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutTrace } from '../wire/cut-trace.ts'
import { loadParserProto, type WireReply } from '../wire/parser-proto.ts'
import { verdictOfReply } from './grpc-parser.ts'

const source = 'first\r\nsecond line\n\n\ud83d\ude00 last'
const lines = source.split(/\r\n|\n|\r/)
const fault = { line: 1, column: 1, endLine: 1, endColumn: 2, message: 'No.', suggestion: '' }
const invalid = (...trace: object[]) => verdictOfReply({ verdict: 'INVALID', trace: trace as unknown as WireReply['trace'] }, source)

describe('G16: positions outside of the source are moved into it', () => {
  test.each([
    [
      { line: 1e9, column: 1, endLine: 1e9, endColumn: 1 },
      { line: 4, column: 1, endLine: 4, endColumn: 1 },
    ],
    [
      { line: -5, column: -1, endLine: -5, endColumn: -1 },
      { line: 1, column: 1, endLine: 1, endColumn: 1 },
    ],
    [
      { line: Number.NaN, column: Number.NaN, endLine: 2, endColumn: Number.POSITIVE_INFINITY },
      { line: 1, column: 1, endLine: 2, endColumn: 12 },
    ],
    [
      { line: 0, column: 0, endLine: 0, endColumn: 0 },
      { line: 1, column: 1, endLine: 1, endColumn: 1 },
    ],
    [
      { line: 3, column: 1, endLine: 1, endColumn: 1 },
      { line: 3, column: 1, endLine: 3, endColumn: 1 },
    ],
    [
      { line: 4_294_967_295, column: 4_294_967_295, endLine: 1, endColumn: 1 },
      { line: 4, column: 8, endLine: 4, endColumn: 8 },
    ],
    [{}, { line: 1, column: 1, endLine: 1, endColumn: 1 }],
  ])('%j', (given, seen) => {
    const place = { line: undefined, column: undefined, endLine: undefined, endColumn: undefined, ...given }
    expect(invalid({ ...fault, ...place })).toEqual({ verdict: 'invalid', trace: [{ ...seen, message: 'No.' }] })
  })
})

describe('texts', () => {
  test('lose control characters and what turns text around', () => {
    expect(invalid({ ...fault, message: '\u001b[2Ja\r\nb\u0000\u202ec\u2028d\u0007 ', suggestion: '\u009b x' })).toMatchObject({
      trace: [{ message: '[2Ja b c d', suggestion: 'x' }],
    })
  })

  test('are short', () => {
    const verdict = invalid({ ...fault, message: 'x'.repeat(3e6), suggestion: '\n'.repeat(3e6) })
    const [first] = 'trace' in verdict ? verdict.trace : []
    expect(first?.message).toHaveLength(500)
    expect(first).not.toHaveProperty('suggestion')
  })

  test('that say nothing are replaced', () => {
    for (const message of ['', '\u0000\n', undefined, 7])
      expect(invalid({ ...fault, message })).toMatchObject({ trace: [{ message: 'The code does not parse here.' }] })
  })
})

test('many faults are cut, and none at all are still a verdict', () => {
  const verdict = invalid(...Array.from({ length: 1e5 }, () => fault))
  expect('trace' in verdict && verdict.trace.length).toBe(200)
  const message = 'The code does not parse; the parser does not say where.'
  expect(invalid()).toEqual({ verdict: 'invalid', trace: [{ line: 1, column: 1, endLine: 1, endColumn: 1, message }] })
})

test.each(['VERDICT_UNSPECIFIED', 7, -1, Number.NaN, undefined, 'valid'])('the verdict %s is none', (verdict) => {
  expect(() => verdictOfReply({ verdict: verdict as number, trace: [fault] }, source)).toThrow(ParserUnavailable)
})

test('G16: whatever bytes come as a reply, there is a verdict inside the source or none', () => {
  const { responseSerialize, responseDeserialize } = loadParserProto().methods.Parse
  const wire = fc.record({
    verdict: fc.constantFrom(0, 1, 2, 3, 4, 99),
    trace: fc.array(
      fc.record({
        line: fc.nat(),
        column: fc.nat(),
        endLine: fc.nat(),
        endColumn: fc.nat(),
        message: fc.string({ unit: 'binary' }),
        suggestion: fc.string({ unit: 'binary' }),
      }),
      { maxLength: 5 },
    ),
  })
  const damaged = fc.tuple(wire, fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 4 })).map(([reply, changes]) => {
    const bytes = Buffer.from(responseSerialize(reply))
    for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte
    return bytes
  })
  const read = (bytes: Buffer) => {
    try {
      return responseDeserialize(cutTrace(bytes, 2))
    } catch {
      return undefined
    }
  }
  fc.assert(
    fc.property(fc.oneof(damaged, fc.uint8Array().map(Buffer.from)), (bytes) => {
      const reply = read(bytes)
      if (reply === undefined) return
      try {
        const verdict = verdictOfReply(reply, source)
        for (const { line, column, endLine, endColumn, message } of 'trace' in verdict ? verdict.trace : []) {
          expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? -1) + 1)
          expect(endColumn).toBeLessThanOrEqual((lines[endLine - 1]?.length ?? -1) + 1)
          expect(endLine > line || (endLine === line && endColumn >= column)).toBe(true)
          expect(message).toMatch(/^[^\p{Cc}]+$/u)
        }
      } catch (error) {
        if (!(error instanceof ParserUnavailable)) throw error
      }
    }),
    { numRuns: 200 },
  )
})
