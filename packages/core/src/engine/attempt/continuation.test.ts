import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Continuation } from './continuation.ts'

/** What a reply adds to the delivered text; undefined when it contradicts it. */
function goOn(delivered: string, chunks: readonly string[], restarts = false, ended = false): string | undefined {
  const continuation = new Continuation(delivered, restarts, ended)
  let text = ''
  for (const step of [...chunks.map((chunk) => () => continuation.push(chunk)), () => continuation.end()].map((take) => take())) {
    if (step.kind === 'contradiction') return undefined
    if (step.kind === 'text') text += step.text
  }
  return text
}

const long = Array.from({ length: 20 }, (_, index) => `Paragraph ${index} is here. `).join('')

describe('a continuation', () => {
  test.each([
    ['You get money back.', 'The refund takes a week.', true, ' The refund takes a week.'],
    ['He said “yes.”', 'Then he left.', true, ' Then he left.'],
    ['You get money back.', ' The refund takes a week.', true, ' The refund takes a week.'],
    ['You get money back. ', 'The refund takes a week.', true, 'The refund takes a week.'],
    ['See stickler.', 'example for more.', true, 'example for more.'],
    ['Call Math.', 'PI for it.', false, 'PI for it.'],
  ])('L95 after %j, %j keeps its distance only where both are sentences', (delivered, reply, ended, expected) => {
    expect([goOn(delivered, [reply], false, ended), goOn(delivered, [...reply], false, ended)]).toEqual([expected, expected])
  })

  test.each([
    ['goes on', 'The first half', [' and the second.'], ' and the second.'],
    ['repeats everything', 'The first half', ['The first half and', ' the second.'], ' and the second.'],
    ['repeats the quoted end', long, [`${long.slice(-200)}Next.`], 'Next.'],
    ['contradicts it', 'The first half is red', ['The first half is blue'], undefined],
    ['starts over', 'Hello wor', ['Hello there'], undefined],
    ['stops in the middle of a repetition', long, [long.slice(0, 100)], undefined],
    ['says nothing', 'The first half', [], ''],
    ['repeats and adds nothing', 'The first half', ['The first half'], ''],
    ['repeats everything behind a line break', 'The first half.\n\n', ['\nThe first half.\n\nThe second.'], 'The second.'],
    ['repeats the last words', 'Here is the record you wanted.\n\n', ['you wanted.\n\nThe second.'], 'The second.'],
    ['starts over behind a greeting', 'Here is the record you wanted.', ['Gladly! Here is the record you wanted. And more.'], undefined],
    ['starts over in a fence', 'Here is the record you wanted.', ['```markdown\nHere is the record you wanted. And more.\n```'], undefined],
    ['begins alike by chance', 'The first half of it. ', ['Then the second.'], 'Then the second.'],
    ['would be glued on in the middle of a word', 'The first half of i', ['Then the second.'], undefined],
    ['goes on in the middle of a word', 'The first half of i', ['t is done.'], 't is done.'],
    ['says the same in other words', 'Berlin is the capital of Franc', ['paris is the capital of France[^1].'], undefined],
  ])('%s', (_name, delivered, chunks, expected) => {
    expect(goOn(delivered, chunks)).toBe(expected)
  })

  test.each([
    ['contradicts it', 'The first half is red', 'The first half is blue', '\n\nThe first half is blue'],
    ['contradicts it behind a line', 'The first half is red.\n', ' The first half is blue', '\nThe first half is blue'],
    ['contradicts it behind a paragraph', 'The first half is red.\r\n\r\n', 'The first half is blue', 'The first half is blue'],
    ['starts over behind a greeting', 'Here is the code:\n\n', 'Sorry! Here is the code:\n\nx', 'Sorry! Here is the code:\n\nx'],
    ['repeats everything', 'The first half', 'The first half and the second.', ' and the second.'],
    ['goes on', 'The first half', ' and the second.', ' and the second.'],
  ])('that may start again %s', (_name, delivered, reply, expected) => {
    for (const size of [1, 3, reply.length]) {
      const chunks = Array.from({ length: Math.ceil(reply.length / size) }, (_, at) => reply.slice(at * size, (at + 1) * size))
      expect(goOn(delivered, chunks, true)).toBe(expected)
    }
  })

  test('is judged alike for every chunking', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '👍', '\n'), maxLength: 40 })
    fc.assert(
      fc.property(text, text, fc.boolean(), fc.integer({ min: 1, max: 7 }), (delivered, more, repeats, size) => {
        const reply = (repeats ? delivered : '') + more
        const chunks = Array.from({ length: Math.ceil(reply.length / size) }, (_, index) => reply.slice(index * size, (index + 1) * size))
        expect(goOn(delivered, chunks)).toBe(goOn(delivered, [reply]))
        if (repeats && delivered.trim() !== '' && more.trim() !== '') expect(goOn(delivered, [reply])?.trim()).toBe(more.trim())
      }),
    )
  })
})
