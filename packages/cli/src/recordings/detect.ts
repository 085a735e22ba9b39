import { type Fields, unknownName } from '@stickler/core/internal'
import { UsageError } from '../errors.ts'
import { printable } from '../terminal/printable.ts'
import type { RecordFormat } from './formats/format.ts'
import { recordFormats } from './formats/index.ts'

/** The first records of one input. */
export interface Sample {
  readonly file: string
  readonly records: readonly { readonly line: number; readonly value: Fields }[]
}

/** The format that the user names. */
export function formatNamed(name: string, flag: string): RecordFormat {
  const found = recordFormats.find((format) => format.name === name)
  if (found !== undefined) return found
  const names = recordFormats.map((format) => format.name)
  throw new UsageError(`${flag}: ${unknownName('format', name, names)}`)
}

/** The formats that a record could have. */
export function formatsOf(record: Fields): readonly RecordFormat[] {
  return recordFormats.filter((format) => format.matches(record))
}

/** The one format of all samples; throws a UsageError where there is none, or more than one. */
export function detectFormat(samples: readonly Sample[], flag: string): RecordFormat {
  let decided: { readonly format: RecordFormat; readonly at: string } | undefined
  for (const { file, records } of samples)
    for (const { line, value } of records) {
      const at = `${file}:${line}`
      const [format, other] = formatsOf(value)
      if (format === undefined) throw new UsageError(`${at}: ${unknownKeys([value], flag)}`)
      if (other !== undefined) throw new UsageError(`${at}: this could be ${format.name} or ${other.name}; name its format with ${flag}`)
      if (decided !== undefined && decided.format !== format)
        throw new UsageError(`${at}: this is ${format.name}, but ${decided.at} is ${decided.format.name}; give one format at a time`)
      decided ??= { format, at }
    }
  if (decided === undefined) throw new UsageError(`${samples.map(({ file }) => file).join(', ')}: there are no records`)
  return decided.format
}

/** Throws a UsageError when no record of the samples has the format that the user named. */
export function confirmFormat(format: RecordFormat, samples: readonly Sample[], flag: string): void {
  const records = samples.flatMap((sample) => sample.records.map(({ value }) => value))
  if (records.length === 0 || records.some(format.accepts ?? format.matches)) return
  throw new UsageError(`${samples[0]?.file}: no record is ${format.name}; ${unknownKeys(records, flag)}`)
}

function unknownKeys(records: readonly Fields[], flag: string): string {
  const keys = [...new Set(records.flatMap((record) => Object.keys(record)))]
  const seen = keys.slice(0, 20).map((key) => printable(key.slice(0, 40)))
  const known = recordFormats.filter(({ refusal }) => refusal === undefined).map(({ name }) => name)
  const more = keys.length > seen.length ? ', …' : ''
  return `unknown format; keys seen: ${seen.join(', ') || 'none'}${more}; formats known: ${known.join(', ')} (${flag})`
}
