import { isFields } from '@stickler/core/internal'
import { readLines } from '../check/check-lines.ts'
import type { Input } from '../check/inputs.ts'
import type { Recording, RecordingSource, Unusable } from './recording.ts'

/** Opens recorded answers. */
export async function openRecordings(inputs: readonly Input[], _options: { format?: string; requests?: Input }): Promise<RecordingSource> {
  return { format: 'stickler', read: () => readAll(inputs) }
}

async function* readAll(inputs: readonly Input[]): AsyncGenerator<Recording | Unusable> {
  for (const input of inputs) {
    const stream = input.open()
    try {
      for await (const line of readLines(stream, 64 * 1024 * 1024)) {
        const place = { file: input.name, line: line.number }
        if ('problem' in line) yield { ...place, reason: 'unreadable', detail: line.problem }
        else yield readOne(line.text, place)
      }
    } finally {
      stream.destroy()
    }
  }
}

function readOne(text: string, place: { readonly file: string; readonly line: number }): Recording | Unusable {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ...place, reason: 'not JSON' }
  }
  if (!isFields(value)) return { ...place, reason: 'unreadable' }
  const { id, label, model, usage, ...fields } = value
  const counts = isFields(usage) ? usage : undefined
  return {
    ...place,
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : `${place.file}:${place.line}`,
    fields,
    ...(typeof model === 'string' ? { model } : {}),
    ...(label === 'good' || label === 'bad' ? { label } : {}),
    ...(typeof counts?.prompt_tokens === 'number' && typeof counts.completion_tokens === 'number'
      ? { usage: { promptTokens: counts.prompt_tokens, completionTokens: counts.completion_tokens } }
      : {}),
  }
}
