import type { Recording } from '../../recordings/recording.ts'
import { type EvaluationReportFlags, type ExportFormat, exportFormats } from '../evaluation-options.ts'
import { type Measure, textOf } from '../measure.ts'
import { type Exports, openExports } from './open-exports.ts'

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
