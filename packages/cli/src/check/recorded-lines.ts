import { type Fields, isFields, parseJson } from '@stickler/core/internal'
import { UsageError } from '../errors.ts'
import type { Line } from '../inputs/lines.ts'
import { formatsOf } from '../recordings/detect.ts'
import type { RecordFormat } from '../recordings/formats/format.ts'
import { readRecord } from '../recordings/open-recordings.ts'
import { type RawRecord, recordsIn } from '../recordings/records.ts'

/** A line, or one answer of a record that another tool wrote, in the form of a line. */
export type CheckLine = Line | { readonly number: number; readonly bytes: number; readonly id: string; readonly value: Fields }

/** Formats whose records are lines of `check --jsonl` already. */
const own: ReadonlySet<string> = new Set(['stickler', 'response', 'batch-requests'])

/** The format of a record of another tool; undefined for our own lines and for what nobody knows. */
function foreignFormat(value: Fields): RecordFormat | undefined {
  const [format, other] = formatsOf(value)
  return other === undefined && format !== undefined && !own.has(format.name) ? format : undefined
}

/**
 * Passes lines on, and reads records of another tool as lines: its first record tells whose they are.
 *
 * A line is passed on at once, because a program may wait for its result before it writes the next one.
 */
export async function* checkLinesOf(lines: AsyncGenerator<Line>, file: string): AsyncGenerator<CheckLine> {
  const first = await lines.next()
  if (first.done) return
  const value = 'text' in first.value ? parseJson(first.value.text) : undefined
  if (value === undefined && 'text' in first.value && /^\s*[[{]/.test(first.value.text)) return yield* documentOr(first.value, lines, file)
  yield* linesOr([first.value], lines, file)
}

/** Lines as they are, unless the first object among them is a record of another tool. */
async function* linesOr(head: readonly Line[], rest: AsyncGenerator<Line>, file: string): AsyncGenerator<CheckLine> {
  let decided: { readonly format: RecordFormat | undefined } | undefined
  for await (const line of prepended(head, rest)) {
    const value = decided === undefined && 'text' in line ? parseJson(line.text) : undefined
    if (isFields(value)) decided = { format: foreignFormat(value) }
    yield* decided?.format === undefined ? [line] : answersOf(line, decided.format, file)
  }
}

async function* prepended(head: readonly Line[], rest: AsyncGenerator<Line>): AsyncGenerator<Line> {
  yield* head
  yield* rest
}

function* answersOf(line: Line, format: RecordFormat, file: string): Generator<CheckLine> {
  const value = 'text' in line ? parseJson(line.text) : undefined
  if (!isFields(value) || !format.matches(value)) return yield line
  yield* answersIn({ line: line.number, bytes: line.bytes, value }, format, file)
}

function* answersIn(record: RawRecord, format: RecordFormat, file: string): Generator<CheckLine> {
  for (const one of readRecord(record, file, format)) {
    const place = { number: one.line, bytes: record.bytes }
    if ('fields' in one) yield { ...place, id: one.id, value: one.fields }
    else yield { ...place, problem: `${format.name} without an answer: ${one.reason}${one.detail ? `: ${one.detail}` : ''}` }
  }
}

/** A document of another tool; otherwise its lines as they are. */
async function* documentOr(first: Line, rest: AsyncGenerator<Line>, file: string): AsyncGenerator<CheckLine> {
  const kept = [first]
  async function* remembered(): AsyncGenerator<Line> {
    yield first
    for await (const line of { [Symbol.asyncIterator]: () => ({ next: () => rest.next() }) }) {
      kept.push(line)
      yield line
    }
  }
  const records: RawRecord[] = []
  let format: RecordFormat | undefined
  try {
    for await (const record of recordsIn(remembered(), file)) {
      format ??= 'value' in record ? foreignFormat(record.value) : undefined
      // The first record decides; lines that are not of another tool are not read ahead.
      if (format === undefined) break
      records.push(record)
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    format = undefined
  }
  if (format === undefined) return yield* linesOr(kept, rest, file)
  for (const record of records) yield* answersIn(record, format, file)
}
