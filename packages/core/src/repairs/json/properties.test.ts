import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonValues as json } from '../../../../../attack/generators/json-values.ts'
import { JsonStream } from './json-stream.ts'
import { type JsonRepair, repairJson } from './repair-json.ts'

const document = fc.tuple(json, fc.constantFrom(0, 1)).map(([value, indent]) => JSON.stringify(value, null, indent))

const fragments = fc.constantFrom(
  ...[
    '"',
    "'",
    ',',
    ':',
    '{',
    '}',
    '[',
    ']',
    '\n',
    ' ',
    '\\',
    '\\"',
    '...',
    '//c\n',
    '/*c*/',
    '# c\n',
    'True',
    'f("',
    'NaN',
    '"""',
    '```',
    '“',
    '”',
  ],
  ...[
    '=',
    ';',
    '\u00a0',
    '.5',
    '+',
    '\0',
    'b: ',
    '-',
    '\\u00',
    '\\x41',
    '\\n',
    "u'x'",
    'r"\\n',
    'rb"\\',
    'f"{',
    '`',
    "', 'b': '",
    '", "c": "',
    ', d: "',
    ' '.repeat(300),
  ],
)
const damage = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 2 }), fc.oneof(fragments, fc.constant(''))), { maxLength: 4 })
/** JSON that was damaged in a few places, and texts that never were JSON. */
const damaged = fc
  .tuple(
    fc.oneof(
      document,
      document.map((text) => text.replaceAll('"', "'")),
    ),
    damage,
  )
  .map(([text, blows]) => {
    let broken = text
    for (const [place, length, fragment] of blows) {
      const at = place % (broken.length + 1)
      broken = broken.slice(0, at) + fragment + broken.slice(at + length)
    }
    return broken
  })
const anything = fc.oneof(
  damaged,
  fc.array(fragments, { maxLength: 30 }).map((parts) => parts.join('')),
)

function streamed(text: string, size: number, partial: boolean): JsonRepair {
  const stream = new JsonStream({ partial })
  for (let at = 0; at < text.length; at += size) stream.push(text.slice(at, at + size))
  return stream.finish()
}

/** Compares values in which `constructor` may be a key, which the matchers of the test runner take for a class. */
function expectSame(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) expect(JSON.stringify(found)).toBe(`different from ${JSON.stringify(expected)}`)
}

/** The region of the value with the changes made. */
function mended(text: string, { edits, start, end }: Extract<JsonRepair, { ok: true }>): string {
  const pieces: string[] = []
  let at = start
  for (const edit of edits) {
    const next = edit.start + edit.before.length
    expect(edit.start).toBeGreaterThanOrEqual(at)
    expect(text.slice(edit.start, next)).toBe(edit.before)
    pieces.push(text.slice(at, edit.start), edit.after)
    at = next
  }
  expect(at).toBeLessThanOrEqual(end)
  return [...pieces, text.slice(at, end)].join('')
}

describe('for every text', () => {
  test('the changes make it the JSON of the value, which needs no more changes', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(anything, fc.boolean(), (text, partial) => {
        const result = repairJson(text, { partial })
        if (!result.ok) return
        const repaired = mended(text, result)
        expectSame(JSON.parse(repaired), result.value)
        expect(streamed(repaired, repaired.length + 1, false)).toMatchObject({ ok: true, edits: [], cut: 'none' })
      }),
      { numRuns: 1500 },
    )
  })

  test('any chunking gives the same result', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(anything, fc.integer({ min: 1, max: 20 }), fc.boolean(), (text, size, partial) => {
        expectSame(streamed(text, size, partial), streamed(text, text.length + 1, partial))
      }),
      { numRuns: 1000 },
    )
  })

  test('right JSON is read without changes, whole and in a stream', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(document, fc.integer({ min: 1, max: 20 }), (text, size) => {
        const value: unknown = JSON.parse(text)
        expectSame(repairJson(text), { ok: true, value, edits: [], start: 0, end: text.length, cut: 'none' })
        expectSame(streamed(text, size, false), repairJson(text))
      }),
      { numRuns: 500 },
    )
  })

  test('a preview of JSON that is cut anywhere can be shown, and what it settled stays', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(fc.array(json, { minLength: 1, maxLength: 4 }), fc.nat(), (items, place) => {
        const text = JSON.stringify(items)
        const whole: unknown[] = JSON.parse(text)
        const result = repairJson(text.slice(0, 1 + (place % text.length)), { partial: true })
        const value = result.ok ? (result.value as unknown[]) : []
        expect(result.ok).toBe(true)
        expectSame(value.slice(0, -1), whole.slice(0, Math.max(0, value.length - 1)))
      }),
      { numRuns: 1000 },
    )
  })
})
