import { contentText } from '../../answer/content.ts'
import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import type { Message } from '../../engine/runner.ts'
import { editJson, type JsonEdit } from '../../json/edit-json.ts'
import { formatEdit } from '../shared/format-edit.ts'
import { messagesFormat } from '../shared/structured-output.ts'
import type { WireRequest, WireTurns } from '../shared/wire.ts'

/** Between feedback and what the user said. */
const gap = '\n\n'

/** The JSON of a request with what the engine adds to it. */
export function askMessages({ source, body }: WireRequest, { model, withheld, instructions = '', format, turns, anew }: WireTurns): string {
  const edits: JsonEdit[] = []
  if (model !== undefined && model !== body.model) edits.push({ path: ['model'], json: JSON.stringify(model) })
  for (const name of Object.keys(body)) if (withheld?.has(name)) edits.push({ path: [name], json: undefined })
  if (instructions !== '') edits.push(systemEdit(body.system, instructions))
  if (format !== undefined) edits.push(formatEdit(body, 'output_config', messagesFormat(format)))
  const messages = Array.isArray(body.messages) ? body.messages : []
  if (anew !== undefined && anew !== '') edits.push(anewEdit(messages, anew))
  const added = turns.flatMap(turnOf).map((turn) => JSON.stringify(turn))
  for (const [at, json] of added.entries()) edits.push({ path: ['messages', messages.length + at], json, isNew: true })
  return editJson(source, edits)
}

/** Rules follow the client's own messages, so that a cached prefix stays the same. */
function systemEdit(system: unknown, rules: string): JsonEdit {
  if (Array.isArray(system)) return { path: ['system', system.length], json: JSON.stringify({ type: 'text', text: rules }), isNew: true }
  const text = typeof system === 'string' && system !== '' ? system + gap + rules : rules
  return { path: ['system'], json: JSON.stringify(text) }
}

/** A turn with nothing but text: blocks of thinking and tool calls of a rejected answer would need a signature, or a result. */
function turnOf({ role, content }: Message): readonly Fields[] {
  const text = contentText(content)
  // Anthropic refuses texts that are empty or only white space.
  if (text.trim() === '') return []
  return [{ role: role === 'assistant' ? 'assistant' : 'user', content: text }]
}

/** Feedback before what the user said last; results of tools must stay right after their calls. */
function anewEdit(messages: readonly unknown[], feedback: string): JsonEdit {
  const at = messages.findLastIndex((message) => isFields(message) && message.role === 'user')
  const last: unknown = messages[at]
  const content = isFields(last) ? last.content : undefined
  if (typeof content === 'string') return { path: ['messages', at, 'content'], json: JSON.stringify(feedback + gap + content) }
  if (!Array.isArray(content))
    return { path: ['messages', messages.length], json: JSON.stringify({ role: 'user', content: feedback }), isNew: true }
  const hasResults = content.some((block) => isFields(block) && block.type === 'tool_result')
  return {
    path: ['messages', at, 'content', hasResults ? content.length : 0],
    json: JSON.stringify({ type: 'text', text: hasResults ? feedback : feedback + gap }),
    isNew: true,
  }
}
