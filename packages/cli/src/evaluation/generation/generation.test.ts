import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folderWith, runCli } from '../../testing/run-cli.ts'
import type { Evaluation } from '../evaluation.ts'

/** A model that counts its calls, and is long at first and brief when it is asked again. */
async function startModel(reply: (call: number) => string | number | object = () => 'one two three four') {
  const bodies: { messages: { content: string }[]; model: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      const asked = JSON.parse(body) as (typeof bodies)[number]
      bodies.push(asked)
      const content = asked.messages.length > 1 ? 'one two' : reply(bodies.length)
      if (typeof content === 'number') return response.writeHead(content).end('{"error":{"message":"no"}}')
      if (typeof content === 'object') {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write(JSON.stringify(content).slice(0, 'cut' in content ? -9 : undefined))
        return 'cut' in content ? setTimeout(() => response.destroy(), 20) : response.end()
      }
      const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }]
      const usage = { prompt_tokens: 1000, completion_tokens: 1000 }
      response.writeHead(200, { 'content-type': 'application/json' })
      return response.end(JSON.stringify({ id: 'x', object: 'chat.completion', created: 1, model: asked.model, choices, usage }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { bodies, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
}

const config = (url: string) => `upstreams:
  - { name: small, kind: openai, baseUrl: "${url}", model: s, price: { prompt: 1, completion: 3 } }
  - { name: large, kind: openai, baseUrl: "${url}", model: l }
contracts:
  brief: { checks: [{ max_words: { limit: 3 } }], retries: 1 }
  loose: { checks: [{ max_words: { limit: 9 } }], retries: 1 }
`
const prompts = '{"id":"p1","prompt":"Well?"}\n{"id":"p2","messages":[{"role":"user","content":"And?"}]}\n'

async function setUp(reply?: Parameters<typeof startModel>[0]) {
  const model = await startModel(reply)
  const written = config(model.url)
  const cwd = await folderWith({ 'stickler.yaml': written, 'prompts.jsonl': prompts })
  const run = (...argv: string[]) => runCli(['eval', '--prompts', 'prompts.jsonl', '--json', ...argv], { cwd })
  const report = async (...argv: string[]) => {
    const { code, stdout, stderr } = await run(...argv)
    return { code, stderr, ...(JSON.parse(stdout === '' ? 'null' : stdout) as Evaluation) }
  }
  return { ...model, cwd, run, report }
}

test('prompts are answered and enforced for real, by every model, and no call is paid for twice', async () => {
  const { bodies, report } = await setUp()
  const first = await report('--contract', 'brief', '--upstream', 'small,large', '--min-valid', '1')
  expect([first.code, first.answers, first.statuses.valid, bodies.length]).toEqual([0, 4, 4, 8])
  expect(first.models).toMatchObject([
    { model: 'small', answers: 2 },
    { model: 'large', answers: 2 },
  ])
  // Each retry of the model with a price: 1000 tokens at $1 and 1000 at $3 for a million.
  expect(first.retries).toMatchObject({ answers: 4, usage: { promptTokens: 4000, cost: expect.closeTo(0.008, 9) } })
  expect((await report('--contract', 'brief', '--upstream', 'small,large')).statuses).toEqual(first.statuses)
  expect(bodies.length).toBe(8)
  // The first answers are the same under another contract.
  const second = await report('--contract', 'brief', '--against', 'loose', '--upstream', 'small,large')
  expect([second.reference?.statuses.valid, second.reference?.retries.answers, bodies.length]).toEqual([4, 0, 8])
  await report('--contract', 'brief', '--upstream', 'small', '--no-cache')
  expect(bodies.length).toBe(12)
})

test('every repetition asks anew, and has its own key', async () => {
  const { bodies, report } = await setUp((call) => `answer ${call}`)
  const { answers, cases } = await report('--contract', 'brief', '--upstream', 'small', '--repeat', '3', '--texts')
  expect([answers, bodies.length]).toEqual([6, 6])
  expect(new Set(cases.rows.map(({ text }) => text)).size).toBe(6)
  expect(cases.rows.map(({ id }) => id)).toContain('p2@small#3')
  await report('--contract', 'brief', '--upstream', 'small', '--repeat', '4')
  expect(bodies.length).toBe(8)
})

test('the budget stops before a call, what is missing is no pass, and a larger one continues', async () => {
  const { bodies, report } = await setUp()
  const argv = ['--contract', 'loose', '--upstream', 'small', '--repeat', '5', '--min-valid', '0.5']
  // A call costs $0.004.
  const stopped = await report(...argv, '--budget-usd', '0.015')
  expect([stopped.code, stopped.answers, stopped.recordings.faults, bodies.length]).toEqual([1, 4, 6, 4])
  expect(stopped.notes.join()).toContain('the budget is spent')
  const done = await report(...argv, '--budget-usd', '1')
  expect([done.code, done.answers, bodies.length]).toEqual([0, 10, 10])
})

test.each([
  ['without a choice', { id: 'x', object: 'chat.completion', choices: [], usage: { prompt_tokens: 1000, completion_tokens: 1000 } }, 1],
  // The connection broke, so the call is repeated twice before it has failed.
  ['that breaks off', { cut: true, choices: [{ message: { content: 'one' } }] }, 3],
])('an answer %s is paid for too, so that the budget ends with it', async (_name, body, calls) => {
  const { bodies, report } = await setUp(() => body)
  const argv = ['--contract', 'loose', '--upstream', 'small', '--repeat', '6', '--min-valid', '0.5', '--budget-usd', '0.004']
  const { code, answers, notes } = await report(...argv)
  expect([bodies.length, code, answers, notes.join()]).toEqual([calls, 1, 0, expect.stringContaining('the budget is spent')])
})

test('a call that is turned away costs nothing', async () => {
  const { bodies, report } = await setUp((call) => (call <= 2 ? 400 : 'one'))
  const { answers } = await report('--contract', 'loose', '--upstream', 'small', '--repeat', '2', '--budget-usd', '0.005')
  expect([answers, bodies.length]).toEqual([2, 4])
})

test('a call that fails is not kept, and is made again', async () => {
  const { bodies, report, run } = await setUp((call) => (call <= 2 ? 400 : 'one'))
  const { code, stderr } = await run('--contract', 'loose', '--upstream', 'small')
  expect([code, stderr]).toEqual([3, expect.stringContaining('no model has answered')])
  expect((await report('--contract', 'loose', '--upstream', 'small')).answers).toBe(2)
  expect(bodies.length).toBe(4)
})

test('a journal that is torn or false costs at most the calls that it has lost', async () => {
  const { bodies, report, cwd } = await setUp()
  const argv = ['--contract', 'loose', '--upstream', 'small']
  await report(...argv)
  const path = join(cwd, '.stickler/calls.jsonl')
  const journal = await readFile(path, 'utf8')
  await writeFile(path, journal.slice(0, -20))
  expect((await report(...argv)).answers).toBe(2)
  expect(bodies.length).toBe(3)
  await writeFile(path, `{"key":"x"}\nnull\n[]\n${journal.replaceAll('"type":"text"', '"type":"other"')}`)
  expect((await report(...argv)).answers).toBe(2)
  expect(bodies.length).toBe(5)
})

test.each<[argv: readonly string[], files: Record<string, string>, message: string]>([
  [['--upstream', 'none'], {}, 'none'],
  [[], {}, '--prompts needs --upstream'],
  [['--upstream', 'small,small'], {}, 'each once'],
  [['--upstream', 'large', '--budget-usd', '1'], {}, 'needs the price of l'],
  [['--upstream', 'small', '--budget-usd', '0'], {}, 'Write an amount'],
  [['--upstream', 'small', 'a.jsonl'], {}, 'no recordings to name'],
  [['--upstream', 'small'], { 'prompts.jsonl': '{"prompt":7}\n' }, 'prompts.jsonl:1: needs either prompt'],
  [
    ['--upstream', 'small'],
    { 'prompts.jsonl': '{"id":"a","prompt":"x"}\n{"id":"a","prompt":"x"}\n' },
    'prompts.jsonl:2: the id "a" occurs twice',
  ],
  [['--upstream', 'small'], { 'prompts.jsonl': '\n' }, 'there are no prompts'],
])('%j with %j is refused', async (argv, files, message) => {
  const given = { 'stickler.yaml': config('http://127.0.0.1:1/v1'), 'prompts.jsonl': prompts, ...files }
  const { code, stderr } = await runCli(['eval', '--prompts', 'prompts.jsonl', '--contract', 'brief', ...argv], { files: given })
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})
