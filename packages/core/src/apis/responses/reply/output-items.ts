import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import { idStem } from '../../reply/reply-ids.ts'

/** The status of an item. */
export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

/** The id of an item of the output. */
export function itemId(kind: 'rs' | 'msg' | 'fc', replyId: string, outputIndex: number): string {
  return `${kind}_${idStem(replyId)}_${outputIndex}`
}

/** The model's reasoning, as an output item. */
export function reasoningItem(id: string, text: string | undefined, status: ItemStatus): Fields {
  return { id, type: 'reasoning', summary: text === undefined ? [] : [summaryPart(text)], status }
}

/** One part of a reasoning item. */
export function summaryPart(text: string): Fields {
  return { type: 'summary_text', text }
}

/** The model's message, as an output item. */
export function messageItem(id: string, content: readonly Fields[], status: ItemStatus): Fields {
  return { id, type: 'message', role: 'assistant', status, content }
}

/** A text of a message. */
export function textPart(text: string, annotations: readonly unknown[] = [], logprobs: readonly unknown[] = []): Fields {
  return { type: 'output_text', text, annotations, logprobs }
}

/** A refusal in a message. */
export function refusalPart(refusal: string): Fields {
  return { type: 'refusal', refusal }
}

/** A tool call, as an item of the output. */
export function callItem(id: string, callId: string, name: string, args: string, status: ItemStatus): Fields {
  return { id, type: 'function_call', call_id: callId, name, arguments: args, status }
}

/** Annotations of chat completions in the shape of this API, which has no inner object for the citation of a page. */
export function readAnnotations(annotations: unknown): readonly unknown[] {
  if (!Array.isArray(annotations)) return []
  return annotations.map((annotation: unknown) => {
    if (!isFields(annotation) || !isFields(annotation.url_citation)) return annotation
    return { type: 'url_citation', ...annotation.url_citation }
  })
}

/** The log probabilities of chat completions as the list that this API has. */
export function readLogprobs(logprobs: unknown): readonly unknown[] {
  return isFields(logprobs) && Array.isArray(logprobs.content) ? logprobs.content : []
}
