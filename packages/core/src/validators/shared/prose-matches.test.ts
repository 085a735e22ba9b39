import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AnswerReader } from '../../answer/reader.ts'
import { issue } from '../../contract/issue.ts'
import { prepareMachine } from '../../contract/machine/machine-run.ts'
import type { CheckContext, IncrementalCheck } from '../../contract/validator.ts'
import { beginnings, ProseMatches } from './prose-matches.ts'

const pattern = /\[x{1,3}\]|\bTODO\b/g

const { incremental } = prepareMachine(
  (reading) =>
    new ProseMatches(reading, {
      pattern,
      begins: beginnings('[', 'T'),
      unfinished: /(?:\[x{0,3}|\bTO?D?O?)$/,
      reach: 5,
      code: false,
      judge: ({ found, span }) => reading.wrong({ start: span.start, at: span.end, issue: () => issue('FOUND', found, { span }) }),
    }),
)
const start = () => incremental?.({ locale: 'en' } as CheckContext) as IncrementalCheck

test('text in which nothing begins is released at once, and the outline is not read', () => {
  const stream = start()
  const reader = new AnswerReader()
  Object.defineProperty(reader, 'closed', { get: () => expect.fail('the outline is read') })
  let length = 0
  for (const chunk of ['Wh', 'a', 't', ' is this', ', ', 'a sTaTe?', '\n\n', 'No', '.']) {
    length += chunk.length
    reader.push(chunk)
    expect(stream.push(chunk, reader)).toEqual({ safe: length })
  }
})

test('whatever the chunks, the first match is found where it is', () => {
  const part = fc.constantFrom('[', 'x', ']', 'T', 'TO', 'DO', 'TODO', ' ', 'ä', '_', 'a', '\n\n', '1')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), fc.infiniteStream(fc.integer({ min: 1, max: 5 })), (parts, sizes) => {
      const text = `${parts.join('')}\n\nEnd.\n\n`
      const stream = start()
      const reader = new AnswerReader()
      let failedAt: number | undefined
      for (let at = 0; at < text.length && failedAt === undefined; ) {
        const chunk = text.slice(at, at + (sizes.next().value ?? 1))
        at += chunk.length
        reader.push(chunk)
        const { safe, failure } = stream.push(chunk, reader)
        failedAt = failure && safe
      }
      expect(failedAt).toBe(new RegExp(pattern.source).exec(text)?.index)
    }),
  )
})
