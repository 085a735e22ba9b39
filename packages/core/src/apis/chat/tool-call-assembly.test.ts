import { describe, expect, it } from 'vitest'
import type { ChoiceEnd } from '../shared/choice-event.ts'
import { chatWire } from './chat-wire.ts'

/** The calls that the chat wire reads out of deltas of `tool_calls`. */
function assemble(deltas: readonly unknown[]): unknown {
  let end: ChoiceEnd | undefined
  const see = (_choice: number, event: { readonly type: string }): void => {
    if (event.type === 'end') end = event as ChoiceEnd
  }
  const reader = chatWire.readStream({ count: 1, alwaysEnds: false, see, head: () => {}, receive: () => {} })
  for (const tool_calls of deltas) reader.take('', JSON.stringify({ choices: [{ index: 0, delta: { tool_calls } }] }))
  reader.end()
  return end?.toolCalls
}

const delta = (index: number | undefined, id: string | null | undefined, name: unknown, args: unknown): unknown => ({
  ...(index === undefined ? {} : { index }),
  ...(id === undefined ? {} : { id }),
  function: { name, arguments: args },
})
const a = { id: 'a', name: 'f', arguments: '{"x":1}' }
const b = { id: 'b', name: 'g', arguments: '{}' }

describe('pieces of tool calls', () => {
  it('N93 finds a call by its id among as many as there may be', { timeout: 60_000 }, () => {
    const ids = Array.from({ length: 10_000 }, (_, at) => `i${at}`)
    const pieces = [ids.map((id) => delta(undefined, id, 'f', '{')), ids.map((id) => delta(undefined, id, '', '}'))]
    expect(assemble(pieces)).toEqual(ids.map((id) => ({ id, name: 'f', arguments: '{}' })))
  })

  it.each<[string, unknown[], unknown]>([
    [
      'id only in the first piece',
      [[delta(0, 'a', 'f', '')], [delta(0, undefined, undefined, '{"x"')], [delta(0, null, null, ':1}')]],
      [a],
    ],
    [
      'interleaved',
      [
        [delta(0, 'a', 'f', '{"x'), delta(1, 'b', 'g', '{')],
        [delta(1, undefined, undefined, '}')],
        [delta(0, undefined, undefined, '":1}')],
      ],
      [a, b],
    ],
    ['indexes out of order', [[delta(1, 'b', 'g', '{}')], [delta(0, 'a', 'f', '{"x":1}')]], [a, b]],
    ['no index, whole calls', [[delta(undefined, 'a', 'f', '{"x":1}'), delta(undefined, 'b', 'g', '{}')]], [a, b]],
    [
      'no index, pieces',
      [[delta(undefined, 'a', 'f', '{"x"')], [delta(undefined, undefined, undefined, ':1}')], [delta(undefined, 'b', 'g', '{}')]],
      [a, b],
    ],
    [
      'no index, id in every piece',
      [[delta(undefined, 'a', 'f', '{"x"')], [delta(undefined, 'b', 'g', '{}')], [delta(undefined, 'a', '', ':1}')]],
      [a, b],
    ],
    [
      'neither index nor id',
      [[delta(undefined, undefined, 'f', '1'), delta(undefined, undefined, 'g', '2')]],
      [
        { name: 'f', arguments: '1' },
        { name: 'g', arguments: '2' },
      ],
    ],
    [
      'one index for all, as Ollama sends it',
      [[delta(0, 'a', 'f', '{"x":1}')], [delta(0, 'b', 'g', '{')], [delta(0, undefined, undefined, '}')]],
      [a, b],
    ],
    ['name repeated', [[delta(0, 'a', 'f', '{"x"')], [delta(0, 'a', 'f', ':1}')]], [a]],
    ['name in pieces', [[delta(0, 'a', 'get_', '')], [delta(0, undefined, 'it', '{}')]], [{ id: 'a', name: 'get_it', arguments: '{}' }]],
    [
      'cut inside an escape',
      [[delta(0, 'a', 'f', '"\\u00')], [delta(0, undefined, undefined, 'e9"')]],
      [{ id: 'a', name: 'f', arguments: '"\\u00e9"' }],
    ],
    ['arguments as an object', [[delta(0, 'a', 'f', { x: 1 })]], [a]],
    ['id after the name', [[delta(0, undefined, 'f', '{"x":1}')], [delta(0, 'a', undefined, undefined)]], [a]],
    ['a huge index', [[delta(4_000_000_000, 'a', 'f', '{"x":1}')]], [a]],
    ['N94 neither name nor arguments', [[delta(0, 'a', '', '')]], []],
    ['nonsense', [null, 7, 'x', {}, [null, 7, 'x', {}, { function: null }, { function: 7 }, { index: 'one', function: { name: 7 } }]], []],
  ])('%s', (_, deltas, expected) => {
    expect(assemble(deltas)).toEqual(expected)
  })
})

it('numbers calls anew whose number cannot be the place in a list', () => {
  const reader = chatWire.readStream({ count: 1, alwaysEnds: false, isGuarded: true, see: () => {}, head: () => {}, receive: () => {} })
  const places = [
    [delta(2 ** 53 - 1, 'a', 'f', '{"x"')],
    [delta(undefined, 'b', 'g', '{}')],
    [delta(2 ** 53 - 1, undefined, '', ':1}')],
  ].map((calls) => {
    const { data } = reader.take('', JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: calls } }] }))
    return JSON.parse(data).choices[0].delta.tool_calls[0].index
  })
  expect(places).toEqual([0, 1, 0])
})
