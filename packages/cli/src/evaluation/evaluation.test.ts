import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { describe, expect, it, test } from 'vitest'
import { openCli } from '../cli.ts'
import { type Ended, folderWith, runCli } from '../testing/run-cli.ts'
import type { Evaluation } from './evaluation.ts'
import { type EvaluationSource, runEvaluation } from './run-evaluation.ts'

const config = `contracts:
  strict: { checks: [{ max_words: { limit: 7 } }, step_marker] }
  loose: { checks: [{ max_words: { limit: 9 } }] }
  outside: { checks: [{ remote: { name: rule, url: "http://127.0.0.1:1/" } }] }
`
const lines = [
  { id: 'a', text: 'one two three <!-- STEP: done -->' },
  { id: 'b', text: 'one two three' },
  { id: 'c', text: 'one two three four <!-- STEP: done -->', model: 'gpt-5-mini', usage: { prompt_tokens: 1000, completion_tokens: 500 } },
  { id: 'd', text: 'one two three four five six seven eight nine ten' },
]
const written = (all: readonly object[]): string => all.map((line) => `${JSON.stringify(line)}\n`).join('')
const files = { 'stickler.yaml': config, 'a.jsonl': written(lines) }

async function evaluate(argv: readonly string[], given: { readonly cwd?: string; readonly files?: Record<string, string> } = { files }) {
  const ended = await runCli(['eval', ...argv, '--json'], given)
  return { ...ended, report: parse(ended) }
}

function parse({ stdout, stderr }: Ended): Evaluation {
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as Evaluation
}

describe('a contract', () => {
  it('is summed up as the engine settles each answer', async () => {
    const { code, report } = await evaluate(['a.jsonl', '--contract', 'strict'])
    expect(code).toBe(0)
    expect(report).toMatchObject({
      answers: 4,
      statuses: { valid: 1, repaired: 1, unresolved: 2, unchecked: 0 },
      passed: 2,
      rules: [
        { rule: 'max_words/MAX_WORDS', answers: 2 },
        { rule: 'step_marker/MISSING_STEP_MARKER', answers: 1, fixed: 1 },
      ],
      classes: { lossless: 1 },
      actions: { deliver: 2, retry: 2 },
      intervals: { passed: { share: 0.5 } },
    })
    // 1500 tokens are sent again, by the list price of gpt-5-mini: $0.25 and $2 for a million.
    expect(report.retries).toEqual({
      answers: 2,
      measured: 1,
      priced: 1,
      usage: { promptTokens: 1500, completionTokens: 500, cost: expect.closeTo(0.001375, 9) },
    })
  })
  it('says the same from the cache, and after a change judges again', async () => {
    const cwd = await folderWith(files)
    const first = await evaluate(['a.jsonl', '--contract', 'strict'], { cwd })
    const second = await evaluate(['a.jsonl', '--contract', 'strict'], { cwd })
    expect([first.stderr, second.stderr]).toEqual(['', 'stickler: 4 of 4 verdicts were known already; --no-cache judges again\n'])
    expect(second.stdout).toBe(first.stdout)
    expect((await evaluate(['a.jsonl', '--contract', 'strict', '--no-cache'], { cwd })).stderr).toBe('')
    for (const change of [
      ['--repair', 'never'],
      ['--allow', 'lossy'],
      ['--locale', 'de'],
      ['--request', 'tag=x'],
    ])
      expect((await evaluate(['a.jsonl', '--contract', 'strict', ...change], { cwd })).stderr).toBe('')
    await writeFile(join(cwd, 'stickler.yaml'), config.replace('limit: 7', 'limit: 20'))
    expect((await evaluate(['a.jsonl', '--contract', 'strict'], { cwd })).report.statuses).toEqual({
      valid: 2,
      repaired: 2,
      unresolved: 0,
      unchecked: 0,
    })
  })
  it('reads journals that are torn, foreign or false', async () => {
    const cwd = await folderWith(files)
    const first = await evaluate(['a.jsonl', '--contract', 'strict'], { cwd })
    const [name = ''] = await readdir(join(cwd, '.stickler/verdicts'))
    const path = join(cwd, '.stickler/verdicts', name)
    const journal = await readFile(path, 'utf8')
    for (let cut = 0; cut < journal.length; cut += 17) {
      await writeFile(path, `${journal.slice(0, cut)}`)
      expect((await evaluate(['a.jsonl', '--contract', 'strict'], { cwd })).stdout).toBe(first.stdout)
      const kept = (await readFile(path, 'utf8')).split('\n').filter((line) => line.endsWith('}]'))
      expect(new Set(kept).size).toBe(4)
    }
    await writeFile(path, `[1]\n{}\nnull\n[["x"],{}]\n${journal.replaceAll('"valid"', '"fine"').replaceAll('"errors":[', '"errors":[1,')}`)
    expect((await evaluate(['a.jsonl', '--contract', 'strict'], { cwd })).stdout).toBe(first.stdout)
  })
  it('whose rules are outside is never kept unless that is asked for, and never when a check could not run', async () => {
    const cwd = await folderWith(files)
    for (const argv of [[], [], ['--cache-outside'], ['--cache-outside']]) {
      const { report, stderr } = await evaluate(['a.jsonl', '--contract', 'outside', ...argv], { cwd })
      expect(report.statuses.unchecked).toBe(4)
      expect(report.notes[0]).toMatch(/^not repeatable.*: rule asks a service; verdicts are/)
      expect(report.unchecked).toEqual({ 'rule unavailable': 4 })
      expect(stderr).toBe('')
    }
  })
  it('is hashed with the files of its plugins', async () => {
    const plugin = (word: string) => `import { word } from './word.mjs'
export const says = { name: 'says', summary: 's', options: { '~standard': { version: 1, vendor: 'x', validate: (value) => ({ value: value ?? {} }) } },
  codes: { SAYS: { severity: 'error', when: 'w', fix: 'f' } }, instruct: () => 'i',
  prepare: () => ({ *check({ text }) { if (!text.includes(word)) yield { kind: 'issue', code: 'SAYS', message: '${word}' } } }) }\n`
    const cwd = await folderWith({
      'stickler.yaml': 'plugins: [./says.mjs]\ncontracts: { own: { checks: [says] } }\n',
      'says.mjs': plugin('x'),
      'word.mjs': "export const word = 'two'\n",
      'a.jsonl': written(lines),
    })
    const first = await evaluate(['a.jsonl'], { cwd })
    expect(first.report.statuses).toMatchObject({ valid: 4 })
    expect((await evaluate(['a.jsonl'], { cwd })).stderr).toContain('4 of 4')
    await writeFile(join(cwd, 'word.mjs'), "export const word = 'six'\n")
    expect((await evaluate(['a.jsonl'], { cwd })).report.statuses).toMatchObject({ valid: 1, unresolved: 3 })
  })
})

describe('comparing', () => {
  it('shows exact flips by rule with examples, and says when there are too few', async () => {
    const { report } = await evaluate(['a.jsonl', '--contract', 'strict', '--against', 'loose'])
    expect(report.flips).toEqual([
      { from: 'valid', to: 'unresolved', rule: 'max_words/MAX_WORDS', answers: 1, examples: ['c'] },
      { from: 'valid', to: 'repaired', rule: '', answers: 1, examples: ['b'] },
    ])
    expect(report.comparison).toMatchObject({ pairs: 4, changed: 2, better: 0, worse: 1, otherRules: 1 })
    expect(report.comparison).not.toHaveProperty('p')
    expect(report.reference?.statuses).toEqual({ valid: 3, repaired: 0, unresolved: 1, unchecked: 0 })
    const { stdout } = await runCli(['eval', 'a.jsonl', '--contract', 'strict', '--against', 'loose'], { files })
    expect(stdout).toContain('too few to say (fewer than 20)')
  })
  it('judges a second answer with an id under its own key, also against a baseline', async () => {
    const cwd = await folderWith({ ...files, 'twice.jsonl': written([...lines.slice(0, 1), { id: 'a', text: 'one two three four' }]) })
    const { code, report } = await evaluate(['twice.jsonl', '--contract', 'strict', '--min-valid', '1'], { cwd })
    expect([code, report.answers, report.statuses.unresolved]).toEqual([1, 2, 1])
    const base = ['--contract', 'strict', '--baseline', 'base.jsonl']
    await runCli(['eval', 'a.jsonl', ...base, '--bless'], { cwd })
    const against = await evaluate(['twice.jsonl', ...base, '--max-new-failures', '0'], { cwd })
    expect([against.code, against.report.comparison?.added]).toEqual([1, { answers: 1, failures: 1, examples: ['a#2'] }])
    await runCli(['eval', 'twice.jsonl', ...base, '--bless'], { cwd })
    expect((await evaluate(['twice.jsonl', ...base, '--max-new-failures', '0'], { cwd })).code).toBe(0)
  })
  it('with a baseline knows what is new and what is missing, and counts neither as a pass', async () => {
    const cwd = await folderWith(files)
    const base = ['--contract', 'strict', '--baseline', 'base.jsonl']
    expect((await runCli(['eval', 'a.jsonl', ...base], { cwd })).stderr).toBe(
      'stickler: there is no baseline base.jsonl; --bless writes it\n',
    )
    expect((await runCli(['eval', 'a.jsonl', ...base, '--bless'], { cwd })).code).toBe(0)
    expect(await readFile(join(cwd, 'base.jsonl'), 'utf8')).toBe(
      [
        '{"id":"a","status":"valid","codes":[]}',
        '{"id":"b","status":"repaired","codes":[]}',
        '{"id":"c","status":"unresolved","codes":["max_words/MAX_WORDS"]}',
        '{"id":"d","status":"unresolved","codes":["max_words/MAX_WORDS","step_marker/MISSING_STEP_MARKER"]}',
        '',
      ].join('\n'),
    )
    const gate = [...base, '--max-new-failures', '0']
    expect((await evaluate(['a.jsonl', ...gate], { cwd })).code).toBe(0)
    const change = async (all: readonly object[]) => {
      await writeFile(join(cwd, 'a.jsonl'), written(all))
      return evaluate(['a.jsonl', ...gate], { cwd })
    }
    // In any order.
    expect((await change([...lines].reverse())).code).toBe(0)
    const missing = await change(lines.slice(1))
    expect([missing.code, missing.report.comparison?.missing]).toEqual([1, { answers: 1, failures: 1, examples: ['a'] }])
    expect((await change(lines.slice(0, 3))).code).toBe(0)
    const added = await change([...lines, { id: 'e', text: 'one two three four' }])
    expect([added.code, added.report.comparison?.added]).toEqual([1, { answers: 1, failures: 1, examples: ['e'] }])
    expect((await change([...lines, { id: 'e', text: 'one' }])).code).toBe(0)
    const worse = await change([{ id: 'a', text: 'one two three four' }, ...lines.slice(1)])
    expect([worse.code, worse.report.flips?.[0]]).toMatchObject([1, { from: 'valid', to: 'unresolved', examples: ['a'] }])
  })
  test.each([
    ['a line that is none', '{"id":"a"}\n', 'base.jsonl:1: this is not a line of a baseline'],
    ['no JSON', '{"id":"a","sta', 'base.jsonl:1: this is not a line of a baseline'],
    [
      'another order',
      '{"id":"b","status":"valid","codes":[]}\n{"id":"a","status":"valid","codes":[]}\n',
      'base.jsonl:2: the ids are not in order',
    ],
    [
      'an id twice',
      '{"id":"b","status":"valid","codes":[]}\n{"id":"b","status":"valid","codes":[]}\n',
      'base.jsonl:2: the ids are not in order',
    ],
    ['an unknown status', '{"id":"b","status":"great","codes":[]}\n', 'base.jsonl:1: this is not a line of a baseline'],
  ])('with %s refuses the baseline', async (_what, baseline, message) => {
    const given = { files: { ...files, 'base.jsonl': baseline } }
    const { code, stderr } = await runCli(['eval', 'a.jsonl', '--contract', 'loose', '--baseline', 'base.jsonl'], given)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})

describe('gates', () => {
  test.each<[argv: readonly string[], code: number]>([
    [['--min-valid', '0.5'], 0],
    [['--min-valid', '50%'], 0],
    [['--min-valid', '0.51'], 1],
    [['--max-unchecked', '0'], 0],
    [['--against', 'loose', '--max-new-failures', '1'], 0],
    [['--against', 'loose', '--max-new-failures', '0'], 1],
    [['--max-new-failures', '0'], 2],
    [['--min-valid', '1.5'], 2],
    [['--min-valid', 'NaN'], 2],
    [['--against', 'loose', '--baseline', 'x'], 2],
    [['--bless'], 2],
    [['--against', 'none'], 2],
    [['--from', 'stickler', 'gone.jsonl'], 2],
  ])('%j exit with %i', async (argv, code) => {
    expect((await runCli(['eval', 'a.jsonl', '--contract', 'strict', ...argv], { files })).code).toBe(code)
  })
  it('count what could not be checked as no pass', async () => {
    const { code, report } = await evaluate(['a.jsonl', '--contract', 'outside', '--min-valid', '0.01', '--max-unchecked', '3'])
    expect([code, report.gates.map(({ passed }) => passed)]).toEqual([1, [false, false]])
  })
  it('fail without answers, and an evaluation of nothing does too', async () => {
    const errored = '{"custom_id":"r1","result":{"type":"errored","error":{"type":"x"}}}\n'
    const empty = { files: { ...files, 'a.jsonl': errored } }
    const { code, report } = await evaluate(['a.jsonl', '--contract', 'loose', '--min-valid', '0', '--max-unchecked', '0'], empty)
    expect([code, report.gates]).toEqual([
      1,
      [
        { gate: 'min-valid', limit: 0, passed: false },
        { gate: 'max-unchecked', limit: 0, passed: false },
      ],
    ])
    expect((await evaluate(['a.jsonl', '--contract', 'loose'], empty)).code).toBe(1)
    expect((await runCli(['eval', 'a.jsonl', '--contract', 'loose'], { files: { ...files, 'a.jsonl': '\n' } })).code).toBe(2)
  })
  it('are read from the configuration, by contract, and checked there', async () => {
    const own = `${config}evaluation:\n  strict: { minValid: 0.9, maxUnchecked: 0 }\n`
    const { code, report } = await evaluate(['a.jsonl', '--contract', 'strict'], { files: { ...files, 'stickler.yaml': own } })
    expect([code, report.gates.length]).toEqual([1, 2])
    expect((await evaluate(['a.jsonl', '--contract', 'loose'], { files: { ...files, 'stickler.yaml': own } })).code).toBe(0)
    const over = await evaluate(['a.jsonl', '--contract', 'strict', '--min-valid', '0.4'], { files: { ...files, 'stickler.yaml': own } })
    expect(over.code).toBe(0)
    for (const [wrong, message] of [
      ['strcit: { minValid: 0.9 }', 'strict'],
      ['strict: { minValid: 95 }', 'minValid'],
      ['strict: { minVaild: 0.9 }', 'minVaild'],
    ]) {
      const broken = { ...files, 'stickler.yaml': `${config}evaluation:\n  ${wrong}\n` }
      const { code: ended, stderr } = await runCli(['eval', 'a.jsonl', '--contract', 'strict'], { files: broken })
      expect([ended, stderr]).toEqual([2, expect.stringMatching(new RegExp(`stickler\\.yaml:6:.*${message}`))])
    }
  })
})

describe('a baseline of the configuration', () => {
  const own = { ...files, 'stickler.yaml': `${config}evaluation:\n  strict: { baseline: base.jsonl }\n` }
  it('is what --bless writes', async () => {
    const cwd = await folderWith(own)
    expect(await runCli(['eval', 'a.jsonl', '--contract', 'strict', '--bless'], { cwd })).toMatchObject({
      code: 0,
      stderr: 'stickler: wrote the verdicts on 4 answers to base.jsonl\n',
    })
    expect(await readFile(join(cwd, 'base.jsonl'), 'utf8')).toMatch(/^\{"id":"a","status":"valid"/)
  })
  it('is ignored with --against, which is said', async () => {
    const { code, stderr } = await runCli(['eval', 'a.jsonl', '--contract', 'strict', '--against', 'loose'], { files: own })
    expect([code, stderr]).toEqual([0, 'stickler: the baseline base.jsonl of the configuration is ignored, because of --against\n'])
  })
})

it('closes its contracts when answers cannot be made', async () => {
  const cwd = await folderWith(files)
  let closed = 0
  const silent = () => Object.assign(new Writable({ write: (_chunk, _encoding, done) => done() }), { isTTY: false })
  const stdin = Object.assign(Readable.from([]), { isTTY: false })
  const { signal } = new AbortController()
  const cli = openCli({ stdin, stdout: silent(), stderr: silent(), env: {}, cwd, now: () => 0, signal })
  const source: EvaluationSource = {
    name: 'prompts',
    at: () => 0,
    generate: async ({ judges }) => {
      for (const judge of judges) Object.assign(judge, { close: async () => void closed++ })
      throw new Error('no journal')
    },
  }
  await expect(runEvaluation(source, { contract: 'strict', against: 'loose', cache: false }, cli)).rejects.toThrow('no journal')
  expect(closed).toBe(2)
})

describe('labels', () => {
  it('give precision and recall by rule, and what would be blocked wrongly', async () => {
    const labels = ['good', 'good', 'good', 'bad']
    const labelled = lines.map((line, at) => ({ ...line, label: labels[at] }))
    const { report } = await evaluate(['a.jsonl', '--contract', 'strict'], { files: { ...files, 'a.jsonl': written(labelled) } })
    expect(report.labels).toEqual({
      good: 3,
      bad: 1,
      unchecked: 0,
      caught: 1,
      wronglyBlocked: 1,
      precision: 0.5,
      recall: 1,
      rules: [
        { rule: 'max_words/MAX_WORDS', caught: 1, wronglyBlocked: 1, precision: 0.5, recall: 1 },
        { rule: 'step_marker/MISSING_STEP_MARKER', caught: 1, wronglyBlocked: 0, precision: 1, recall: 1 },
      ],
      examples: ['c'],
    })
  })
})

describe('a contract that needs the parser', () => {
  it.each([
    ['is switched off', { AVAP_PARSER_TIMEOUT: '0' }, 2],
    ['does not answer', { AVAP_PARSER_URL: 'grpc://127.0.0.1:9', AVAP_PARSER_TIMEOUT: '0.5' }, 3],
  ] as const)('is not evaluated where it %s, unless that is allowed', async (_case, env, code) => {
    const given = { files: { 'a.jsonl': written([{ id: 'a', text: '```avap\naddVar(a, 1)\n```' }]) }, env }
    const refused = await runCli(['eval', 'a.jsonl', '--preset', 'avap'], given)
    expect(refused.code).toBe(code)
    expect(refused.stderr).toContain('the contract needs the parser')
    const allowed = await runCli(['eval', 'a.jsonl', '--preset', 'avap', '--allow-unchecked', '--json'], given)
    expect(JSON.parse(allowed.stdout)).toMatchObject({ answers: 1, statuses: { unchecked: 1 } })
  })
})

describe('bad records', () => {
  it('are counted by reason, and answers that cannot be read fail the evaluation', async () => {
    const bad = `${written(lines)}{"id":"e","text":7}\nnot json\n{"id":"f","text":"x","message":{"role":"assistant","content":"y"}}\n`
    const { code, report } = await evaluate(['a.jsonl', '--contract', 'loose'], { files: { ...files, 'a.jsonl': bad } })
    expect(code).toBe(1)
    expect(report.answers).toBe(4)
    const { unusable, faults, records } = report.recordings
    expect(Object.values(unusable).reduce((sum, number) => sum + number, faults)).toBe(3)
    expect(records).toBe(7)
  })
  it('are never blessed', async () => {
    const cwd = await folderWith({ ...files, 'a.jsonl': '{"id":"f","text":"x","message":{"role":"assistant","content":"y"}}\n' })
    expect(await runCli(['eval', 'a.jsonl', '--contract', 'loose', '--baseline', 'b.jsonl', '--bless'], { cwd })).toMatchObject({ code: 2 })
    expect(await readdir(cwd)).not.toContain('b.jsonl')
  })
})

test('an answer that is nested too deeply is a fault, and the others are judged', async () => {
  const deep = `{"id":"deep","message":{"role":"assistant","content":"x","extra":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`
  const files = { 'a.jsonl': `${deep}\n{"id":"fine","text":"x"}\n` }
  const { code, stdout } = await runCli(['eval', 'a.jsonl', '--from', 'stickler', '--check', 'repetition', '--json'], { files })
  expect([code, JSON.parse(stdout)]).toMatchObject([
    1,
    { answers: 1, recordings: { faults: 1, examples: [{ id: 'deep', message: 'it is nested too deeply' }] } },
  ])
})
