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
    ['Sure, here: ', 'Here you are: {"a": 1}', '{"a": 1}'],
    ['Sure, here: ', 'Sure, here you are: {"a": 1}', '{"a": 1}'],
    ['Sure, here:', ' Here you are:\n\n{"a": 1}', '\n\n{"a": 1}'],
    ['Sure! Here is the table:\n\n', 'Certainly! Here is the table:\n\n| a |', '| a |'],
    ['Sure! Here is the table:\n\n', 'Sure! | a |', '| a |'],
    ['Klar, hier ist es:\n', 'Gerne! Hier ist die Fortsetzung:\n\nEins.', 'Eins.'],
    ['The price is 5. ', 'Here is the corrected continuation: It is 6.', 'It is 6.'],
    ['The price is', 'I apologize for the mistake. Here is the rest:\n 6.', '\n 6.'],
    ['The price is, ', 'Understood. all in all, 6.', 'all in all, 6.'],
    ['Sure, here it is. ', 'Okay. Here are the points:\n- a', '- a'],
    ['Sure, here: the first is easy, ', 'Here you are: the second is too.', 'the second is too.'],
  ])('after %j, %j does not greet again', (delivered, reply, expected) => {
    for (const size of [1, 3, 7, reply.length]) {
      const chunks = Array.from({ length: Math.ceil(reply.length / size) }, (_, at) => reply.slice(at * size, (at + 1) * size))
      expect(goOn(delivered, chunks)).toBe(expected)
    }
  })

  test.each([
    ['Can I return it?\n\n', 'Of course! Within 14 days.'],
    ['The shop is open.\n\n', 'Here is the list:\n- a'],
    ['Dear Anna,\n\n', 'Thank you for your message. We are sorry.'],
    ['Sure, here is a letter:\n\nDear Anna,\n\n', 'Thank you for your message. We are sorry.'],
    ['Anna asked. ', 'Sure, it costs more, but it lasts.'],
    ['Sure, here are some. ', 'Surely there are more: one, two.'],
    ['Sure, here: ', 'Heres a typo: x'],
    ['You can find it ', 'here: https://example.com now.'],
    ['Sure, here: You can find it ', 'here: https://example.com now.'],
    ['Sure, here is a guide:\n\n## Setup\n\n', 'Here are the steps:\n1. a'],
    ['Sure, here is a guide:\n\n## Setup', '\n\nHere are the steps:\n1. a'],
    ['Sure, here is the FAQ:\n\nCan I return it?\n\n', 'Of course! Within 14 days.'],
    ['Sure, here is a scene:\n\nANNA: ', 'Sure! I will come.'],
    ['Sure. ', 'Right-handed people differ.'],
    ['Sure. ', 'Is it right? Yes.'],
  ])('after %j, %j is part of the answer', (delivered, reply) => {
    expect([goOn(delivered, [reply]), goOn(delivered, [...reply])]).toEqual([reply, reply])
  })

  test.each([
    ['contradicts it', 'The first half is red', 'The first half is blue', '\n\nThe first half is blue'],
    ['contradicts it behind a line', 'The first half is red.\n', ' The first half is blue', '\nThe first half is blue'],
    ['contradicts it behind a paragraph', 'The first half is red.\r\n\r\n', 'The first half is blue', 'The first half is blue'],
    ['starts over behind a second greeting', 'Here is the code:\n\n', 'Sorry! Here is the code:\n\nx', 'x'],
    ['starts over behind a greeting', 'It is red, I think.', 'Sorry! It is red, I think. No.', '\n\nSorry! It is red, I think. No.'],
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
