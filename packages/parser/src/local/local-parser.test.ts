import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ParserUnavailable } from '@stickler/core/validators'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { requireBuilt } from '../../../../e2e/support/require-built.ts'
import { type LocalParser, type LocalParserSettings, localParser } from './local-parser.ts'

beforeAll(() => requireBuilt(['core', 'parser']))

const open: LocalParser[] = []
afterEach(async () => {
  for (const parser of open.splice(0)) await parser.close()
})
/** For tests that leave it as it was. */
const shared = localParser(settingsWith())
afterAll(() => shared.close())

function start(settings: LocalParserSettings = {}, load = ''): LocalParser {
  const parser = localParser({ ...settingsWith(load), ...settings })
  open.push(parser)
  return parser
}

function settingsWith(load = ''): LocalParserSettings {
  const address = new URL('../testing/scripted-language.mjs', import.meta.url).href
  return { processes: 1, modules: { scripted: `${address}${load}` }, timeoutMs: 2000, memoryMb: 64 }
}

function noteFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stickler-parser-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'notes')
}

async function failureOf(parsing: Promise<unknown>): Promise<ParserUnavailable> {
  const failure = await parsing.then(
    (verdict) => expect.fail(`there is a verdict: ${JSON.stringify(verdict)}`),
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(ParserUnavailable)
  return failure as ParserUnavailable
}

describe('verdicts', () => {
  test.each([
    ['json', '{"a": 1}', 'valid'],
    ['JSON {1,3}', '{"a": }', 'invalid'],
    ['json title="a.json"', '[1', 'invalid'],
    ['json', '', 'invalid'],
    ['json', ' \n\t', 'invalid'],
    ['yaml', ' \n\t', 'valid'],
    ['json', '\ufeff', 'invalid'],
    ['', '{', 'unsupported'],
    ['   ', '{', 'unsupported'],
    ['klingon', '{', 'unsupported'],
    ['__proto__', '{', 'unsupported'],
    ['constructor', '{', 'unsupported'],
    ['toString', '', 'unsupported'],
  ])('%j %j is %s', async (tag, source, verdict) => {
    expect(await shared.parse(tag, source)).toMatchObject({ verdict })
  })

  test('all languages are listed, with those of modules', () => {
    expect(shared.languages()).toEqual(expect.arrayContaining(['json', 'scripted']))
  })

  test('faults are passed on', async () => {
    expect(await shared.parse('scripted', 'invalid Close the block.')).toEqual({
      verdict: 'invalid',
      trace: [{ line: 1, column: 1, endLine: 1, endColumn: 2, message: 'Close the block.' }],
    })
  })

  test('grammars see nothing of the environment', async () => {
    expect(await shared.parse('scripted', 'environment')).toMatchObject({ trace: [{ message: '{}' }] })
  })
})

describe('a snippet that ends its process', () => {
  test.each([
    ['hang', 'parsing took longer than 2000 ms'],
    ['deep', 'the code is nested too deeply to be parsed'],
    ['hoard', 'parsing took more memory than allowed'],
    ['segfault', 'the code is too much for the parser, which ended with SIGSEGV'],
    ['exit', 'the parser crashed: its thread ended'],
    ['throw', 'the parser crashed: no grammar for this'],
    ['uncopied', 'the parser crashed'],
  ])('%s: only that one has no verdict', async (deed, message) => {
    // Memory fills slowly on a busy machine.
    const parser = deed === 'hoard' ? start({ timeoutMs: 30_000 }) : shared
    const before = parser.parse('scripted', 'valid before')
    const failing = failureOf(parser.parse('scripted', deed))
    const after = parser.parse('scripted', 'valid after')
    expect(await before).toEqual({ verdict: 'valid' })
    const failure = await failing
    expect(failure).toMatchObject({ reason: 'too-hard' })
    expect(failure.message).toContain(message)
    expect(await after).toEqual({ verdict: 'valid' })
  })

  test('is parsed once more, and not for ever', async () => {
    const file = noteFile()
    const parser = start()
    for (let call = 0; call < 4; call++)
      expect(await failureOf(parser.parse('scripted', `note-and-segfault ${file}`))).toMatchObject({ reason: 'too-hard' })
    expect(readFileSync(file, 'utf8')).toBe('..')
    expect(await parser.parse('scripted', 'valid')).toEqual({ verdict: 'valid' })
  })
})

describe('a grammar that does not load', () => {
  test.each([
    ['?load=throw', 'the grammar did not load: no grammar for this'],
    ['?load=never', 'the grammar did not load within 3000 ms'],
    ['?load=segfault', 'the parser process ended with SIGSEGV'],
    ['.not-there', 'the grammar did not load: Cannot find module'],
  ])('%s: is a fault, and other languages go on', async (load, message) => {
    const parser = start(load === '?load=never' ? { loadMs: 3000 } : {}, load)
    const failure = await failureOf(parser.parse('scripted', 'valid'))
    expect(failure).toMatchObject({ reason: 'fault' })
    expect(failure.message).toContain(message)
    expect(await parser.parse('json', '1')).toEqual({ verdict: 'valid' })
  })

  test('loading is told from parsing, once for each process', async () => {
    const parser = start({}, '?load=wait 100')
    const loading = parser.load?.('Scripted {1}')
    expect(loading).toBeInstanceOf(Promise)
    await loading
    expect([parser.load?.('scripted'), parser.load?.('klingon')]).toEqual([undefined, undefined])
    await failureOf(parser.parse('scripted', 'segfault'))
    await parser.load?.('scripted')
    expect(await parser.parse('scripted', 'valid')).toEqual({ verdict: 'valid' })
  })

  test('loading is not charged to the snippet', async () => {
    expect(await start({ timeoutMs: 300 }, '?load=wait 600').parse('scripted', 'valid')).toEqual({ verdict: 'valid' })
  })
})

describe('limits', () => {
  test('code over the size limit is not parsed, whatever its characters', async () => {
    const parser = start({ maxBytes: 100 })
    expect(await parser.parse('json', `"${'x'.repeat(98)}"`)).toEqual({ verdict: 'valid' })
    expect(await failureOf(parser.parse('json', `"${'x'.repeat(99)}"`))).toMatchObject({ reason: 'too-large' })
    expect(await failureOf(parser.parse('json', `"${'é'.repeat(50)}"`))).toMatchObject({ reason: 'too-large' })
    expect(await failureOf(shared.parse('json', `${' '.repeat(5 * 1024 * 1024)}1`))).toMatchObject({ reason: 'too-large' })
  })

  test('snippets share processes: one is started, a second one when it is busy, and no third', async () => {
    const parser = start({ processes: 2 })
    const pids = async (...sources: readonly string[]) => {
      const verdicts = await Promise.all(sources.map((source) => parser.parse('scripted', source)))
      return new Set(verdicts.map((verdict) => (verdict.verdict === 'invalid' ? verdict.trace[0].message : expect.fail('no process'))))
    }
    const [first] = [...(await pids('pid 0')), ...(await pids('pid 1')), ...(await pids('pid 2'))]
    expect(await pids('pid 3')).toEqual(new Set([first]))
    const seen = new Set<string>()
    // The second takes its time to start; what is parsed meanwhile is parsed by the first.
    for (let round = 1; seen.size < 2 || round < 3; round++)
      for (const pid of await pids(...[0, 1, 2, 3].map((at) => `pid ${500 + 4 * round + at}`))) seen.add(pid)
    expect(seen.size).toBe(2)
  })

  test('more snippets than may wait are refused', async () => {
    const parser = start({ queue: 1 })
    await parser.parse('scripted', 'valid')
    const first = [parser.parse('scripted', 'valid 1'), parser.parse('scripted', 'valid 2')]
    expect(await failureOf(parser.parse('scripted', 'valid 3'))).toMatchObject({ reason: 'fault' })
    expect(await Promise.all(first)).toEqual([{ verdict: 'valid' }, { verdict: 'valid' }])
  })

  test('callers take turns, also when one of them has filled the queue', async () => {
    const parser = start({ queue: 4 })
    await parser.parse('scripted', 'valid')
    const ended: string[] = []
    const parse = (source: string, caller: string) =>
      parser.parse('scripted', source, undefined, caller).then(
        () => ended.push(caller),
        ({ message }) => ended.push(`${caller}: ${message}`),
      )
    const many = ['wait 100', 'wait 101', 'wait 102', 'wait 103', 'wait 104'].map((source) => parse(source, 'a'))
    await Promise.all([...many, parse('valid b', 'b'), parse('valid c', 'c')])
    const dropped = 'a: 4 snippets are already waiting to be parsed'
    expect(ended).toEqual([dropped, dropped, 'a', 'a', 'b', 'c', 'a'])
  })

  test('the same snippet is parsed once', async () => {
    const file = noteFile()
    const parser = start()
    for (let call = 0; call < 3; call++) await parser.parse('scripted', `note ${file}`)
    expect(readFileSync(file, 'utf8')).toBe('.')
  })
})

test.each([{ processes: 0 }, { timeoutMs: -1 }, { loadMs: Number.NaN }, { maxBytes: 0 }, { memoryMb: 0 }, { queue: 0 }])(
  'the settings %j are refused',
  (settings) => {
    expect(() => localParser(settings)).toThrow(`${Object.keys(settings)[0]}: must be a positive number`)
  },
)

describe('a caller that gives up after a while', () => {
  test('is told before that the snippet is too hard, which is known from then on', async () => {
    const parser = start({ timeoutMs: 1000 })
    await parser.parse('scripted', 'valid')
    expect(await failureOf(parser.parse('scripted', 'hang', undefined, undefined, 300))).toMatchObject({ reason: 'too-hard' })
    // The process had more time, and is replaced at its own limit.
    expect(await parser.parse('scripted', 'valid after')).toEqual({ verdict: 'valid' })
    await failureOf(parser.parse('scripted', 'hang'))
    const known = await failureOf(parser.parse('scripted', 'hang', AbortSignal.abort()))
    expect(known).toMatchObject({ reason: 'too-hard', message: 'parsing took longer than 1000 ms' })
  })

  test('a snippet that had to wait is not to blame', async () => {
    const parser = start()
    await parser.parse('scripted', 'valid')
    const slow = parser.parse('scripted', 'wait 600')
    expect(await parser.parse('scripted', 'wait 601', undefined, undefined, 700)).toEqual({ verdict: 'valid' })
    await slow
  })
})

describe('aborting', () => {
  test('a caller that left has no verdict, and the others have theirs', async () => {
    const parser = start()
    const controller = new AbortController()
    const running = failureOf(parser.parse('scripted', 'wait 300', controller.signal))
    const waiting = failureOf(parser.parse('scripted', 'valid waiting', controller.signal))
    const other = parser.parse('scripted', 'valid other')
    controller.abort()
    expect([await running, await waiting]).toMatchObject([{ reason: 'aborted' }, { reason: 'aborted' }])
    expect(await other).toEqual({ verdict: 'valid' })
    expect(await failureOf(parser.parse('scripted', 'valid', controller.signal))).toMatchObject({ reason: 'aborted' })
  })

  test('closing ends what runs and what waits', async () => {
    const parser = start()
    const parsing = ['hang', 'valid'].map((source) => failureOf(parser.parse('scripted', source)))
    await parser.close()
    expect(await Promise.all(parsing)).toMatchObject([{ message: 'the parser is closed' }, { message: 'the parser is closed' }])
    expect(await failureOf(parser.parse('scripted', 'valid'))).toMatchObject({ message: 'the parser is closed' })
  })
})

describe('the host process', () => {
  const entry = new URL('../../dist/index.js', import.meta.url).href
  const run = (code: string) =>
    promisify(execFile)(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { localParser } from '${entry}'\nconst parser = localParser({ processes: 1, modules: ${JSON.stringify(settingsWith().modules)} })\n${code}`,
      ],
      { timeout: 30_000 },
    )

  test('ends by itself after the last verdict, without close', async () => {
    const { stdout } = await run(`console.log((await parser.parse('json', '1')).verdict)`)
    expect(stdout).toBe('valid\n')
  })

  test('waits for what comes after a snippet that ended its process, and for close', async () => {
    const { stdout } = await run(`
      for (const source of ['deep', 'valid']) console.log(await parser.parse('scripted', source).catch(({ reason }) => reason))
      await parser.close()
      console.log('closed')`)
    expect(stdout).toBe(`too-hard\n{ verdict: 'valid' }\nclosed\n`)
  })

  test('that is killed takes along a process that hangs', async () => {
    const parsing = run(`
      const { trace } = await parser.parse('scripted', 'pid')
      console.log(trace[0].message)
      parser.parse('scripted', 'hang').catch(() => {})
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300)
      await new Promise(() => {})`)
    const { stdout, signal } = await parsing.then(
      () => expect.fail('the host was not killed'),
      (error: { stdout: string; signal: string }) => error,
    )
    expect(signal).toBe('SIGKILL')
    await expect.poll(() => isRunning(Number(stdout)), { timeout: 10_000 }).toBe(false)
  })
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
