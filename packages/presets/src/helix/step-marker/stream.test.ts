import { Answer } from '@stickler/core'
import { AnswerReader } from '@stickler/core/internal/validators'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lastStepMarker } from './extract.ts'
import { stepMarker } from './index.ts'

const piece = fc.constantFrom(
  ...['<!-- STEP: done -->', '<!-- STEP: done -->', '<!-- STEP: foo -->', '<!-- STEP: foo -->', '<!-- STEP: what|why -->', '<!-- STEP:'],
  ...[
    '`',
    '`',
    '``',
    '```',
    '```md',
    '~~~',
    '\n',
    '\n',
    '\n\n',
    'text',
    ' ',
    '    ',
    '- ',
    '> ',
    '# ',
    '---',
    'a: 1',
    '<div>',
    '\\',
    '\r\n',
  ],
)
const texts = fc.array(piece, { maxLength: 16 }).map((pieces) => pieces.join(''))

const prepared = stepMarker.definition.prepare({ requireAtEnd: false, default: 'done' })
const context = { locale: 'en', context: {}, ports: {}, signal: new AbortController().signal } as const

/** How far a stream has been safe after each chunk. */
function safeAfter(chunks: readonly string[]): number[] {
  const reader = new AnswerReader()
  const stream = prepared.incremental?.(context)
  return chunks.map((chunk) => {
    reader.push(chunk)
    return stream?.push(chunk, reader).safe ?? -1
  })
}

test('a stream never shows the invalid marker that counts', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const safe = safeAfter([...text])
      for (let length = 1; length <= text.length; length++) {
        const marker = lastStepMarker(new Answer(text.slice(0, length)))
        if (marker && marker.step === undefined) expect(safe[length - 1]).toBeLessThanOrEqual(marker.span.start)
      }
    }),
    { numRuns: 1000 },
  )
})

test('a stream is as safe for every chunking', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.integer({ min: 1, max: 40 })), (text, sizes) => {
      const chunks: string[] = []
      let from = 0
      for (const size of sizes) {
        chunks.push(text.slice(from, from + size))
        from += size
      }
      chunks.push(text.slice(from))
      expect(safeAfter(chunks).at(-1)).toBe(safeAfter([text]).at(-1))
    }),
    { numRuns: 1000 },
  )
})

test('an invalid marker in inline code holds the text only until its paragraph ends', () => {
  expect(safeAfter(['Use `<!-- STEP: foo -->`', ' or so.\n', 'More.', '\n\n', 'Next'])).toEqual([5, 5, 5, 39, 43])
})
