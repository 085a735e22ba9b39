import { InvalidArgumentError } from 'commander'
import type { FileResult } from './file-result.ts'
import type { Counts } from './tally.ts'

/** The formats of reports. */
export const formats = ['text', 'json', 'sarif', 'junit', 'github'] as const

/** One of `text`, `json`, `sarif`, `junit`, `github`. */
export type Format = (typeof formats)[number]

/** The final tally. */
export interface Ending {
  readonly counts: Readonly<Counts>
  readonly exitCode: number
}

/** Writes a report piece by piece, so that long ones are never held in memory. */
export interface ReportWriter<Result = FileResult, End = Ending> {
  readonly begin?: string
  /** Writes one result, such as that of a file. */
  add(result: Result): string
  /** Writes an input that could not be read. */
  addFault?(message: string): string
  end(ending: End): string
}

/** A report, and where its pieces go. */
export interface OpenReport<Result, End> {
  readonly writer: ReportWriter<Result, End>
  write(text: string): Promise<void>
  finish?(): Promise<void>
}

/** What the reports of a run say beside its results. */
export interface ReportFacts {
  /** The version of the command. */
  readonly version: string
  /** When the run started, as `2026-01-31T12:00:00`. */
  readonly timestamp: string
  /** A file relative to the root of the checkout, or absolute. */
  pathOf(file: string): string
}

/** A report written to a file. */
export interface OutputFile<Name extends string = Format> {
  readonly format: Name
  readonly file: string
}

/** The options that choose reports. */
export interface ReportFlags<Name extends string = Format> {
  readonly json?: true
  readonly format?: Name
  readonly output?: readonly OutputFile<Name>[]
  readonly quiet?: true
}

/** Reads `--output`: a format and a file; may be repeated. */
export function outputReader<Name extends string>(names: readonly Name[]) {
  return (written: string, before: readonly OutputFile<Name>[] = []): readonly OutputFile<Name>[] => {
    const at = written.indexOf('=')
    const format = names.find((one) => one === written.slice(0, Math.max(0, at)))
    const file = written.slice(at + 1)
    if (format === undefined || file === '') throw new InvalidArgumentError(`Write it as format=file; the formats are ${names.join(', ')}.`)
    return [...before, { format, file }]
  }
}
