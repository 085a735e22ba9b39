import { closeSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRegularFile } from '@stickler/node/internal/files'
import { openToAppend } from '../../files/write-file.ts'
import { writeAll } from '../../inputs/line-journal.ts'
import { version } from '../../version.ts'
import type { ExportFormat } from '../evaluation-options.ts'
import { jsonlResults } from './jsonl.ts'
import { otelResults } from './otel.ts'
import { promptfooResults } from './promptfoo.ts'
import type { EvaluatedRecording, ResultWriter } from './result.ts'

/** Results for other tools, collected in files while answers are judged, so that memory does not grow with them. */
export interface Exports {
  add(result: EvaluatedRecording): void
  /** The text of each file, in the order in which they were asked for. */
  files(evaluation: {
    readonly id: string
    readonly at: number
  }): readonly { readonly file: string; readonly text: AsyncIterable<string> }[]
  close(): void
}

const writers: Readonly<Record<ExportFormat, () => ResultWriter>> = {
  promptfoo: promptfooResults,
  otel: () => otelResults(version()),
  jsonl: jsonlResults,
}
/** Results are written together up to this length. */
const atOnce = 64 * 1024

/** Opens the exports that the command line asks for. */
export function openExports(wanted: readonly { readonly format: ExportFormat; readonly file: string }[]): Exports {
  const folder = wanted.length === 0 ? undefined : mkdtempSync(join(tmpdir(), 'stickler-results-'))
  const parts = wanted.map(({ format, file }, at) => {
    const path = join(folder ?? '', `${at}`)
    return { file, path, writer: writers[format](), descriptor: openToAppend(path), waiting: '' }
  })
  const flush = (part: (typeof parts)[number]): void => {
    writeAll(part.descriptor, part.waiting)
    part.waiting = ''
  }
  return {
    add(result) {
      for (const part of parts) {
        part.waiting += part.writer.add(result)
        if (part.waiting.length >= atOnce) flush(part)
      }
    },
    files: (evaluation) =>
      parts.map((part) => {
        flush(part)
        return { file: part.file, text: framed(part.path, part.writer.frame(evaluation)) }
      }),
    close() {
      for (const { descriptor } of parts) closeSync(descriptor)
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function* framed(path: string, { begin, end }: ReturnType<ResultWriter['frame']>): AsyncGenerator<string> {
  yield begin
  for await (const piece of (await openRegularFile(path)).createReadStream({ encoding: 'utf8' })) yield piece as string
  yield end
}
