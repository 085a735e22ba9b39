import { Answer, enforce, enforceStream, settle } from '@stickler/core'
import { settledData } from '@stickler/core/internal'
import { type ScriptedTurn, scripted } from '@stickler/core/testing'
import { ParserUnavailable, type SyntaxFault, type SyntaxParser } from '@stickler/core/validators'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ContractByName, contract } from '../testing/contract.ts'

const runs = 150

const unknown = (line: number): SyntaxFault => ({
  line,
  column: 1,
  endLine: line,
  endColumn: 10,
  message: "unknown command 'getSHA256' — expected known identifier",
})

/** Knows one wrong command, and may be gone from a call on. */
function parserOf(goneFrom = Number.POSITIVE_INFINITY): SyntaxParser & { readonly sources: string[] } {
  const sources: string[] = []
  return {
    sources,
    async parse(_language, source) {
      if (sources.push(source) > goneFrom) throw new ParserUnavailable('the circuit is open', 'fault')
      const trace = source.split('\n').flatMap((line, index) => (line.includes('getSHA256') ? [unknown(index + 1)] : []))
      const [first, ...more] = trace
      return first ? { verdict: 'invalid', trace: [first, ...more] } : { verdict: 'valid' }
    },
  }
}

const fenced = (...lines: string[]): string => ['```avap', ...lines, '```'].join('\n')
const good = fenced('addParam("password", pw)', 'addResult(pw)')
const bad = fenced('addParam("password", pw)', 'hash = getSHA256(pw)')
const worse = fenced('hash = getSHA256(pw)', 'addResult(hash)')

const ways = ['whole', 'stream'] as const
type Way = (typeof ways)[number]

async function play(turns: readonly (string | ScriptedTurn)[], way: Way, parser = parserOf(), input: ContractByName = {}) {
  const runner = scripted(turns)
  const given = { contract: contract({ preset: 'avap', ...input }), runner, prompt: 'Hash a password.', ports: { parser } }
  const pieces: string[] = []
  if (way === 'whole') {
    const outcome = await enforce(given)
    return { outcome, pieces: outcome.delivered ? [outcome.text] : [], calls: runner.calls }
  }
  const stream = enforceStream(given)
  for await (const piece of stream) pieces.push(piece)
  return { outcome: await stream.outcome, pieces, calls: runner.calls }
}

const cutOff = (text: string, finishReason = 'length'): ScriptedTurn => ({ text, finishReason })
const down: ScriptedTurn = { failure: { kind: 'connection' } }

describe.each(ways)('code, %s', (way) => {
  test.each<[string, readonly (string | ScriptedTurn)[], number, string, string, number]>([
    ['that is right at once', [good], 9, 'valid', '', 1],
    ['that is right after the retry', [bad, good], 9, 'valid', '', 2],
    ['that stays wrong', [bad, worse], 9, 'unresolved', 'INVALID_UNRESOLVED', 2],
    ['that stays the same', [bad, bad], 9, 'unresolved', 'INVALID_UNRESOLVED', 2],
    ['that stays the same, and nobody parses again', [bad, bad], 1, 'unchecked', 'PARSER_UNAVAILABLE', 2],
    ['that is wrong where the first answer was cut off', [cutOff('```avap\naddPar'), bad], 9, 'unresolved', 'INVALID_UNRESOLVED', 2],
    ['that nobody parses', [bad], 0, 'unchecked', 'PARSER_UNAVAILABLE', 1],
    ['that nobody parses the second time', [bad, worse], 1, 'unchecked', 'PARSER_UNAVAILABLE', 2],
    ['that cannot be asked for again', [bad, down], 9, 'unresolved', 'INVALID_UNRESOLVED', 2],
    ['that is empty the second time', [bad, ''], 9, 'unresolved', 'INVALID_UNRESOLVED', 2],
    ['that is not there', ['AVAP has loops.'], 9, 'valid', '', 1],
    ['in the first block, whatever its tag', ['```text\ngetSHA256(pw)\n```', good], 9, 'valid', '', 2],
    ['in two blocks, one of them wrong', [`${good}\n\n${bad}`, `${good}\n\n${good}`], 9, 'valid', '', 2],
    ['with CRLF', [bad.replaceAll('\n', '\r\n'), good.replaceAll('\n', '\r\n')], 9, 'valid', '', 2],
    ['that was cut off', [cutOff('```avap\naddPar'), good], 9, 'valid', '', 2],
    ['that is cut off twice', Array(2).fill(cutOff('```avap\naddPar')), 9, 'unresolved', 'PARSER_UNAVAILABLE', 2],
    ['that is right before prose that is cut off', Array(2).fill(cutOff(`${good}\n\nThis`)), 9, 'unresolved', '', 2],
    ['that is right before prose that a filter stops', Array(2).fill(cutOff(`${good}\n\nAnd`, 'content_filter')), 9, 'unresolved', '', 2],
    ['that is wrong before prose that is cut off', Array(2).fill(cutOff(`${bad}\n\nThis`)), 9, 'unresolved', 'INVALID_UNRESOLVED', 2],
    ['that is not there in prose that is cut off', Array(2).fill(cutOff('AVAP has loops and')), 9, 'unresolved', '', 2],
    ['that is cut off without a fence', Array(2).fill(cutOff('addVar(a, 1)\naddRes')), 9, 'unresolved', 'PARSER_UNAVAILABLE', 2],
    ['in more blocks than are read', Array(2).fill(`${good}\n\n`.repeat(300)), 9, 'unresolved', 'PARSER_UNAVAILABLE', 2],
  ])('%s', async (_name, turns, calls, status, told, attempts) => {
    const { outcome, pieces } = await play(turns, way, parserOf(calls))
    expect(outcome).toMatchObject({ status, delivered: true, validationStatus: told, attempts })
    expect(pieces.join('')).toBe(outcome.text)
  })

  test.each([[[bad]], [[bad, worse]]])('that is wrong where no retry is allowed is invalid: %#', async (turns) => {
    const { outcome } = await play(turns, way, parserOf(), { retries: 0 })
    expect(outcome).toMatchObject({ status: 'unresolved', validationStatus: 'INVALID_UNRESOLVED', attempts: 1 })
    expect(outcome.issues).toMatchObject([{ code: 'SYNTAX_ERROR' }])
  })

  test('that no model sends has no status to tell', async () => {
    const { outcome } = await play([down], way)
    expect(outcome).toMatchObject({ status: 'failed', validationStatus: '' })
    const calls = await play([{ text: '', toolCalls: [{ name: 'a', arguments: '{}' }] }], way)
    expect(calls.outcome).toMatchObject({ status: 'valid', validationStatus: '', attempts: 1 })
  })

  test('that is wrong is asked for again with the trace before the prompt', async () => {
    const { calls } = await play([bad, good], way)
    expect(calls[1]?.prompt).toBe(`<parser_feedback>
The previous attempt produced invalid AVAP code. Specific failures:

Line 2: unknown command 'getSHA256' — expected known identifier

Correct these errors. Do not repeat the same constructs.
</parser_feedback>

Hash a password.`)
  })
})

describe('a stream of prose and wrong code', () => {
  // What comes before the first block may be code without a fence, so that it waits for the verdict on the block.
  const prose = `${fenced('addVar(first, 1)')}\n\nHere is the code that you asked for:\n\n`
  test.each([
    ['goes on with the code', good, prose + good],
    ['repeats the prose', prose + good, prose + good],
    ['writes other prose', `Sorry about that. This works:\n\n${good}`, `${prose}Sorry about that. This works:\n\n${good}`],
  ])('ends with the right code when the retry %s', async (_name, reply, text) => {
    for (const chunkSize of [1, 3, 7, 500]) {
      const parser = parserOf()
      const { outcome, pieces, calls } = await play(
        [
          { text: prose + bad, chunkSize },
          { text: reply, chunkSize },
        ],
        'stream',
        parser,
      )
      expect(outcome).toMatchObject({ status: 'valid', validationStatus: '', attempts: 2, text })
      expect(pieces.join('')).toBe(text)
      expect(calls[1]?.feedback).toContain("Line 2: unknown command 'getSHA256'")
      expect(calls[1]?.feedback).toContain(`=== DELIVERED 1 ===\n${prose}`)
      // One verdict for each code, though streams and checks both ask.
      expect(new Set(parser.sources).size).toBe(3)
    }
  })

  test('holds what may be code without a fence to the first block, and shows the prose after it as it arrives', async () => {
    const given = { contract: contract({ preset: 'avap' }), prompt: 'Q', ports: { parser: parserOf() } }
    const chunks = ['Here it is:\n\n', good, '\n\nThis ', 'adds ', 'a result.']
    const pieces: string[] = []
    for await (const piece of enforceStream({ ...given, runner: scripted([{ chunks }]) })) pieces.push(piece)
    expect(pieces.join('')).toBe(chunks.join(''))
    expect(pieces.slice(-2)).toEqual(['adds ', 'a result.'])
  })

  test('shows the code that stays wrong only where it is delivered', async () => {
    const turns = [bad, worse].map((code) => ({ text: prose + code, chunkSize: 5 }))
    const { pieces, outcome } = await play(turns, 'stream', parserOf(), { unresolved: 'withhold' })
    expect(pieces.join('')).toBe(prose)
    expect(outcome).toMatchObject({ status: 'unresolved', delivered: false, validationStatus: 'INVALID_UNRESOLVED' })
  })
})

describe.each(ways)('nobody has judged the code, %s', (way) => {
  test('when the parser does not know the language', async () => {
    const parser = { ...parserOf(), parse: async () => ({ verdict: 'unsupported' }) as const }
    const { outcome, pieces } = await play([`Look:\n\n${bad}`], way, parser)
    expect(outcome).toMatchObject({ status: 'unchecked', delivered: true, validationStatus: 'PARSER_UNAVAILABLE', attempts: 1 })
    expect(outcome.unchecked).toMatchObject([{ reason: 'unsupported', message: 'the parser does not know avap' }])
    expect(pieces.join('')).toBe(outcome.text)
  })

  test.each([[[]], [[{ max_words: { limit: 100 } }]]])('when the checks are %j', async (checks) => {
    const { outcome } = await play([bad], way, parserOf(), { checks })
    expect(outcome.status).toBe('valid')
    expect('validationStatus' in outcome).toBe(false)
  })
})

test('more retries than the design has are refused', () => {
  expect(() => contract({ preset: 'avap', retries: 3 })).toThrow(/retries: the preset allows 1 retry at most, by its budget of 2 attempts/)
  expect(contract({ preset: 'avap', retries: 0 }).policy.retries).toBe(0)
  expect(contract({ preset: 'avap', retries: 3, budget: { attempts: 4 } }).policy.retries).toBe(3)
})

test.each(ways)('no repair is looked for where none is made, %s', async (way) => {
  let calls = 0
  const parser = {
    ...parserOf(),
    async parse(_language: string, source: string) {
      calls++
      return /[“”]/.test(source) ? ({ verdict: 'invalid', trace: [unknown(1)] } as const) : ({ verdict: 'valid' } as const)
    },
  }
  const text = (name: string) => fenced(`addVar(${name}, “x”)`, ...Array<string>(12).fill('// “c”'))
  const { outcome } = await play([text('a'), text('b')], way, parser)
  expect(outcome.validationStatus).toBe('INVALID_UNRESOLVED')
  expect(calls).toBe(2)
})

test('a given answer has its status too', async () => {
  const settled = await settle(contract({ preset: 'avap' }), bad, { ports: { parser: parserOf() } })
  expect(settled).toMatchObject({ status: 'unresolved', delivered: true, validationStatus: 'INVALID_UNRESOLVED' })
  expect(settledData(settled, new Answer(bad))).toMatchObject({ status: 'unresolved', validation_status: 'INVALID_UNRESOLVED' })
})

test('a contract without the preset tells none', async () => {
  const outcome = await enforce({ contract: contract({ checks: [] }), runner: scripted(['a']), prompt: 'Q' })
  expect('validationStatus' in outcome).toBe(false)
})

test('other checks beside it do not change what is told of the code', async () => {
  const checks = ['code_syntax', { max_words: { limit: 1 } }] as const
  const { outcome } = await play([good, good], 'whole', parserOf(), { checks })
  expect(outcome).toMatchObject({ status: 'unresolved', validationStatus: '', attempts: 2 })
})

describe('any conversation', { timeout: 3_600_000 }, () => {
  const parts = fc.constantFrom(
    'Some prose.\n\n',
    good,
    bad,
    worse,
    '\n',
    'Here is it:\n',
    '```text\nx\n```\n',
    '<think>\ngetSHA256\n</think>\n',
    '```avap\naddVar(a, 1)',
  )
  const answers = fc.array(parts, { minLength: 1, maxLength: 4 }).map((some) => some.join('\n'))
  test('takes one retry at most, shows no code before its verdict, and tells the last verdict', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(answers, { minLength: 3, maxLength: 3 }),
        fc.nat(4),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(...ways),
        async (texts, calls, chunkSize, way) => {
          const parser = parserOf(calls)
          const {
            outcome,
            pieces,
            calls: asked,
          } = await play(
            texts.map((text) => ({ text, chunkSize })),
            way,
            parser,
          )
          expect(asked.length).toBeLessThanOrEqual(2)
          if (outcome.status === 'failed') return
          expect(pieces.join('')).toBe(outcome.text)
          const isUnchecked = outcome.unchecked.length > 0
          const isWrong = outcome.issues.some(({ code }) => code === 'SYNTAX_ERROR')
          expect(outcome.validationStatus).toBe(isWrong ? 'INVALID_UNRESOLVED' : isUnchecked ? 'PARSER_UNAVAILABLE' : '')
          const shownEarly = pieces
            .slice(0, -1)
            .join('')
            .replaceAll(/<think>[\s\S]*?(<\/think>|$)/g, '')
          if (way === 'stream') expect(shownEarly).not.toContain('getSHA256')
        },
      ),
      { numRuns: runs },
    )
  })
})
