import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { type ContractByName, contract } from '../../../../presets/src/testing/contract.ts'
import { issue } from '../../contract/issue.ts'
import { defineValidator } from '../../contract/validator.ts'
import { assertStreamable, manualClock, type ScriptedTurn, scripted } from '../../testing/index.ts'
import { enforceStream } from '../enforce.ts'

async function play(input: ContractByName, turns: (string | ScriptedTurn)[]) {
  const runner = scripted(turns)
  const stream = enforceStream({ contract: contract(input), runner, prompt: 'p' })
  const pieces: string[] = []
  for await (const piece of stream) pieces.push(piece)
  return { outcome: await stream.outcome, pieces, shown: pieces.join(''), calls: runner.calls }
}

const header = '---\nadr_id: 7\ntitle: x\nstatus: y\n---\n'
const sections = '# ADR-7: x\n\n## Kontext\n\nx\n\n## Entscheidung\n\ny\n\n## Akzeptanzkriterien\n\n- [ ] a\n- [ ] b\n- [ ] c\n'

describe('a verified stream', () => {
  test('shows text as soon as it is safe', async () => {
    const { pieces, outcome } = await play({ checks: ['step_marker'] }, [
      { chunks: ['Hello ', 'world <', '!-- ', 'STEP: do', 'ne --', '>', ' bye'] },
    ])
    expect(pieces).toEqual(['Hello ', 'world ', '<!-- STEP: done -->', ' bye'])
    expect(outcome.status).toBe('valid')
  })

  test('appends a missing marker at the end, without a retry', async () => {
    const { pieces, outcome } = await play({ checks: ['step_marker'] }, [{ chunks: ['All ', 'done.'] }])
    expect(pieces).toEqual(['All ', 'done.', '\n\n<!-- STEP: done -->'])
    expect(outcome).toMatchObject({ status: 'repaired', attempts: 1 })
  })

  test('holds an invalid marker, so that it can be replaced where it stands', async () => {
    const { pieces, outcome } = await play({ checks: ['step_marker'] }, [{ chunks: ['A <!-- STEP: finalise -->', ' B', '.'] }])
    expect(pieces).toEqual(['A ', '<!-- STEP: finalize --> B.'])
    expect(outcome.status).toBe('repaired')
  })

  test('stops a doomed call at once and starts afresh when nothing was shown', async () => {
    const doomed = { text: `---\nadr_id: 7\ntitle:\nstatus: y\n---\n${'x\n'.repeat(1000)}`, chunkSize: 10 }
    const { outcome, shown, calls } = await play({ checks: ['adr_structure'], locale: 'de' }, [
      doomed,
      { text: header + sections, chunkSize: 7 },
    ])
    expect(calls[0]).toMatchObject({ aborted: true })
    expect(calls[0]?.taken).toBeLessThan(70)
    expect(calls[1]?.feedback).toContain('MISSING_ADR_FIELD')
    expect(calls[1]?.feedback).not.toContain('MISSING_ADR_SECTION')
    expect(outcome).toMatchObject({ status: 'valid', attempts: 2, text: header + sections })
    expect(shown).toBe(header + sections)
  })

  const limit: ContractByName = { checks: [{ max_words: { limit: 4 } }] }
  test.each([
    ['goes on', 'four.', 'one two three four.'],
    ['repeats what was shown', 'one two three four.', 'one two three four.'],
  ])('a retry after text was shown %s', async (_name, reply, text) => {
    const first = { chunks: ['one ', 'two three ', 'four five six'] }
    const { outcome, shown, calls } = await play(limit, [first, { text: reply, chunkSize: 3 }])
    expect(calls[1]?.feedback).toContain('\none two three \n')
    expect(outcome).toMatchObject({ status: 'valid', attempts: 2, text })
    expect(shown).toBe(text)
  })

  test('a retry that contradicts what was shown is a failed attempt', async () => {
    const first = { chunks: ['one two three ', 'four five'] }
    const { outcome, shown, calls } = await play({ ...limit, retries: 2 }, [first, 'one two FIVE', 'four'])
    expect(calls[2]?.feedback).toContain('CONTINUATION_MISMATCH')
    expect(outcome).toMatchObject({ status: 'valid', attempts: 3, text: 'one two three four' })
    expect(shown).toBe('one two three four')
  })

  test.each(['', ' \n', '\u200b', 'one two three '])('a reply that adds nothing is no answer: %j', async (reply) => {
    const { outcome, shown } = await play(limit, [{ chunks: ['one two three ', 'four five'] }, reply])
    expect(outcome).toMatchObject({ status: 'failed', failure: { kind: 'empty' } })
    expect(shown).toBe('one two three ')
  })

  test.each<[string, NonNullable<ContractByName['checks']>[number], string]>([
    ['contains', { contains: { all: ['refund'] } }, 'contains/TEXT_MISSING'],
    ['length', { length: { words: { min: 10 } } }, 'length/TOO_SHORT'],
    ['pattern', { pattern: { require: [{ regex: 'refund' }] } }, 'pattern/PATTERN_MISSING'],
  ])('L94 a model that repeats its whole answer makes no progress: %s', async (_name, rule, code) => {
    const said = 'You get money back.\n'
    const { outcome, shown } = await play({ checks: [rule], retries: 2 }, [said, { text: said, chunkSize: 4 }])
    expect(outcome).toMatchObject({ status: 'unresolved', reason: 'no-progress', attempts: 2, text: said })
    expect(outcome.issues.map((one) => `${one.validator}/${one.code}`)).toEqual([code])
    expect(said).toContain(shown)
    expect((await play({ checks: [rule] }, [said, ' '])).outcome).toMatchObject({ status: 'failed', failure: { kind: 'empty' } })
  })

  test('hold shows nothing before the verdict, pass everything at once', async () => {
    const turn = { chunks: ['one ', 'two ', 'three'] }
    expect((await play({ checks: [], stream: 'hold' }, [turn])).pieces).toEqual(['one two three'])
    const passed = await play({ checks: [{ max_words: { limit: 2 } }], stream: 'pass' }, [turn])
    expect(passed.pieces).toEqual(['one ', 'two ', 'three'])
    expect(passed.outcome).toMatchObject({ status: 'unresolved', reason: 'already-shown', attempts: 1 })
    expect((await play({ checks: ['step_marker'], stream: 'pass' }, [turn])).shown).toBe('one two three\n\n<!-- STEP: done -->')
  })

  test('strict mode shows nothing of a rejected attempt', async () => {
    const held = await play({ checks: [{ max_words: { limit: 2 } }], stream: 'hold', retries: 0 }, ['one two three'])
    expect(held).toMatchObject({ shown: '', outcome: { status: 'unresolved' } })
  })

  test('lenient holds what a repair may touch, and delivers everything in the end', async () => {
    const { shown, outcome } = await play({ mode: 'lenient', checks: [{ max_words: { limit: 2 } }] }, [
      { text: 'one two three', chunkSize: 2 },
    ])
    expect(shown).toBe('one two three')
    expect(outcome.status).toBe('unresolved')
  })

  test('leaving the stream aborts the model call', async () => {
    const runner = scripted([{ chunks: ['a ', 'b ', 'c '] }])
    const stream = enforceStream({ contract: contract({ checks: [] }), runner, prompt: 'p' })
    for await (const piece of stream) if (piece !== '') break
    expect(await stream.outcome).toMatchObject({ status: 'failed', text: 'a ', failure: { kind: 'aborted' } })
    expect(runner.calls[0]?.aborted).toBe(true)
  })

  test('a stream that is left before it began leaves no timer behind', async () => {
    const clock = manualClock()
    const stream = enforceStream({
      contract: contract({ checks: [], budget: { deadlineMs: 100 } }),
      runner: scripted(['x']),
      prompt: 'p',
      clock,
    })
    await stream[Symbol.asyncIterator]().return?.()
    expect(clock.pending).toBe(0)
    expect(await stream.outcome).toMatchObject({ status: 'failed', attempts: 0, failure: { kind: 'aborted' } })
  })

  test('a failure after text was shown is told, with what was shown', async () => {
    const { outcome, shown } = await play({ checks: [] }, [{ text: 'half', failAfterText: { kind: 'connection' } }])
    expect(shown).toBe('half')
    expect(outcome).toMatchObject({ status: 'failed', text: 'half', failure: { kind: 'connection' } })
  })
})

const piece = fc.constantFrom(
  'text ',
  'more\n',
  '\n',
  '\r\n',
  '\r',
  '---\n',
  '---\r\n',
  'adr_id: 1\n',
  'title: x\n',
  'status: y\n',
  'status:\n',
  '# ADR-1\n',
  '## Kontext\n',
  '## Entscheidung\n',
  '## Akzeptanzkriterien\n',
  '- [ ] a\n',
  '```\n',
  '```yaml\n',
  '````markdown\n',
  '````\n',
  '~~~\n',
  '> ',
  '- ',
  '<!-- STEP: done -->',
  '<!-- STEP: finalise -->',
  '<!-- STEP: foo -->\n',
  '<!--',
  '-->',
  '<',
  '<!-- step',
  ': why',
  ' -->',
  '👍',
  '\ud83d',
  '\udc4d',
  '?',
  '<think>',
  '</think>',
  'ADR-',
  'erstellt ',
  '  ',
  '\t',
  '\u0000',
  'files:\n',
  '  modify: []\n',
)
const answer = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))
const contracts = fc.constantFrom<ContractByName>(
  { checks: ['step_marker'], retries: 0 },
  { checks: [{ step_marker: { requireAtEnd: true } }, 'adr_structure'], retries: 0, locale: 'de' },
  { checks: ['adr_structure'], retries: 0, locale: 'de' },
  { checks: [{ adr_structure: { profile: 'madr', required: true } }, 'step_marker'], retries: 0 },
  { preset: 'helix', retries: 0, checks: ['step_marker', 'adr_structure'] },
  { checks: [{ max_words: { limit: 5 } }, 'step_marker'], retries: 0 },
  { mode: 'lenient', checks: [{ max_words: { limit: 5 } }, 'step_marker', 'adr_structure'] },
)
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 })

describe('any chunking', () => {
  test('gives the same verdict, issues and text, and agrees with the whole check', async () => {
    await fc.assert(
      fc.asyncProperty(answer, contracts, sizes, (text, input, lengths) => assertStreamable(contract(input), text, [lengths, 1])),
      { numRuns: 500 },
    )
  })

  test('is told apart when a validator breaks the law', async () => {
    const rash = (failsAt: number, safe: number) =>
      defineValidator({
        name: 'rash',
        summary: 's',
        options: z.strictObject({}),
        codes: { X: { severity: 'error', when: 'w', fix: 'f' } },
        instruct: () => 'i',
        prepare: () => ({
          *check({ text }) {
            if (text.includes('!')) yield issue('X', 'm')
          },
          incremental: () => {
            let length = 0
            return {
              push(chunk) {
                length += chunk.length
                return length >= failsAt ? { safe, failure: { at: length, issues: [issue('X', 'm')] } } : { safe }
              },
            }
          },
        }),
      })({})
    // It fails although nothing is wrong, and where it fails depends on the chunks.
    await expect(assertStreamable(contract({ checks: [rash(2, 0)] }), 'fine')).rejects.toThrow('does not report')
    await expect(assertStreamable(contract({ checks: [rash(2, 0)] }), 'bad!')).rejects.toThrow('chunks of')
  })
})
