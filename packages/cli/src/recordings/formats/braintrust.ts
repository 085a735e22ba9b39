import { isFields } from '@stickler/core/internal'
import type { RecordFormat } from './format.ts'
import { answersIn, askedFields, nameIn, requestFields, shared, usageIn } from './free-form.ts'

/** The rows of Braintrust's logs and experiments; spans of tools, functions and scores have no answer. */
export const braintrust: RecordFormat = {
  name: 'braintrust',
  title: 'Braintrust logs',
  keys: 'span_id, root_span_id',
  matches: (record) => typeof record.span_id === 'string' && typeof record.root_span_id === 'string',
  *read({ id: given, span_id: span, span_attributes: about, error, input, output, metadata, metrics }) {
    const id = nameIn(given) ?? nameIn(span)
    const type = isFields(about) ? (about.type ?? undefined) : undefined
    if (type !== undefined && type !== 'llm') return yield { id, reason: 'not a generation' }
    if ((error ?? undefined) !== undefined && (output ?? undefined) === undefined)
      return yield { id, reason: 'error', detail: (typeof error === 'string' ? error : JSON.stringify(error)).slice(0, 200) }
    const facts = isFields(metadata) ? metadata : {}
    // The settings of a call are in its metadata, its messages in its input.
    const { messages: _messages, input: _input, prompt: _prompt, ...offered } = requestFields(facts)
    yield* shared(answersIn(output), {
      id,
      model: nameIn(facts.model),
      usage: usageIn(metrics, isFields(metrics) ? metrics.estimated_cost : undefined),
      fields: { ...offered, ...askedFields(input) },
    })
  },
}
