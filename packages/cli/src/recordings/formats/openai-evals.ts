import { isFields } from '@stickler/core/internal'
import type { Label } from '../recording.ts'
import type { RecordFormat } from './format.ts'
import { answersIn, askedFields, nameIn, shared, usageIn } from './free-form.ts'

/** The output items of OpenAI's Evals API, with the verdict of their graders. */
export const openaiEvals: RecordFormat = {
  name: 'openai-evals',
  title: 'OpenAI Evals output items',
  keys: 'object: eval.run.output_item',
  matches: ({ object }) => object === 'eval.run.output_item',
  *read({ id, sample, results }) {
    const name = nameIn(id)
    if (!isFields(sample)) return yield { id: name, reason: 'without text' }
    const { error, input, output, finish_reason: reason, model, usage } = sample
    if (isFields(error) && nameIn(error.message) !== undefined)
      return yield { id: name, reason: 'error', detail: String(error.message).slice(0, 200) }
    yield* shared(answersIn(output), {
      id: name,
      model: nameIn(model),
      usage: usageIn(usage),
      label: verdictOf(results),
      fields: { ...askedFields(input), ...(typeof reason === 'string' && reason !== '' ? { finish_reason: reason } : {}) },
    })
  },
}

/** Good when every grader passed it. */
function verdictOf(results: unknown): Label | undefined {
  if (!Array.isArray(results) || results.length === 0) return undefined
  const passed = results.map((result) => (isFields(result) ? result.passed : undefined))
  if (passed.some((one) => typeof one !== 'boolean')) return undefined
  return passed.every(Boolean) ? 'good' : 'bad'
}
