import { editJson, type JsonEdit } from '../../json/edit-json.ts'
import { memberJson } from '../reply/verdict-body.ts'
import { fitAnthropic } from '../shared/structured-output.ts'
import type { Wire, WireChanges, WireReply } from '../shared/wire.ts'
import { askMessages } from './ask-again.ts'
import { passMessage, passMessageEvent } from './message-references.ts'
import { chatUsage } from './message-usage.ts'
import { MessageEvents } from './read-events.ts'
import { type MessageReply, readMessage } from './read-message.ts'
import { MessageWriter, partEdits } from './write-events.ts'

/** How Anthropic's Messages API looks on the wire. */
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

/** Of a block whose text was removed nothing is left: providers refuse an empty one in the next request, and clients that parse every block cannot read it. */
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
