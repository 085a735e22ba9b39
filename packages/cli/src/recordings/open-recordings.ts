import { defined, errorMessage, type Fields, isFields, readAnswerRequest } from '@stickler/core/internal'
import { UsageError } from '../errors.ts'
import type { Input } from '../inputs/inputs.ts'
import { confirmFormat, detectFormat, formatNamed, type Sample } from './detect.ts'
import { DistinctAnswers } from './distinct-answers.ts'
import type { Found, Missing, RecordFormat, Requests } from './formats/format.ts'
import { overrideKeys } from './formats/stickler.ts'
import { isRecording, type Recording, type RecordingSource, type Unusable } from './recording.ts'
import { type RawRecord, readRecords } from './records.ts'

/** How recordings are read. */
interface RecordingOptions {
  /** The name of the format; detected when absent. */
  readonly format?: string | undefined
  /** The input file of a batch, whose requests are joined to its answers. */
  readonly requests?: Input | undefined
  readonly signal?: AbortSignal | undefined
  /** The option that names the format, for messages. */
  readonly flag?: string
}

/** How many records of each input decide its format, and how many bytes of them are held. */
const sampled = { records: 50, bytes: 16 * 1024 * 1024 }

/**
 * Opens recorded answers of one format, which the first records of each input decide.
 *
 * Throws a UsageError that lists the keys seen and the formats known when no format, or more than one, fits.
 */
export async function openRecordings(inputs: readonly Input[], options: RecordingOptions = {}): Promise<RecordingSource> {
  const { signal, flag = '--format' } = options
  const named = options.format === undefined ? undefined : formatNamed(options.format, flag)
  const opened: Opened[] = []
  for (const input of inputs) opened.push(await open(input, signal))
  const samples = opened.map(sampleOf)
  const format = named ?? detectFormat(samples, flag)
  if (named !== undefined) confirmFormat(named, samples, flag)
  if (format.refusal !== undefined) throw new UsageError(`${inputs[0]?.name}: ${format.refusal}`)
  const requests = options.requests === undefined ? undefined : await readRequests(options.requests, signal)
  return { format: format.name, read: () => readAll(opened, format, requests) }
}

interface Opened {
  readonly name: string
  readonly head: readonly RawRecord[]
  records(): AsyncGenerator<RawRecord>
}

/** Reads the first records; a file is closed again, so that many of them can be opened, and a stream is held. */
async function open(input: Input, signal: AbortSignal | undefined): Promise<Opened> {
  const records = readRecords(input, signal)
  const head: RawRecord[] = []
  let bytes = 0
  while (head.length < sampled.records && bytes < sampled.bytes) {
    const next = await records.next()
    if (next.done) break
    head.push(next.value)
    bytes += next.value.bytes
  }
  if (input.file !== undefined) {
    await records.return(undefined)
    return { name: input.name, head, records: () => readRecords(input, signal) }
  }
  async function* continued(): AsyncGenerator<RawRecord> {
    yield* head.splice(0)
    yield* records
  }
  return { name: input.name, head, records: continued }
}

function sampleOf({ name, head }: Opened): Sample {
  return { file: name, records: head.flatMap((record) => ('value' in record ? [record] : [])) }
}

async function* readAll(
  opened: readonly Opened[],
  format: RecordFormat,
  requests: Requests | undefined,
): AsyncGenerator<Recording | Unusable> {
  const seen = new DistinctAnswers()
  for (const { name, records } of opened)
    for await (const record of records()) {
      for (const one of readRecord(record, name, format, requests)) {
        const own = one.id !== undefined && one.id !== placeOf(one)
        yield isRecording(one) && own ? (seen.add(one) ?? { file: name, line: one.line, id: one.id, reason: 'duplicate' }) : one
      }
    }
}

/** The answers of one record, each with its place. */
export function* readRecord(record: RawRecord, file: string, format: RecordFormat, requests?: Requests): Generator<Recording | Unusable> {
  const place = { file, line: record.line }
  if (!('value' in record)) return yield { ...place, reason: record.reason, detail: record.detail }
  if (!(format.accepts ?? format.matches)(record.value)) return yield { ...place, reason: 'of another format' }
  const found = [...format.read(record.value, requests)]
  for (const [at, one] of found.entries()) {
    const numbered = found.length > 1 ? `/${at}` : ''
    yield placed(one, place, `${placeOf(place)}${numbered}`)
  }
}

function placeOf({ file, line }: { readonly file: string; readonly line: number }): string {
  return `${file}:${line}`
}

function placed(one: Found | Missing, place: Pick<Recording, 'file' | 'line'>, fallback: string): Recording | Unusable {
  const { id } = one
  if (!('fields' in one)) return { ...place, ...defined({ ...one, id }) } as Unusable
  const problem = problemIn(one.fields)
  if (problem !== undefined) return { ...place, ...problem, ...defined({ id }) }
  return { ...place, ...defined({ ...one }), id: id ?? fallback, fields: one.fields }
}

/** Why no answer can be read from the fields. */
function problemIn(fields: Fields): Pick<Unusable, 'reason' | 'detail'> | undefined {
  const own: ReadonlySet<string> = new Set(overrideKeys)
  const rest = Object.fromEntries(Object.entries(fields).filter(([key]) => !own.has(key)))
  try {
    const { missing } = readAnswerRequest(rest, (param, message) => new Error(`${param}: ${message}`))
    return missing === undefined ? undefined : { reason: 'without text' }
  } catch (error) {
    return { reason: 'unreadable', detail: errorMessage(error) }
  }
}

/** Requests are held in memory; providers allow batches of 200 MB. */
const largest = 256 * 1024 * 1024

/** Reads the requests of a batch, `{custom_id, body}` of OpenAI or `{custom_id, params}` of Anthropic, one per line. */
async function readRequests(input: Input, signal: AbortSignal | undefined): Promise<Requests> {
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
