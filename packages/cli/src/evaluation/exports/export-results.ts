import { closeSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRegularFile } from '@stickler/node/internal/files'
import { openToAppend } from '../../files/write-file.ts'
import { writeAll } from '../../inputs/line-journal.ts'
import { lineOf } from '../../recordings/import-recordings.ts'
import type { Recording } from '../../recordings/recording.ts'
import { safeJson } from '../../terminal/printable.ts'
import { version } from '../../version.ts'
import { type EvaluationReportFlags, type ExportFormat, exportFormats } from '../evaluation-options.ts'
import { type Measure, textOf } from '../measure.ts'
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

/** The exports among the outputs of the command line, and what fills them; texts and questions are in them only with `--texts`. */
export function exportResults(
  { output = [], texts }: Pick<EvaluationReportFlags, 'output' | 'texts'>,
  { contract, at }: { readonly contract: string; at(): number },
): { readonly exports: Exports } & Pick<Measure, 'onJudged'> {
  const wanted = output.flatMap(({ format, file }) => (isExport(format) ? [{ format, file }] : []))
  const exports = openExports(wanted)
  if (wanted.length === 0) return { exports }
  return {
    exports,
    onJudged: (recording, verdict, made) =>
      exports.add({
        recording: texts ? (made ? madeRecording(recording) : recording) : { ...recording, fields: {} },
        text: texts ? (made?.text ?? textOf(recording)) : undefined,
        contract: recording.contract ?? contract,
        verdict,
        at: at(),
      }),
  }
}

/** A prompt without its place in the evaluation. */
function madeRecording({ fields: { prompt }, ...about }: Recording): Recording {
  return { ...about, fields: typeof prompt === 'string' ? { prompt } : { messages: prompt } }
}

function isExport(format: string): format is ExportFormat {
  return exportFormats.some((one) => one === format)
}

const writers: Readonly<Record<ExportFormat, () => ResultWriter>> = {
  promptfoo: promptfooResults,
  otel: () => otelResults(version()),
  jsonl: jsonlResults,
}
/** Results are written together up to this length. */
const atOnce = 64 * 1024

/** Opens the exports that the command line asks for. */
function openExports(wanted: readonly { readonly format: ExportFormat; readonly file: string }[]): Exports {
  const folder = wanted.length === 0 ? undefined : mkdtempSync(join(tmpdir(), 'stickler-results-'))
  const parts = wanted.map(({ format, file }, at) => {
    const path = join(folder ?? '', `${at}`)
    const writer = writers[format]()
    return { file, path, writer, descriptor: openToAppend(path), waiting: writer.begin ?? '' }
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
        part.waiting += part.writer.end(evaluation)
        flush(part)
        return { file: part.file, text: textIn(part.path) }
      }),
    close() {
      for (const { descriptor } of parts) closeSync(descriptor)
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function* textIn(path: string): AsyncGenerator<string> {
  yield* (await openRegularFile(path)).createReadStream({ encoding: 'utf8' }) as AsyncIterable<string>
}

/** One JSON object per line: the recording as `check --jsonl` reads it, with its `status` and the rules that it breaks. */
function jsonlResults(): ResultWriter {
  return {
    add: ({ recording, text, contract, verdict }) => {
      const { status, errors, fixed, warnings, repairs, unchecked } = verdict
      const line = { ...lineOf(recording), ...(text !== undefined && isBare(recording.fields) && { text }) }
      return `${safeJson({ ...line, contract, status, codes: errors, fixed, warnings, repairs, unchecked })}\n`
    },
    end: () => '',
  }
}

/** Whether fields have no answer of their own, as those of prompts. */
function isBare(fields: Readonly<Record<string, unknown>>): boolean {
  return fields.text === undefined && fields.message === undefined && fields.response === undefined
}
