import { expect, test } from 'vitest'
import type { Fields } from '../../answer/tool-shapes/fields.ts'
import { OnlyJudged } from './response-conflicts.ts'

const call = { id: 'i', call_id: 'c', status: 'completed', name: 'rm' }
const patch = { type: 'update_file', path: 'a.txt', diff: '+b' }

// Told text is that of its member: other texts of an item do something else.
test.each<readonly [kind: string, whole: string, item: Fields, texts: readonly (readonly [place: Fields, text: string])[]]>([
  ['custom_tool_call_input', 'input', { ...call, type: 'custom_tool_call', input: 'ls', action: { commands: ['su'] } }, [[{}, 'ls']]],
  [
    ...(['shell_call_command', 'command'] as const),
    { ...call, type: 'shell_call', input: 'su', action: { commands: ['ls', 'cat a'] } },
    [
      [{}, 'ls'],
      [{ command_index: 0 }, 'ls'],
      [{ command_index: 1 }, 'cat a'],
    ],
  ],
  ['apply_patch_call_operation_diff', 'diff', { ...call, type: 'apply_patch_call', operation: patch, input: 'su' }, [[{}, '+b']]],
  [
    ...(['refusal', 'refusal'] as const),
    {
      ...call,
      type: 'message',
      content: [
        { type: 'refusal', refusal: 'No.' },
        { type: 'output_text', text: 'su' },
      ],
    },
    [[{ content_index: 0 }, 'No.']],
  ],
])('%s tells of its own member alone', (kind, whole, item, texts) => {
  const isTold = (...events: readonly Fields[]): boolean => {
    const judged = new OnlyJudged()
    for (const event of events) {
      const type = `response.${kind}.${'delta' in event ? 'delta' : 'done'}`
      judged.take('', type, { type, output_index: 0, item_id: 'i', ...event }, [])
    }
    return judged.isToldIn([item])
  }
  for (const [place, text] of texts) {
    expect(isTold({ ...place, delta: text }, { ...place, [whole]: text })).toBe(true)
    const others = ['rm', 'i', 'c', 'completed', 'su', 'a.txt', String(item.type), 'ls', 'cat a', '+b', 'No.'].filter((one) => one !== text)
    for (const other of others) {
      expect([other, isTold({ ...place, delta: other })]).toEqual([other, false])
      expect([other, isTold({ ...place, [whole]: other })]).toEqual([other, false])
    }
    // Clients join what is told of one member, whatever else the events say.
    expect(isTold({ ...place, delta: text }, { ...place, content_index: 1, delta: text })).toBe(false)
  }
})

test.each(['output_index', 'content_index'])('%s is the place in a list that a response may have', (name) => {
  const at = (index: number) => () => new OnlyJudged().take('', 'response.output_text.delta', { type: '', delta: 'a', [name]: index }, [])
  expect(at(10_000)).not.toThrow()
  for (const index of [10_001, 3e6, 2 ** 53, -1, 0.5]) expect(at(index)).toThrow(/list|index/)
})
