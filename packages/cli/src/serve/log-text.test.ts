import { describe, expect, it } from 'vitest'
import type { Paint } from '../terminal/paint.ts'
import { logText } from './log-text.ts'

const plain = Object.fromEntries(['red', 'green', 'yellow', 'cyan', 'bold', 'dim'].map((name) => [name, (text: string) => text])) as Paint
const marked = { ...plain, red: (text: string) => `<${text}>` }
const time = Date.UTC(2026, 10, 18, 9, 5, 7, 42)

describe('a log line on a terminal', () => {
  it.each<[string, object | string, string]>([
    [
      'a run',
      { level: 'info', time, model: 'gpt-5', verdict: 'valid', ms: 12, stream: true, codes: ['A', 'B'], msg: 'run' },
      '09:05:07.042 info  run model=gpt-5 verdict=valid ms=12 stream=true codes=A,B\n',
    ],
    ['no message', { level: 'warn', time, event: 'unchecked' }, '09:05:07.042 warn  event=unchecked\n'],
    [
      'an error',
      { level: 'error', time, err: { type: 'TypeError', code: 'EPIPE', frames: ['at x'] }, msg: 'it failed' },
      '09:05:07.042 error it failed error.type=TypeError error.code=EPIPE\n',
    ],
    ['a value with spaces', { level: 'info', time, reason: 'a "b" = c' }, '09:05:07.042 info  reason="a \\"b\\" = c"\n'],
    [
      'what a terminal would act on',
      { level: 'info', time, msg: 'a\u001b[31m\n\u202eb', model: '\u001b]0;x\u0007' },
      '09:05:07.042 info  a\\x1b[31m\\n\\u202eb model=\\x1b]0;x\\x07\n',
    ],
    ['what is no line of the log', 'half a {"line\u001b', 'half a {"line\\x1b\n'],
    ['another value', '[1,2]', '[1,2]\n'],
  ])('%s', (_, line, text) => {
    expect(logText(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`, plain)).toBe(text)
  })

  it('has the colour of its level, and several stay several', () => {
    const line = (level: string) => `${JSON.stringify({ level, time, msg: 'm' })}\n`
    expect(logText(line('error') + line('info'), marked)).toBe('09:05:07.042 <error> m\n09:05:07.042 info  m\n')
  })
})
