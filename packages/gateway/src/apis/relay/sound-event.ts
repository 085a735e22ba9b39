import { editJson, type JsonEdit, type WireEvent, type WireReply } from '@stickler/core/wire'
import type { Target } from '../../enforcement/target.ts'
import { passedFields } from '../reply/sound-links.ts'
import { type Fields, isFields } from '../shared/fields.ts'

/** An event without references that lead anywhere but to the web, where a contract holds; almost always the event itself. */
export function soundEvent(event: WireEvent, target: Target): WireEvent {
  if (!mayHaveLinks(event.data)) return event
  const data = soundJson(event.data, target)
  return data === event.data ? event : { ...event, data, ...('chunk' in event && { chunk: JSON.parse(data) as Fields }) }
}

/** The same for a whole reply. */
export function soundReply(reply: WireReply, target: Target): WireReply {
  if (!mayHaveLinks(reply.body)) return reply
  const body = soundJson(reply.body, target)
  return body === reply.body ? reply : { ...reply, body }
}

/** References are texts with a colon or a control character in them, so most chunks need not be read. */
function mayHaveLinks(json: string): boolean {
  return /(?:ur[il]|href|link|src)s?"|annotations|citations|search_results|\\\\u/i.test(json)
}

function soundJson(json: string, target: Target): string {
  const reply = JSON.parse(json) as Fields
  const edits: JsonEdit[] = []
  addEdits(edits, [], reply, target)
  const choices: readonly unknown[] = Array.isArray(reply.choices) ? reply.choices : []
  for (const [at, choice] of choices.entries()) {
    if (!isFields(choice)) continue
    addEdits(edits, ['choices', at], choice, target)
    for (const holder of ['delta', 'message']) {
      const message = choice[holder]
      if (isFields(message)) addEdits(edits, ['choices', at, holder], message, target)
    }
  }
  return editJson(json, edits)
}

const structure = new Set(['choices', 'delta', 'message', 'usage'])

function addEdits(edits: JsonEdit[], path: readonly (string | number)[], holder: Fields, target: Target): void {
  const fields = Object.fromEntries(Object.entries(holder).filter(([name]) => !structure.has(name)))
  const passed = passedFields(fields, target)
  if (passed === fields) return
  for (const name of Object.keys(fields)) {
    if (passed[name] === fields[name]) continue
    edits.push({ path: [...path, name], json: name in passed ? JSON.stringify(passed[name]) : undefined })
  }
}
