import { expect, test } from 'vitest'
import { guardedParser } from '../../adapters/guarded-parser.ts'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'

/** A parser that never answers, with less time for the check than for the parser. */
function setUp() {
  let asked = 0
  const silent = { parse: () => new Promise<never>(() => asked++) }
  const parser = guardedParser(silent, { timeoutMs: 60_000 })
  const rules = contract({ checks: ['code_syntax'], timeoutMs: 100 })
  const judge = (turn: number, signal?: AbortSignal) =>
    check(rules, `\`\`\`json\n${turn}\n\`\`\`\n`, { ports: { parser }, ...(signal === undefined ? {} : { signal }) })
  return { parser, judge, asked: () => asked }
}

test('a parser that hangs for longer than the check may take is left alone after three times', async () => {
  const { parser, judge, asked } = setUp()
  for (const turn of [1, 2, 3]) expect((await judge(turn)).unchecked).toMatchObject([{ cause: 'timeout' }])
  expect(parser.state).toBe('open')
  expect((await judge(4)).unchecked).toMatchObject([{ cause: 'unavailable', reason: 'open' }])
  expect(asked()).toBe(3)
})

test('a caller that leaves says nothing about the parser', async () => {
  const { parser, judge } = setUp()
  for (const turn of [1, 2, 3, 4]) {
    const controller = new AbortController()
    const judged = judge(turn, controller.signal)
    controller.abort()
    expect((await judged).unchecked).toMatchObject([{ cause: 'aborted' }])
  }
  expect(parser.state).toBe('closed')
})
