import { EventEmitter, once } from 'node:events'
import { existsSync } from 'node:fs'
import { ConfigurationError, RunnerFailure } from '@stickler/core'
import { pino } from 'pino'
import { describe, expect, it, test } from 'vitest'
import { createLogger, type LoggingOptions } from './logger.ts'

function logging(options: Partial<LoggingOptions> = {}) {
  const written: string[] = []
  const made = createLogger({ level: 'debug', destination: { write: (text) => void written.push(text) }, ...options })
  const lines = (): string[] => {
    made.flush()
    return written.join('').split(/(?<=\n)/)
  }
  return {
    ...made,
    get lines() {
      return lines()
    },
    lost() {
      made.flush()
      return made.lost()
    },
    parsed: () => lines().map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}

const prompt = 'the quick brown prompt'

describe('only harmless fields', () => {
  const fields = {
    requestId: 'r1',
    status: 200,
    prompt,
    messages: [prompt],
    headers: { authorization: prompt },
    query: prompt,
    body: prompt,
  }

  it('keeps what is known and drops the rest', () => {
    const { logger, parsed } = logging()
    logger.info({ ...fields, codes: ['A', 7, 'B'], model: { prompt } }, 'request')
    expect(parsed()).toEqual([{ level: 'info', time: expect.any(Number), requestId: 'r1', status: 200, codes: ['A', 'B'], msg: 'request' }])
  })

  it.each([
    ['fields of a child', (log: ReturnType<typeof logging>['logger']) => log.child(fields).info('x')],
    ['a child of a child', (log) => log.child({ api: 'chat' }).child(fields).info({ text: prompt }, 'x')],
    ['values for placeholders', (log) => log.info('x %s %o', prompt, { prompt })],
    ['placeholders behind fields', (log) => log.info({ status: 200 }, 'x %s', prompt)],
    ['an error', (log) => log.error(new Error(prompt))],
    ['an error with a cause', (log) => log.error({ err: new Error('a', { cause: new Error(prompt) }) })],
    ['an error with many lines', (log) => log.error(new Error(`a\n    at ${prompt}\nb`), 'x')],
    ['an error whose stack is something else', (log) => log.error(Object.assign(new Error('a'), { stack: prompt }), 'x')],
    ['a failure with a body', (log) => log.error(new RunnerFailure('http', prompt, { body: prompt, stderr: prompt }), 'x')],
    ['a thrown text', (log) => log.error({ err: prompt }, 'x')],
    [
      'a syntax error that quotes',
      (log) =>
        log.error(
          thrown(() => JSON.parse(prompt)),
          'x',
        ),
    ],
    ['no object', (log) => log.info([prompt] as unknown as object, 'x')],
    ['a request of Node', (log) => log.info({ method: 'GET', url: prompt, headers: { a: prompt }, socket: {} }, 'x')],
  ] satisfies [string, (log: ReturnType<typeof logging>['logger']) => unknown][])('%s: no content', (_, write) => {
    const made = logging()
    const { logger } = made
    write(logger)
    expect(made.lines).toHaveLength(1)
    expect(made.lines.join()).not.toContain('brown')
  })

  it('tells of an error what it was and where', () => {
    const { logger, parsed } = logging()
    logger.error(new RunnerFailure('timeout', prompt))
    expect(parsed()[0]).toMatchObject({
      level: 'error',
      msg: '',
      err: { type: 'RunnerFailure', kind: 'timeout', frames: expect.arrayContaining([expect.stringMatching(/^at .*logger\.test\.ts/)]) },
    })
  })

  it('tells the messages of configurations and system calls', () => {
    const { logger, parsed } = logging()
    logger.error(new ConfigurationError([{ message: 'unknown key "x"; did you mean "y"?', path: ['a'] }]))
    logger.error(Object.assign(new Error('connect ECONNREFUSED'), { syscall: 'connect', code: 'ECONNREFUSED' }))
    expect(parsed()).toMatchObject([
      { err: { message: 'a: unknown key "x"; did you mean "y"?' } },
      { err: { message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' } },
    ])
  })

  it('cuts what is long', () => {
    const made = logging()
    const { logger } = made
    logger.info({ model: 'm'.repeat(1e6), codes: Array(1e5).fill('C'.repeat(1000)) }, 'x'.repeat(1e6))
    expect(made.lines.join().length).toBeLessThan(6000)
  })
})

describe('secrets', () => {
  const secret = 'a"b\\c-upstream-secret'

  it.each([
    ['a known secret', `before ${secret} after`],
    ['a key of a provider', 'key sk-proj-abcdef0123456789'],
    ['a bearer', 'authorization: Bearer abcdef0123456789'],
    ['a web token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0.abcdef0123456789'],
    ['credentials in an address', 'http://user:abcdef0123456789@host/v1'],
    ['the query of an address', 'http://host/v1?key=abcdef0123456789&x=1'],
    ['a named key', '{"api_key":"abcdef0123456789"}'],
    ['a password', 'password=abcdef0123456789'],
    ['a password behind a line break', 'password=abcdef0123456789\npassword=\nabcdef0123456789'],
    ['a password behind a control character', 'password=\u0001\babcdef0123456789'],
    ['a password in JSON in JSON', '{\\"password\\": \\"abcdef0123456789\\"}'],
  ])('%s is taken out', (_, text) => {
    const made = logging({ secrets: () => [secret, 'ab', ''] })
    const { logger, parsed } = made
    logger.child({ model: text }).warn({ reason: text, err: Object.assign(new Error(text), { syscall: 'x' }) }, text)
    expect(made.lines.join()).not.toMatch(/abcdef0123456789|upstream-secret|eyJzdWIi/)
    expect(parsed()[0]?.msg).toContain('[redacted]')
  })

  it.each(['skipped the skeleton of things', 'is it valid? yes = no', 'http://host/v1', 'basic checks', 'token limit of 4096'])(
    '%s stays',
    (text) => {
      const { logger, parsed } = logging({ secrets: () => ['ab'] })
      logger.info(text)
      expect(parsed()[0]?.msg).toBe(text)
    },
  )
})

test('one line per event, whatever stands in it', () => {
  const made = logging()
  const { logger, parsed } = made
  const hostile = 'a\nb\r\u2028\u202e\u001b]52;c;x\u0007\u0000\u007f\u009b"}{\ud800'
  logger.info({ model: hostile }, hostile)
  expect(made.lines).toHaveLength(1)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  expect(made.lines[0]).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]|\n./)
  expect(parsed()[0]).toMatchObject({ msg: hostile, model: hostile })
})

test('levels are kept', () => {
  const { logger, parsed } = logging({ level: 'warn' })
  logger.info('no')
  logger.child({ api: 'chat' }).warn('yes')
  expect(parsed()).toMatchObject([{ level: 'warn', api: 'chat', msg: 'yes' }])
})

describe('a destination that fails', () => {
  it.each([
    ['throws', () => ({ write: () => thrower(Object.assign(new Error('full'), { code: 'ENOSPC' })) }), /ENOSPC/],
    ['throws something odd', () => ({ write: () => thrower('x') }), /failed/],
    ['is too slow', () => ({ write: () => {}, writableLength: 1e9 }), /slow/],
    [
      'reports errors',
      () => {
        const emitter = new EventEmitter()
        return Object.assign(emitter, { write: () => void emitter.emit('error', Object.assign(new Error('x'), { code: 'EPIPE' })) })
      },
      /EPIPE/,
    ],
  ])('%s: is counted, with one alert', (_, destination, told) => {
    const alerts: string[] = []
    const { logger, lost } = logging({ destination: destination(), alert: (message) => alerts.push(message) })
    for (let index = 0; index < 100; index++) logger.info('x')
    expect([lost(), alerts.length]).toEqual([100, 1])
    expect(alerts[0]).toMatch(told)
  })

  it.skipIf(!existsSync('/dev/full')).each([true, false])('is a full disk (written at once: %s)', async (sync) => {
    const destination = pino.destination({ dest: '/dev/full', sync, maxLength: 10_000 })
    await once(destination, 'ready')
    const alerts: string[] = []
    const { logger, lost } = logging({ destination, alert: (message) => alerts.push(message) })
    for (let index = 0; index < 10_000 && lost() <= 10; index++) {
      logger.info('x'.repeat(200))
      await new Promise((resolve) => setImmediate(resolve))
    }
    destination.destroy()
    expect([lost() > 10, alerts.length]).toEqual([true, 1])
  })

  it('may take its alert with it', () => {
    const { logger, lost } = logging({ destination: { write: () => thrower(new Error('x')) }, alert: () => thrower(new Error('y')) })
    logger.info('x')
    expect(lost()).toBe(1)
  })
})

function thrower(thing: unknown): never {
  throw thing
}

function thrown(task: () => unknown): unknown {
  try {
    task()
  } catch (error) {
    return error
  }
  return undefined
}
