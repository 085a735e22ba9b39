import { expect, test } from 'vitest'
import { writtenAnswer } from './written-answer.ts'

const [first, second] = [
  { decision: 'retry', text: 'one', finishReason: 'length' },
  { decision: 'deliver', text: 'two', finishReason: 'stop' },
]
const failed = { decision: 'failed' }

test.each([
  ['the one that was delivered', [first, second], true, { text: 'two', finishReason: 'stop' }],
  ['an earlier one that was delivered', [second, first], true, { text: 'two', finishReason: 'stop' }],
  ['the last one with a text', [first, failed], true, { text: 'one', finishReason: 'length' }],
  ['the text of the run, if nothing changed it', [], false, { text: 'last' }],
  ['nothing, if only a changed text is kept', [], true, { missing: 'text not kept' }],
  [
    'no changed text of an attempt without one',
    [{ decision: 'deliver', finishReason: 'stop' }],
    true,
    { finishReason: 'stop', missing: 'text not kept' },
  ],
])('what the model wrote is %s', (_, attempts, isChanged, expected) => {
  expect(writtenAnswer({ attempts, text: 'last', isChanged })).toEqual(expected)
})
