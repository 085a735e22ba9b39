import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { contracts } from '../../../../../attack/generators/contracts.ts'
import { innerDamages, writeDamaged } from '../../../../../attack/generators/damage.ts'
import { mixedTexts } from '../../../../../attack/generators/texts.ts'
import { type ContractByName, contract } from '../../../../presets/src/testing/contract.ts'
import type { Answer } from '../../answer/answer.ts'
import type { Contract } from '../../contract/contract.ts'
import { type Issue, issue } from '../../contract/issue.ts'
import { type Check, defineValidator } from '../../contract/validator.ts'
import { scripted } from '../../runners/scripted.ts'
import { json } from '../../validators/json/index.ts'
import { check } from '../check/check.ts'
import { errorsOf } from '../check/report.ts'
import { enforce } from '../enforce.ts'
import { complaintOf } from '../repair/conclude.ts'
import { settle } from '../repair/settle.ts'

const runs = 300
const context = { tools: [{ name: 'get_weather' }, { name: 'a' }], sources: 1 }

/** Is never content, and sees the answer after each repair: the last one has all that are allowed. */
function witness(seen: Answer[]): Check {
  return defineValidator({
    name: 'witness',
    summary: 's',
    options: z.strictObject({}),
    codes: { NEVER_CONTENT: { severity: 'error', when: 'w', fix: 'f' } },
    instruct: () => 'i',
    prepare: () => ({
      check: (answer) => {
        seen.push(answer)
        return [issue('NEVER_CONTENT', 'Say something else.')]
      },
    }),
  })({})
}

/** The feedback that a model gets on an answer, and the answer after the allowed repairs. */
async function feedbackOn(rules: ContractByName, text: string): Promise<{ feedback: string; built: Contract; repaired: Answer }> {
  const seen: Answer[] = []
  const checks = [...(rules.checks ?? []), witness(seen)] as ContractByName['checks']
  const built = contract({ ...rules, checks, mode: 'strict', retries: 1, unresolved: 'withhold' } as ContractByName)
  let repaired: Answer | undefined
  const runner = scripted([text, 'x'])
  await enforce({
    contract: built,
    runner,
    prompt: 'p',
    context,
    onEvent: ({ type }) => {
      if (type === 'feedback-sent') repaired = seen.at(-1)
    },
  })
  return { feedback: runner.calls[1]?.feedback ?? '', built, repaired: repaired as Answer }
}

/** Where an issue is named in feedback; an issue whose place did not change may have the words of the first check. */
function placesOf(feedback: string, { code, message }: Issue): number {
  return feedback.indexOf(`**${code}**: ${message.slice(0, 300)}`)
}

test('every error that the allowed repairs leave is named, and before all of its validator that they correct', async () => {
  await fc.assert(
    fc.asyncProperty(contracts, fc.constantFrom('first' as const, 'last' as const), mixedTexts, async (rules, repair, text) => {
      fc.pre(text.trim() !== '')
      const { feedback, built, repaired } = await feedbackOn({ ...rules, repair }, text)
      fc.pre(feedback !== '')
      const speaks = new Set(built.validators.flatMap(({ name, prepared }) => (prepared.feedback ? [name] : [])))
      const found = errorsOf(await check(built, text, { context })).filter(({ validator }) => !speaks.has(validator))
      const left = errorsOf(await check(built, repaired, { context })).filter(({ validator }) => !speaks.has(validator))
      const kept = new Set(left.map(complaintOf))
      const isFull = /\((\d+) (?:more|weitere)\)/.test(feedback)
      const last = new Map<string, number>()
      for (const one of left) {
        const words = [one, ...found.filter((other) => complaintOf(other) === complaintOf(one))].map((each) => placesOf(feedback, each))
        if (!isFull) expect([one.code, one.message, Math.max(...words) >= 0]).toEqual([one.code, one.message, true])
        last.set(one.validator, Math.max(last.get(one.validator) ?? -1, ...words))
      }
      for (const one of found) {
        if (kept.has(complaintOf(one))) continue
        const at = placesOf(feedback, one)
        expect([one.code, at < 0 || at > (last.get(one.validator) ?? -1)]).toEqual([one.code, true])
      }
    }),
    { numRuns: runs },
  )
})

const schema = {
  type: 'object',
  properties: {
    priority: { enum: ['low', 'high'] },
    hours: { type: 'integer', maximum: 5 },
    done: { type: 'boolean' },
    tags: { type: 'array', items: { enum: ['x', 'y'] } },
  },
  required: ['priority'],
}
const right = { priority: 'low', hours: 3, done: true, tags: ['x', 'y'] }
const wrong = { priority: 'ASAP', hours: 12, done: [], tags: ['x', 'somewhere else'] }
type Field = keyof typeof right

test('a model that corrects what it is told, and nothing else, has an answer that repairs make valid', async () => {
  const damages = innerDamages.map((damage) => ({ ...damage, openBrackets: 0 }))
  const fields = fc.subarray(Object.keys(right) as Field[], { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(fields, damages, fc.constantFrom(2, 4000), fc.boolean(), async (bad, damage, limit, isMarked) => {
      const checks = [json({ schema }), { max_words: { limit } }, ...(isMarked ? ['step_marker'] : [])] as ContractByName['checks']
      const rules = { checks, retries: 1, allow: ['lossless', 'lossy', 'guess'] } as ContractByName
      const value: Record<string, unknown> = { ...right, ...Object.fromEntries(bad.map((field) => [field, wrong[field]])) }
      const runner = scripted([writeDamaged(value, damage), 'x'])
      await enforce({ contract: contract(rules), runner, prompt: 'p' })
      const feedback = runner.calls[1]?.feedback ?? ''
      for (const field of bad) expect([field, feedback.includes(` ${field}`)]).toEqual([field, true])
      expect(feedback.includes('MAX_WORDS')).toBe(limit === 2)
      for (const code of ['INVALID_JSON', 'MISSING_STEP_MARKER']) expect([code, feedback.includes(code)]).toEqual([code, false])
      for (const field of bad) value[field] = right[field]
      if (limit === 4000) expect((await settle(contract(rules), writeDamaged(value, damage))).status).toMatch(/valid|repaired/)
    }),
    { numRuns: runs / 3 },
  )
})
