import type { FileResult } from '../result.ts'
import type { Counts } from '../tally.ts'

/** The formats of reports. */
export const formats = ['text', 'json', 'sarif', 'junit', 'github'] as const

/** One of `text`, `json`, `sarif`, `junit`, `github`. */
export type Format = (typeof formats)[number]

/** How everything ended. */
export interface Ending {
  readonly counts: Readonly<Counts>
  readonly exitCode: number
}

/** Writes a report piece by piece, so that long ones need not be held. */
export interface ReportWriter {
  readonly begin?: string
  /** What is written about a file. */
  add(result: FileResult): string
  /** What is written about something that could not be read. */
  addFault?(message: string): string
  end(ending: Ending): string
}
