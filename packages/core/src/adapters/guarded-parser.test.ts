import { describe, expect, it } from 'vitest'
import { ParserUnavailable, type SyntaxParser, type SyntaxVerdict } from '../contract/syntax.ts'
import type { NoVerdict } from '../contract/validator-unavailable.ts'
import { TimeLimit } from '../contract/validator-unavailable.ts'
import { manualClock } from '../testing/manual-clock.ts'
import { guardedParser, type ParserEvent, type ParserGuard } from './guarded-parser.ts'

type Reply = SyntaxVerdict | NoVerdict | 'silence' | Error

const invalid: SyntaxVerdict = { verdict: 'invalid', trace: [{ line: 1, column: 1, endLine: 1, endColumn: 2, message: 'unexpected "x"' }] }
const valid: SyntaxVerdict = { verdict: 'valid' }

/** A parser that plays one reply after the other, the last one for ever; `silence` ends only with its signal. */
function scripted(...replies: Reply[]) {
  const signals: AbortSignal[] = []
  let asked = 0
  const parser: SyntaxParser = {
    async parse(_language, _source, signal) {
      const reply = replies[Math.min(asked++, replies.length - 1)]
      if (signal !== undefined) signals.push(signal)
      if (reply === undefined || reply === 'silence') return new Promise(() => {})
      if (typeof reply === 'string') throw new ParserUnavailable(reply, reply)
      if (reply instanceof Error) throw reply
      return reply
    },
  }
  return { parser, signals, asked: () => asked, say: (...more: Reply[]) => replies.splice(0, replies.length, ...more) }
}

function guard(fake: { readonly parser: SyntaxParser }, settings: ParserGuard = {}) {
  const clock = manualClock()
  const events: ParserEvent[] = []
  const parser = guardedParser(fake.parser, { clock, onEvent: (event) => events.push(event), ...settings })
  const ask = async (signal?: AbortSignal): Promise<string> => {
    try {
      return (await parser.parse('python', 'x', signal)).verdict
    } catch (error) {
      return error instanceof ParserUnavailable ? error.reason : String(error)
    }
  }
  const circuits = () => events.flatMap((event) => (event.type === 'circuit' ? [event.state] : []))
  const results = () => events.flatMap((event) => (event.type === 'call' ? [event.result] : []))
  return { clock, events, parser, ask, circuits, results }
}

async function asked(times: number, ask: () => Promise<string>): Promise<string[]> {
  const said: string[] = []
  for (let count = 0; count < times; count++) said.push(await ask())
  return said
}

describe('G04: the circuit', () => {
  it('opens at exactly 3 faults in a row, and no call reaches the parser for 30 s', async () => {
    const fake = scripted('fault', 'fault', valid, 'fault')
    const { ask, parser, clock, circuits } = guard(fake)
    expect(await asked(5, ask)).toEqual(['fault', 'fault', 'valid', 'fault', 'fault'])
    expect(parser.state).toBe('closed')
    expect(await ask()).toBe('fault')
    expect(parser.state).toBe('open')
    // No timer can be waited for, because the clock stands still.
    expect(await asked(20, ask)).toEqual(Array.from({ length: 20 }, () => 'open'))
    expect([fake.asked(), clock.pending]).toEqual([6, 0])
    clock.advance(29_999)
    expect(await ask()).toBe('open')
    expect(fake.asked()).toBe(6)
    expect(circuits()).toEqual(['open'])
    // G09: nothing keeps a process alive.
    expect(clock.pending).toBe(0)
  })

  it('G06: six faults at once open it once, and the probe still comes', async () => {
    const fake = scripted('fault')
    const { ask, clock, circuits } = guard(fake)
    await Promise.all(Array.from({ length: 6 }, () => ask()))
    expect(fake.asked()).toBe(6)
    clock.advance(30_000)
    fake.say(valid)
    expect(await ask()).toBe('valid')
    expect(circuits()).toEqual(['open', 'half-open', 'closed'])
  })
})

describe('G05: half-open', () => {
  it('lets exactly one of 100 callers reach the parser; the others are refused at once', async () => {
    const fake = scripted('fault', 'fault', 'fault', 'silence')
    const { ask, clock, parser } = guard(fake)
    await asked(3, ask)
    clock.advance(30_000)
    expect(parser.state).toBe('half-open')
    const probe = new AbortController()
    const first = ask(probe.signal)
    const others: string[] = []
    const refused = Array.from({ length: 99 }, () => ask().then((said) => others.push(said)))
    // The probe never answers, so waiting for it would never end.
    await Promise.all(refused)
    expect(others.every((said) => said === 'open')).toBe(true)
    expect(fake.asked()).toBe(4)
    // A caller that gives up leaves the place of the probe to the next one.
    probe.abort()
    expect(await first).toBe('aborted')
    fake.say(valid)
    expect(await ask()).toBe('valid')
    expect(parser.state).toBe('closed')
  })
})

describe('G07: the probe', () => {
  it('opens the circuit again for the same time when it fails, however often', async () => {
    const fake = scripted('fault')
    const { ask, clock, circuits } = guard(fake)
    await asked(3, ask)
    for (let count = 0; count < 4; count++) {
      clock.advance(29_999)
      expect(await ask()).toBe('open')
      clock.advance(1)
      expect(await ask()).toBe('fault')
    }
    expect(fake.asked()).toBe(7)
    expect(circuits()).toEqual(['open', ...Array.from({ length: 4 }, () => ['half-open', 'open']).flat()])
  })

  it('closes the circuit when it succeeds, and the count begins anew', async () => {
    const fake = scripted('fault', 'fault', 'fault', invalid, 'fault', 'fault', 'fault')
    const { ask, clock, parser } = guard(fake)
    await asked(3, ask)
    clock.advance(30_000)
    expect(await asked(3, ask)).toEqual(['invalid', 'fault', 'fault'])
    expect(parser.state).toBe('closed')
    expect(await asked(2, ask)).toEqual(['fault', 'open'])
  })
})

describe('a call that takes too long', () => {
  it('ends at the limit, counts, is cancelled, and its late answer is ignored', async () => {
    const fake = scripted('silence')
    const { ask, clock, parser, results } = guard(fake)
    for (let count = 0; count < 3; count++) {
      const call = ask()
      await clock.advanceAsync(2000)
      expect(await call).toBe('fault')
    }
    expect(parser.state).toBe('open')
    expect(results()).toEqual(['timeout', 'timeout', 'timeout'])
    expect(fake.signals.every(({ aborted }) => aborted)).toBe(true)
    expect(clock.pending).toBe(0)
  })

  it('counts when the check that waits for it has less time, and not when most of that went by before', async () => {
    const fake = scripted('silence')
    const { ask, clock, parser, results } = guard(fake, { failures: 2 })
    const askFor = async (ms: number): Promise<string> => {
      const controller = new AbortController()
      const call = ask(controller.signal)
      await clock.advanceAsync(ms)
      controller.abort(new TimeLimit(500))
      return call
    }
    expect([await askFor(500), await askFor(100), await askFor(0), parser.state]).toEqual(['fault', 'aborted', 'aborted', 'closed'])
    expect([await askFor(300), parser.state]).toEqual(['fault', 'open'])
    expect(results()).toEqual(['timeout', 'aborted', 'aborted', 'timeout'])
  })

  it('leaves nothing behind on a signal that is used for many', async () => {
    const { signal } = new AbortController()
    let listeners = 0
    const counted = new Proxy(signal, {
      get(target, key) {
        if (key === 'addEventListener') return () => listeners++
        if (key === 'removeEventListener') return () => listeners--
        const value: unknown = Reflect.get(target, key, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const { ask, clock } = guard(scripted(valid, 'fault', invalid))
    for (let count = 0; count < 10; count++) await ask(counted)
    expect([listeners, clock.pending]).toEqual([0, 0])
  })
})

describe('G10: what the caller caused', () => {
  it.each([
    ['an invalid verdict', invalid, 'invalid'],
    ['an unknown language', { verdict: 'unsupported' } as const, 'unsupported'],
    ['code that is too large', 'too-large' as const, 'too-large'],
    ['code that is too hard', 'too-hard' as const, 'too-hard'],
    ['a request that is refused', 'refused' as const, 'refused'],
    ['a call that was aborted inside', 'aborted' as const, 'aborted'],
  ])('%s is not a failure', async (_name, reply, said) => {
    const { ask, parser, results } = guard(scripted(reply), { failures: 1 })
    expect(await asked(5, ask)).toEqual(Array.from({ length: 5 }, () => said))
    expect(parser.state).toBe('closed')
    expect(results()).toEqual(Array.from({ length: 5 }, () => said))
  })

  it('a caller that gives up is not a failure, before the call and during it', async () => {
    const fake = scripted('silence')
    const { ask, parser, clock } = guard(fake, { failures: 1 })
    const controller = new AbortController()
    const call = ask(controller.signal)
    controller.abort()
    expect(await call).toBe('aborted')
    expect(await ask(controller.signal)).toBe('aborted')
    expect([fake.asked(), parser.state, clock.pending]).toEqual([1, 'closed', 0])
    expect(fake.signals[0]?.aborted).toBe(true)
  })

  it('code that is too large does not close a circuit that is half-open', async () => {
    const fake = scripted('fault', 'too-large', valid)
    const { ask, parser, clock } = guard(fake, { failures: 1 })
    await ask()
    clock.advance(30_000)
    expect(await ask()).toBe('too-large')
    expect(parser.state).toBe('half-open')
    expect(await ask()).toBe('valid')
    expect(parser.state).toBe('closed')
  })
})

describe('a parser that throws anything else', () => {
  it('is at fault, and its words are clamped', async () => {
    const { ask, parser } = guard(scripted(new TypeError('x'.repeat(10_000))), { failures: 1 })
    await expect(parser.parse('python', 'x')).rejects.toMatchObject({
      reason: 'fault',
      message: expect.stringMatching(/^the parser failed: x{199}…$/),
    })
    expect(await ask()).toBe('open')
  })

  it('a listener that throws changes nothing', async () => {
    const { parser } = guard(scripted('fault', valid), {
      failures: 1,
      onEvent: () => {
        throw new Error('listener')
      },
    })
    await expect(parser.parse('python', 'x')).rejects.toMatchObject({ reason: 'fault' })
    expect(parser.state).toBe('open')
  })
})

describe('a parser that is disabled', () => {
  it('is a state of its own: never called, never probed', async () => {
    const fake = scripted(valid)
    const { ask, parser, clock, events } = guard(fake, { timeoutMs: 0 })
    for (let count = 0; count < 5; count++) {
      expect(await ask()).toBe('disabled')
      clock.advance(60_000)
    }
    expect([parser.state, fake.asked()]).toEqual(['disabled', 0])
    expect(events.every((event) => event.type === 'call' && event.result === 'disabled')).toBe(true)
  })

  it.each([{ timeoutMs: -1 }, { timeoutMs: Number.NaN }, { failures: 0 }, { openMs: 0 }])('%o is rejected', (settings) => {
    expect(() => guardedParser(scripted(valid).parser, settings)).toThrow('must be a positive number')
  })
})
