import { contentText } from '../../answer/content.ts'
import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import type { Message } from '../../engine/runner.ts'
import { editJson, type JsonEdit } from '../../json/edit-json.ts'
import { memberJson } from '../reply/verdict-body.ts'
import { formatEdit } from '../shared/format-edit.ts'
import { fitAnthropic, messagesFormat } from '../shared/structured-output.ts'
import type { Wire, WireChanges, WireReply, WireRequest, WireTurns } from '../shared/wire.ts'
import { passMessage, passMessageEvent } from './message-references.ts'
import { chatUsage } from './message-usage.ts'
import { MessageEvents } from './read-events.ts'
import { type MessageReply, readMessage } from './read-message.ts'
import { MessageWriter, partEdits } from './write-events.ts'

/** Separates feedback from the user's message. */
const gap = '\n\n'

/** The JSON of a request with the engine's additions. */
function askMessages({ source, body }: WireRequest, { model, withheld, instructions = '', format, turns, anew }: WireTurns): string {
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

/** A turn with only text: thinking blocks and tool calls of a rejected answer would need a signature, or a result. */
function turnOf({ role, content }: Message): readonly Fields[] {
  const text = contentText(content)
  // Anthropic refuses texts that are empty or only white space.
  if (text.trim() === '') return []
  return [{ role: role === 'assistant' ? 'assistant' : 'user', content: text }]
}

/** Puts feedback before the last user message; tool results must stay right after their calls. */
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

/** The wire format of Anthropic's Messages API. */
export const messagesWire: Wire = {
  api: 'messages',
  path: '/v1/messages',
  readWhole: readMessage,
  readStream: (listener) => new MessageEvents(listener),
  writeStream: (out) => new MessageWriter(out),
  writeWhole,
  passEvent: passMessageEvent,
  passReply: passMessage,
  ask: askMessages,
  fitSchema: fitAnthropic,
  chatUsage,
}

/** A block whose text was removed is removed too: providers reject an empty one in the next request, and clients that parse every block cannot read it. */
function withoutEmptied(edit: JsonEdit): JsonEdit {
  return edit.json === '""' && edit.path.at(-1) === 'text' ? { path: edit.path.slice(0, -1), json: undefined } : edit
}

function writeWhole(reply: WireReply, { model, parts, usage, members }: WireChanges): string {
  // Every whole reply of this wire comes from `readMessage`.
  const { body, parts: placed, hasModel, hasUsage } = reply as MessageReply
  const edits: JsonEdit[] = parts === undefined ? [] : partEdits(placed, parts).map(withoutEmptied)
  if (model !== undefined && hasModel) edits.push({ path: ['model'], json: JSON.stringify(model) })
  if (usage !== undefined && hasUsage) edits.push({ path: ['usage'], json: JSON.stringify(usage) })
  for (const name in members) edits.push({ path: [name], json: memberJson(members[name]) })
  return editJson(body, edits, reply.outline)
}
