import { expect, test } from 'vitest'
import { contract } from '../catalogue.ts'
import { ParserUnavailable, type SyntaxParser } from '../contract/syntax.ts'
import { enforce } from '../engine/enforce.ts'
import type { TraceEvent } from '../engine/trace.ts'
import type { Unchecked } from '../index.ts'
import { scripted } from '../runners/scripted.ts'
import { manualClock } from '../testing/manual-clock.ts'
import { guardedParser } from './guarded-parser.ts'

const code = '```python\nx\n```\n'

/** What the trace of one run says of the parser, in the event that its answer was checked. */
async function traced(parser: SyntaxParser): Promise<readonly Unchecked[]> {
  const events: TraceEvent[] = []
  const rules = contract({ checks: [{ code_syntax: { language: 'python' } }], retries: 0 })
  const runner = scripted([{ text: code }])
  const options = { contract: rules, runner, prompt: 'Go.', ports: { parser }, onEvent: (event: TraceEvent) => events.push(event) }
  await enforce(options)
  return events.flatMap((event) => (event.type === 'checked' ? event.unchecked : []))
}

test('K95: a call that is skipped, fails or probes says how it found the circuit', async () => {
  const clock = manualClock()
  let reply: () => Promise<never> = () => Promise.reject(new ParserUnavailable('gone', 'fault'))
  const service: SyntaxParser = { parse: () => reply() }
  const parser = guardedParser(service, { clock, failures: 2, openMs: 1000 })
  const found = async () => (await traced(parser)).map(({ reason, circuit }) => [reason, circuit])
  expect(await found()).toEqual([['fault', 'closed']])
  reply = () => Promise.reject(new Error('no parser at all'))
  expect(await found()).toEqual([['fault', 'closed']])
  expect(await found()).toEqual([['open', 'open']])
  clock.advance(1000)
  expect(await found()).toEqual([['fault', 'half-open']])
  expect(await found()).toEqual([['open', 'open']])
  clock.advance(1000)
  // One probes, and the others are skipped meanwhile.
  reply = () => new Promise(() => {})
  const probe = new AbortController()
  const probing = parser.parse('python', 'x', probe.signal).catch(({ circuit }: ParserUnavailable) => circuit)
  expect(await found()).toEqual([['open', 'half-open']])
  probe.abort()
  expect(await probing, 'a caller that gave up').toBeUndefined()
  expect(await traced(guardedParser(service, { timeoutMs: 0 }))).toMatchObject([{ reason: 'disabled', circuit: 'disabled' }])
  const small = guardedParser({ parse: () => Promise.reject(new ParserUnavailable('large', 'too-large')) }, { clock })
  for (const one of await traced(small)) expect(one).not.toHaveProperty('circuit')
})
