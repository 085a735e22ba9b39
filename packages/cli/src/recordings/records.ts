import { errorMessage, type Fields, isFields } from '@stickler/core/internal'
import { UsageError } from '../errors.ts'
import { type Input, readInput } from '../inputs/inputs.ts'
import { largestText } from '../inputs/limits.ts'
import { type Line, longestLine, readLines } from '../inputs/lines.ts'
import type { Reason } from './recording.ts'

/** One record of an input: an object, or why there is none. */
export type RawRecord = { readonly line: number; readonly bytes: number } & (
  | { readonly value: Fields }
  | { readonly reason: Reason; readonly detail: string }
)

/** Reads the records of an input: one JSON object per line, or one JSON document that is an object or a list of objects. */
export async function* readRecords(input: Input, signal: AbortSignal | undefined): AsyncGenerator<RawRecord> {
  yield* recordsIn(readLines(readInput(input, signal), longestLine), input.name)
}

/** The records of numbered lines. */
export async function* recordsIn(lines: AsyncGenerator<Line>, name: string): AsyncGenerator<RawRecord> {
  const first = await lines.next()
  if (first.done) return
  const head = [first.value]
  if (beginsDocument(first.value)) {
    const second = /^\s*\[/.test(textOf(first.value)) ? undefined : await lines.next()
    if (second?.done === false) head.push(second.value)
    // If the second line is not an object either, this is a document; otherwise the first line is damaged.
    const isDocument = second === undefined || (second.done === false && parse(textOf(second.value)).value === undefined)
    if (isDocument) return yield* documentRecords(await wholeText(head, lines, name), name)
  }
  for (const line of head) yield recordOf(line)
  for await (const line of lines) yield recordOf(line)
}

/** Whether a first line is the beginning of something longer than a line. */
function beginsDocument(line: Line): boolean {
  return /^\s*[[{]/.test(textOf(line)) && parse(textOf(line)).value === undefined
}

function textOf(line: Line): string {
  return 'text' in line ? line.text : ''
}

function parse(text: string): { readonly value?: Fields; readonly problem?: string; readonly other?: unknown } {
  try {
    const value = JSON.parse(text) as unknown
    return isFields(value) ? { value } : { other: value, problem: 'the line is not a JSON object' }
  } catch (error) {
    return { problem: errorMessage(error) }
  }
}

function recordOf(line: Line): RawRecord {
  const { number, bytes } = line
  if ('problem' in line) return { line: number, bytes, reason: line.bytes === 0 ? 'too long' : 'not JSON', detail: line.problem }
  const { value, problem = '' } = parse(line.text)
  return value === undefined ? { line: number, bytes, reason: 'not JSON', detail: problem } : { line: number, bytes, value }
}

/** Joins the lines of a document, which has to fit in memory. */
async function wholeText(head: readonly Line[], rest: AsyncGenerator<Line>, name: string): Promise<string> {
  const pieces: string[] = []
  let bytes = 0
  const add = (line: Line): void => {
    if ('problem' in line) throw new UsageError(`cannot read ${name}: ${line.problem}`)
    bytes += line.bytes + 1
    if (bytes > largestText)
      throw new UsageError(`cannot read ${name}: it is one JSON document of more than ${largestText} bytes; write one JSON object per line`)
    pieces.push(line.text)
  }
  for (const line of head) add(line)
  for await (const line of rest) add(line)
  return pieces.join('\n')
}

function* documentRecords(text: string, name: string): Generator<RawRecord> {
  const { value, other, problem } = parse(text)
  if (value !== undefined) return yield { line: 1, bytes: text.length, value }
  if (!Array.isArray(other)) throw new UsageError(`cannot read ${name}: it is neither JSON lines nor one JSON document: ${problem}`)
  for (const [at, item] of other.entries()) {
    const place = { line: at + 1, bytes: Math.ceil(text.length / other.length) }
    yield isFields(item) ? { ...place, value: item } : { ...place, reason: 'not JSON', detail: 'the item is not a JSON object' }
  }
}
