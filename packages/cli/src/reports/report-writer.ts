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
export interface ReportWriter {
  readonly begin?: string
  /** Writes the result of one file. */
  add(result: FileResult): string
  /** Writes an input that could not be read. */
  addFault?(message: string): string
  end(ending: Ending): string
}

/** A report written to a file. */
export interface OutputFile {
  readonly format: Format
  readonly file: string
}

/** The options that choose reports. */
export interface ReportFlags {
  readonly json?: true
  readonly format?: Format
  readonly output?: readonly OutputFile[]
  readonly quiet?: true
}
