import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requireBuiltJudge } from '../../testing/built-judge.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'

const yaml = `
server: { port: 0, judging: { deadline: 2, memory: 64, threads: 1 } }
store: { url: 'sqlite::memory:', keepText: false }
plugins: [./breaker.mjs, ./steady.mjs, ./sloppy.cjs]
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }]
contracts:
  all: { checks: [breaker, steady, sloppy, { max_words: { limit: 3 } }], retries: 0 }
  repaired: { checks: [breaker, steady, json], retries: 0 }
routes: [{ model: all, upstream: up, contract: all }]
`
/** Changes prototypes when it is loaded; in sloppy code, a change of something frozen is silently not made. */
const sloppy = `
Array.prototype.map = Map.prototype.get = String.prototype.indexOf = null
Object.prototype.polluted = 1
exports.sloppy = {
  name: 'sloppy', summary: 'Is sloppy.', instruct: () => '',
  options: { '~standard': { version: 1, vendor: 'own', validate: (value) => ({ value }) } },
  codes: { SLOPPY: { severity: 'error', when: 'It says sloppy.', fix: 'Do not.' } },
  prepare: () => ({ check: ({ text }) => (text.includes('sloppy') ? [{ kind: 'issue', code: 'SLOPPY', message: 'Do not.' }] : []) }),
}`

let gateway: TestGateway
let folder = ''
beforeAll(async () => {
  requireBuiltJudge()
  folder = await mkdtemp(join(tmpdir(), 'stickler-breakage-'))
  for (const name of ['breaker', 'steady'])
    await copyFile(new URL(`../../testing/plugin-${name}.mjs`, import.meta.url), join(folder, `${name}.mjs`))
  await writeFile(join(folder, 'sloppy.cjs'), sloppy)
  gateway = await startTestGateway({ yaml, folder })
})
afterAll(async () => {
  await gateway.close(0)
  await rm(folder, { recursive: true, force: true })
})

interface Checked {
  readonly status: string
  readonly text?: string
  readonly issues: readonly { readonly code: string; readonly message: string }[]
  readonly unchecked?: readonly { readonly validator: string; readonly cause: string; readonly message: string }[]
}
const checked = async (text: string, contract = 'all'): Promise<Checked> =>
  (await gateway.post('/v1/check', { contract, text })).json() as Promise<Checked>

describe('a plugin that breaks what it shares with others', () => {
  test.each([
    ['ITERATOR', 'crash', /read only property 'Symbol\(Symbol.iterator\)'/],
    ['THENABLE', 'crash', /not extensible/],
    ['PROMISE', 'crash', /read only property 'then'/],
    ['DEFINED', 'crash', /Cannot redefine property: get/],
    ['INHERITED', 'crash', /not extensible/],
    ['EXIT', 'crash', /the judging thread ended/],
    ['LOOP', 'timeout', /longer than 2000 ms/],
    ['GLOBALS', undefined, undefined],
    ['OBJECT', undefined, undefined],
    ['PORT', undefined, undefined],
    ['TIMER', undefined, undefined],
    ['LATER', undefined, undefined],
    ['REJECTED', undefined, undefined],
  ])('%s: the others have their verdicts, at once and afterwards, and so has it', async (word, cause, message) => {
    const during = await checked(`${word} sloppy loud b c d`)
    expect(during.issues.map(({ code }) => code).sort()).toEqual(['LOUD', 'MAX_WORDS', 'SLOPPY'])
    if (cause !== undefined)
      expect(during.unchecked).toEqual([{ validator: 'breaker', cause, message: expect.stringMatching(message as RegExp) }])
    for (const one of during.unchecked ?? []) expect(one.validator).toBe('breaker')
    await new Promise((resolve) => setTimeout(resolve, 20))
    const after = await Promise.all([checked('all is well'), checked('so loud')])
    // What it has left running may take the next check with it, once.
    expect(after).toMatchObject([{ issues: [] }, { issues: [], text: 'so calm' }])
    await expect.poll(async () => (await checked('all is well')).status, { timeout: 10_000 }).toBe('valid')
  })

  test('its thread is replaced after a failure', async () => {
    const countOf = async (): Promise<string> => (await checked('COUNT')).issues.map(({ message }) => message).join()
    await expect.poll(countOf).toMatch(/^Checks: \d+\.$/)
    expect((await checked('DEFINED')).unchecked).toHaveLength(1)
    expect(await countOf()).toBe('Checks: 1.')
    expect(await countOf()).toBe('Checks: 2.')
  })

  test('repairs of several plugins and of Stickler itself are made beside it, each in its own thread', async () => {
    expect(await checked('{"a": "loud",}', 'repaired')).toMatchObject({ status: 'repaired', text: '{"a": "calm"}', issues: [] })
    const beside = await checked('{"a": "loud PROMISE",}', 'repaired')
    expect(beside).toMatchObject({ status: 'unchecked', text: '{"a": "calm PROMISE"}', issues: [] })
    expect(beside.unchecked?.map(({ validator }) => validator)).toEqual(['breaker'])
  })
})

test('a plugin that changes a prototype when it is loaded is a problem of the configuration', async () => {
  await writeFile(join(folder, 'early.mjs'), 'Promise.prototype.then = () => {}\nexport const a = 1')
  const broken = startTestGateway({ yaml: yaml.replace('./breaker.mjs', './early.mjs'), folder })
  await expect(broken).rejects.toThrow(
    /plugins\.0: \.\/early\.mjs could not be loaded: TypeError: Cannot assign to read only property 'then'.* \(line 1\)/,
  )
})
