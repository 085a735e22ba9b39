import { expect, test } from 'vitest'
import { guardedParser } from '../../adapters/guarded-parser.ts'
import { contract } from '../../catalogue.ts'
import { ParserUnavailable, type SyntaxParser } from '../../contract/syntax.ts'
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

/** A parser that loads for longer than the check may take; then it answers, or says nothing. */
function slowToLoad(answers: boolean): SyntaxParser & { readonly loads: string[] } {
  const loaded = new Set<string>()
  const loads: string[] = []
  return {
    loads,
    load(language) {
      if (loaded.has(language)) return undefined
      loads.push(language)
      return new Promise((resolve) => setTimeout(resolve, 300)).then(() => void loaded.add(language))
    },
    parse: (language) => (answers && loaded.has(language) ? Promise.resolve({ verdict: 'valid' }) : new Promise(() => {})),
  }
}

const rules = contract({ checks: ['code_syntax'], timeoutMs: 100 })
const twoBlocks = '```json\n1\n```\n\n```sql\nSELECT 1\n```\n'

test('the time to load a language is not counted', async () => {
  const parser = slowToLoad(true)
  const guarded = guardedParser(parser)
  for (const turn of ['', 'x']) {
    const report = await check(rules, `${twoBlocks}${turn}`, { ports: { parser: guarded } })
    expect([report.unchecked, report.issues]).toEqual([[], []])
  }
  expect(parser.loads).toEqual(['json', 'sql'])
})

test('what comes after it is counted', async () => {
  expect((await check(rules, twoBlocks, { ports: { parser: slowToLoad(false) } })).unchecked).toMatchObject([{ cause: 'timeout' }])
})

test('a language that cannot be loaded leaves the code unchecked, and a caller can leave meanwhile', async () => {
  const refuse = async () => {
    throw new ParserUnavailable('no grammar', 'fault')
  }
  const parse = async () => ({ verdict: 'valid' }) as const
  expect((await check(rules, twoBlocks, { ports: { parser: { parse, load: refuse } } })).unchecked).toMatchObject([{ reason: 'fault' }])
  const signal = AbortSignal.timeout(200)
  const parser = { parse, load: () => new Promise<void>(() => {}) }
  expect((await check(rules, twoBlocks, { ports: { parser }, signal })).unchecked).toMatchObject([{ cause: 'aborted' }])
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
