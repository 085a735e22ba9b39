import { describe, expect, test } from 'vitest'
import { apis } from '../../apis/index.ts'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { enforce, enforceStream } from '../../engine/enforce.ts'
import { settle } from '../../engine/repair/settle.ts'
import { scripted } from '../../runners/scripted.ts'
import { json } from '../../validators/json/index.ts'
import { maxWords } from '../../validators/max-words.ts'
import { sensitive } from '../../validators/sensitive/index.ts'
import { defineValidator } from '../validator.ts'
import { type Condition, isMet, type RequestFacts } from './condition.ts'

const warning = { severity: 'warning' } as const

describe('a condition', () => {
  test.each<[Condition, RequestFacts, boolean]>([
    [{ api: 'chat' }, { api: 'chat' }, true],
    [{ api: ['chat', 'messages'] }, { api: 'messages' }, true],
    [{ api: 'chat' }, { api: 'responses' }, false],
    [{ api: 'chat' }, {}, false],
    [{ model: 'gpt-4o' }, { model: 'gpt-4o' }, true],
    [{ model: 'gpt-4o' }, { model: 'gpt-4o-mini' }, false],
    [{ model: 'gpt-4o' }, { model: 'GPT-4o' }, true],
    [{ model: 'GPT-*' }, { model: 'gpt-4o' }, true],
    [{ model: 'gpt-*' }, { model: 'gpt-' }, true],
    [{ model: 'gpt-*' }, { model: 'my-gpt-4' }, false],
    [{ model: '*-mini' }, { model: 'gpt-4o-mini' }, true],
    [{ model: '*' }, { model: 'anything' }, true],
    [{ model: '*' }, {}, false],
    [{ model: 'a*b*a' }, { model: 'aba' }, true],
    [{ model: 'ab*ba' }, { model: 'aba' }, false],
    [{ model: 'g.t*' }, { model: 'gpt' }, false],
    [{ tag: 'public' }, { tags: ['beta', 'public'] }, true],
    [{ tag: ['a', 'b'] }, { tags: ['b'] }, true],
    [{ tag: 'public' }, { tags: [] }, false],
    [{ api: 'chat', tag: 'public' }, { api: 'chat' }, false],
  ])('%j for %j is %s', (when, request, met) => {
    expect(isMet(when, request)).toBe(met)
  })

  test.each([...apis.map(({ name }) => name), 'check'])('knows the API %s', (api) => {
    expect(contract({ checks: [{ max_words: { limit: 1 }, when: { api: api as 'chat' } }] }).validators).toHaveLength(1)
  })

  test('takes linear time', () => {
    expect(isMet({ model: `${'a*'.repeat(90)}b` }, { model: 'a'.repeat(100_000) })).toBe(false)
  })

  test.each<[string, object, RegExp]>([
    ['an unknown key', { max_words: { limit: 1 }, when: { modell: 'x' } }, /checks\.0\.when\.modell: .*did you mean "model"/],
    ['an unknown API', { max_words: { limit: 1 }, when: { api: 'chats' } }, /checks\.0\.when\.api: .*did you mean "chat"/],
    ['nothing', { max_words: { limit: 1 }, when: {} }, /checks\.0\.when: .*no condition; give api, model or tag/],
    ['an empty list', { max_words: { limit: 1 }, when: { tag: [] } }, /checks\.0\.when\.tag/],
    ['a number', { max_words: { limit: 1 }, when: { model: 4 } }, /checks\.0\.when\.model/],
    ['an unknown severity', { max_words: { limit: 1 }, severity: 'waring' }, /checks\.0\.severity: .*did you mean "warning"/],
    ['a severity in the options', { max_words: { limit: 1, severity: 'warning' } }, /checks\.0\.max_words\.severity/],
    ['another key beside it', { max_words: { limit: 1 }, whem: {} }, /checks\.0\.whem: unknown key "whem"; did you mean "when"/],
    ['a name that is taken', { max_words: { limit: 1 }, name: 'json' }, /checks\.0\.name: json is the name of a validator/],
    ['a name with spaces', { max_words: { limit: 1 }, name: 'My limit' }, /checks\.0\.name: must be a name in snake case/],
  ])('%s is a configuration error', (_name, written, message) => {
    expect(() => contract({ checks: [written as { max_words: { limit: number } }] })).toThrow(message)
  })

  test('is a configuration error beside a validator that was called, too', () => {
    expect(() => contract({ checks: [maxWords({ limit: 1 }, { when: { tagg: 'x' } as object })] })).toThrow(/did you mean "tag"/)
  })
})

describe('a check with a condition', () => {
  test('is skipped where that is not met, which is not a verdict', async () => {
    const conditional = contract({ checks: [maxWords({ limit: 2 }, { when: { tag: 'short' } }), { contains: { none: ['x'] } }] })
    const request = { tags: ['short'] }
    expect(await check(conditional, 'one two three')).toMatchObject({ status: 'valid', issues: [], skipped: ['max_words'] })
    const found = await check(conditional, 'one two three', { request })
    expect(found).toMatchObject({ status: 'unresolved', issues: [{ code: 'MAX_WORDS' }] })
    expect(found).not.toHaveProperty('skipped')
    expect(await settle(conditional, 'one two three')).toMatchObject({ status: 'valid', skipped: ['max_words'] })
    const runner = () => scripted(['one two three'])
    expect(await enforce({ contract: conditional, runner: runner(), prompt: '' })).toMatchObject({
      status: 'valid',
      skipped: ['max_words'],
    })
    const enforced = await enforce({
      contract: { ...conditional, policy: { ...conditional.policy, retries: 0 } },
      runner: runner(),
      prompt: '',
      request,
    })
    expect(enforced).toMatchObject({ status: 'unresolved' })
  })

  test('is not told to the model where it does not apply', async () => {
    const told = contract({ checks: [maxWords({ limit: 2 }, { when: { model: 'a' } }), { contains: { none: ['x'] } }], instruct: true })
    const runner = scripted(['one'])
    await enforce({ contract: told, runner, prompt: 'Hi', request: { model: 'b' } })
    expect(JSON.stringify(runner.calls[0]?.prompt)).not.toContain('words')
  })

  test('may be there twice, under two names', async () => {
    const two = contract({
      checks: [maxWords({ limit: 4 }), maxWords({ limit: 2 }, { name: 'soft_limit', severity: 'warning' })],
    })
    expect(await check(two, 'one two three')).toMatchObject({ status: 'valid', issues: [{ validator: 'soft_limit', severity: 'warning' }] })
    expect(await check(two, 'one two three four five')).toMatchObject({ status: 'unresolved', issues: [{ validator: 'max_words' }, {}] })
    expect(() => contract({ checks: [maxWords({ limit: 4 }), maxWords({ limit: 2 }, warning)] })).toThrow(
      /listed twice; give each its own name/,
    )
    expect(() => contract({ checks: [maxWords({ limit: 2 }, warning), { max_words: { limit: 4 } }] })).toThrow(
      /twice; give each its own name/,
    )
  })
})

describe('a check with severity: warning', () => {
  test('never makes an answer invalid, and never asks again', async () => {
    const runner = scripted(['one two three', 'one'])
    const outcome = await enforce({ contract: contract({ checks: [maxWords({ limit: 2 }, warning)] }), runner, prompt: '' })
    expect(outcome).toMatchObject({ status: 'valid', text: 'one two three', attempts: 1, issues: [{ severity: 'warning' }] })
  })

  test('never holds or stops a stream', async () => {
    const runner = scripted([{ chunks: [...'one two three four'] }])
    const checks = [maxWords({ limit: 2 }, warning), json({}, { severity: 'warning' })]
    const stream = enforceStream({ contract: contract({ checks }), runner, prompt: '' })
    const shown: string[] = []
    for await (const piece of stream) shown.push(piece)
    expect(shown).toEqual([...'one two three four'])
    const { status, issues } = await stream.outcome
    expect([status, issues.map(({ severity }) => severity)]).toEqual(['valid', ['warning', 'warning']])
  })

  test('that cannot run leaves nothing unchecked, but is told', async () => {
    const broken = defineValidator({
      name: 'broken',
      summary: 'Crashes.',
      options: maxWords.definition.options,
      codes: {},
      instruct: () => '',
      prepare: () => ({
        check() {
          throw new Error('no')
        },
      }),
    })
    const rules = contract({ checks: [broken({ limit: 1 }, warning)] })
    const found = { status: 'valid', unchecked: [{ validator: 'broken', cause: 'crash', severity: 'warning' }] }
    expect(await check(rules, 'text')).toMatchObject(found)
    expect(await enforce({ contract: rules, runner: scripted(['text']), prompt: '' })).toMatchObject({ ...found, delivered: true })
  })

  test('still redacts, in streams too, and its secrets are in no trace', async () => {
    const rules = contract({ checks: [sensitive({ redact: true }, warning)] })
    const text = 'Write to jane.doe@acme.com now.'
    const events: string[] = []
    const onEvent = (event: unknown): void => void events.push(JSON.stringify(event))
    const outcome = await enforce({ contract: rules, runner: scripted([text]), prompt: '', onEvent })
    expect(outcome).toMatchObject({ status: 'repaired', text: 'Write to [EMAIL] now.' })
    const stream = enforceStream({ contract: rules, runner: scripted([{ chunks: [...text] }]), prompt: '', onEvent })
    let shown = ''
    for await (const piece of stream) shown += piece
    expect([shown, (await stream.outcome).text]).toEqual(['Write to [EMAIL] now.', 'Write to [EMAIL] now.'])
    const kept = contract({ checks: [sensitive({}, warning)] })
    expect(await enforce({ contract: kept, runner: scripted([text]), prompt: '', onEvent })).toMatchObject({ text })
    expect(events.join('\n')).not.toContain('jane.doe')
  })
})
