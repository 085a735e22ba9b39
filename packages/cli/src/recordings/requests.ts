import { type Fields, isFields } from '@stickler/core/internal'
import { UsageError } from '../errors.ts'
import type { Input } from '../inputs/inputs.ts'
import type { Requests } from './formats/format.ts'
import { readRecords } from './records.ts'

/** Requests are held in memory; providers allow batches of 200 MB. */
const largest = 256 * 1024 * 1024

/** Reads the requests of a batch, `{custom_id, body}` of OpenAI or `{custom_id, params}` of Anthropic, one per line. */
export async function readRequests(input: Input, signal: AbortSignal | undefined): Promise<Requests> {
  const bodies = new Map<string, Fields>()
  let bytes = 0
  for await (const record of readRecords(input, signal)) {
    bytes += record.bytes
    if (bytes > largest) throw new UsageError(`cannot read ${input.name}: the requests have more than ${largest} bytes`)
    const at = `${input.name}:${record.line}`
    if (!('value' in record)) throw new UsageError(`${at}: ${record.detail}`)
    const { custom_id: id, body, params } = record.value
    const request = body ?? params
    if (typeof id !== 'string' || !isFields(request)) throw new UsageError(`${at}: a request of a batch has custom_id, and body or params`)
    if (bodies.has(id)) throw new UsageError(`${at}: the custom_id ${JSON.stringify(id.slice(0, 80))} is there twice`)
    bodies.set(id, request)
  }
  return { find: (id) => bodies.get(id) }
}
