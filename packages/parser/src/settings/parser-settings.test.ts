import { ConfigurationError } from '@stickler/core'
import { describe, expect, test } from 'vitest'
import { parserSettings } from './parser-settings.ts'

const folder = '/etc/stickler'
const settle = (written: Parameters<typeof parserSettings>[0], env: Record<string, string> = {}) => parserSettings(written, { env, folder })
const refusal = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError)
    return error instanceof Error ? error.message : ''
  }
  return 'nothing was refused'
}

describe('what is used', () => {
  test('without a word, the local parser', () => {
    const preload = ['bash', 'javascript', 'python']
    expect(settle(undefined)).toEqual({ kind: 'local', preload, timeoutMs: 2000, breaker: { failures: 3, openMs: 30_000 } })
  })

  test.each([
    [true, true],
    [false, []],
    [['sql'], ['sql']],
  ])('preload: %j', (preload, expected) => {
    expect(settle({ preload })).toMatchObject({ preload: expected })
    expect(refusal(() => settle({ preload, url: 'grpc://parser:1' }))).toContain('needs the local parser')
  })

  test('the service that the environment names', () => {
    const env = {
      AVAP_PARSER_URL: 'grpc://parser:50051',
      AVAP_PARSER_TIMEOUT: '0.25',
      PARSER_CB_THRESHOLD: '7',
      PARSER_CB_COOLDOWN: '1.5',
    }
    expect(settle(undefined, env)).toEqual({
      kind: 'service',
      service: { target: 'parser:50051', secure: false, url: 'grpc://parser:50051', messageLimit: 4 * 1024 * 1024 },
      timeoutMs: 250,
      breaker: { failures: 7, openMs: 1500 },
    })
  })

  test('what the key says comes before the environment, setting by setting', () => {
    const env = { AVAP_PARSER_URL: 'grpc://elsewhere:1', AVAP_PARSER_TIMEOUT: '9', PARSER_CB_THRESHOLD: '9' }
    expect(settle({ url: 'grpcs://parser:443', ca: 'ca.pem', breaker: { cooldown: 2 } }, env)).toMatchObject({
      kind: 'service',
      service: { target: 'parser:443', secure: true, ca: '/etc/stickler/ca.pem' },
      timeoutMs: 9000,
      breaker: { failures: 9, openMs: 2000 },
    })
    expect(settle('local', env)).toMatchObject({ kind: 'local', timeoutMs: 9000 })
    expect(settle('grpc://parser:2', env)).toMatchObject({ service: { url: 'grpc://parser:2' } })
  })

  test.each(['0', '0.0', '.0'])('a timeout of %s switches the parser off', (timeout) => {
    expect(settle('grpc://parser:1', { AVAP_PARSER_TIMEOUT: timeout })).toMatchObject({ kind: 'disabled', timeoutMs: 0 })
    expect(settle(undefined, { AVAP_PARSER_TIMEOUT: timeout })).toMatchObject({ kind: 'disabled' })
  })

  test('a very short timeout is still one', () => {
    expect(settle(undefined, { AVAP_PARSER_TIMEOUT: '0.0000001' })).toMatchObject({ kind: 'local', timeoutMs: 1 })
  })

  test('an empty variable counts as absent', () => {
    const names = ['AVAP_PARSER_URL', 'AVAP_PARSER_TIMEOUT', 'PARSER_CB_THRESHOLD', 'PARSER_CB_COOLDOWN']
    expect(settle(undefined, Object.fromEntries(names.map((name) => [name, ''])))).toEqual(settle(undefined))
  })

  test.each([
    ['grpc://parser.example:50051', 'parser.example:50051'],
    ['GRPC://Parser.Example:50051/', 'parser.example:50051'],
    ['grpc://[::1]:50051', '[::1]:50051'],
    ['grpc://127.0.0.1:80', '127.0.0.1:80'],
    ['grpcs://parser:443', 'parser:443'],
    ['grpc://bücher.example:00080', 'xn--bcher-kva.example:80'],
  ])('reads %s', (url, target) => {
    expect(settle(url).service).toMatchObject({ target })
  })
})

describe('what is refused', () => {
  test.each([
    ['AVAP_PARSER_TIMEOUT', ['2s', '-1', 'NaN', 'Infinity', '1e3', ' 2', '0x10', '1,5', '86401', '999999999', 'two', '١']],
    ['PARSER_CB_THRESHOLD', ['0', '-3', '2.5', 'three', '10001', '1e2', ' ']],
    ['PARSER_CB_COOLDOWN', ['0', '0.0', '-1', '30s', '86401', '']],
    [
      'AVAP_PARSER_URL',
      ['parser', 'parser:50051', 'grpc:parser:1', 'grpc://', 'grpc://parser', 'grpc://parser:0', 'grpc://parser:65536', ' grpc://a:1'],
    ],
    [
      'AVAP_PARSER_URL',
      [
        'grpc://a:1/x',
        'grpc://a:1?x=1',
        'grpc://a:1#x',
        'grpc://a b:1',
        'grpc://a:1\n',
        'grpc://[::1:1',
        'grpc://a\\b:1',
        'grpc://a:1:2',
        'grpc://a\tb:1',
        'grpc://:1',
        'local',
      ],
    ],
  ])('a malformed %s names the variable', (name, values) => {
    for (const value of values.filter((one) => one !== '')) {
      const message = refusal(() => settle('local', { [name]: value }))
      expect(message, JSON.stringify(value)).toMatch(new RegExp(`^${name}: must `))
    }
  })

  test('every malformed variable is reported', () => {
    expect(
      refusal(() => settle(undefined, { AVAP_PARSER_URL: 'x', AVAP_PARSER_TIMEOUT: 'y', PARSER_CB_COOLDOWN: 'z' })).split('\n'),
    ).toHaveLength(3)
  })

  test.each([
    ['http://parser:1', 'did you mean grpc://?'],
    ['HTTPS://parser:1', 'did you mean grpcs://?'],
    ['grcp://parser:1', 'did you mean grpc://?'],
    ['parser:1', 'such as grpc://127.0.0.1:50051'],
    ['toString://x:1', 'such as grpc://127.0.0.1:50051'],
  ])('%s is told what was meant', (url, advice) => {
    expect(refusal(() => settle(url))).toContain(advice)
    expect(refusal(() => settle(undefined, { AVAP_PARSER_URL: url }))).toContain(advice)
  })

  test('the name of the parser in this process is told where it is misspelt', () => {
    expect(refusal(() => settle('locl'))).toMatch(/^parser\.url: must begin with grpc.*; did you mean local\?$/)
  })

  test('no secret is repeated', () => {
    for (const url of ['grpc://user:hunter2@parser:1', 'http://user:hunter2@parser:1', 'grpc://parser:1/?token=hunter2', 'hunter2://x']) {
      expect(
        refusal(() => settle(undefined, { AVAP_PARSER_URL: url })),
        url,
      ).not.toContain('hunter2')
      expect(
        refusal(() => settle(url)),
        url,
      ).not.toContain('hunter2')
    }
  })

  test('authorities for a service without TLS', () => {
    for (const url of ['grpc://parser:1', 'local', undefined]) {
      expect(refusal(() => settle({ ca: 'ca.pem', ...(url === undefined ? {} : { url }) }))).toBe(
        'parser.ca: needs a service with TLS; write its url with grpcs://',
      )
    }
  })

  test('a message limit without a service', () => {
    for (const url of ['local', undefined]) {
      expect(refusal(() => settle({ messageLimit: 4096, ...(url === undefined ? {} : { url }) }))).toBe(
        'parser.messageLimit: needs a service; write its url with grpc:// or grpcs://',
      )
    }
  })

  test.each([
    { timeout: -1 },
    { timeout: Number.NaN },
    { breaker: { failures: 0 } },
    { breaker: { cooldown: 0 } },
    { messageLimit: 1 },
    { url: 'x' },
  ])('the key %j', (written) => {
    expect(refusal(() => settle(written))).toMatch(/^parser\.[\w.]+: /)
  })
})
