import type { Issue } from '@stickler/core'
import { certificateData, settledData } from '@stickler/core/internal'
import { safeJson } from '../terminal/printable.ts'
import type { FileResult } from './file-result.ts'
import { LineIndex } from './line-index.ts'
import { placeOf } from './place.ts'
import type { ReportWriter } from './report-writer.ts'

/** One JSON object with all results, streamed one by one. */
export function jsonReport(): ReportWriter {
  let written = 0
  return {
    begin: '{\n  "results": [',
    add: (result) => `${written++ === 0 ? '\n' : ',\n'}${indent(safeJson(asData(result), 2), '    ')}`,
    end: () => (written === 0 ? ']\n}\n' : '\n  ]\n}\n'),
  }
}

/** A result as data: the fields of a JSON line, `file`, and the line and column of every issue with a span. */
function asData({ name, answer, settled, proposals, fix }: FileResult): Readonly<Record<string, unknown>> {
  const { issues, fixed, ...data } = settledData(settled, answer)
  const { status, validation_status: verdict, ...rest } = data
  const proposed = proposals.map(({ certificate, why }) => ({ ...certificateData(certificate), why }))
  return {
    file: name,
    status,
    ...(verdict === undefined ? {} : { validation_status: verdict }),
    issues: placed(issues, settled.text),
    ...(fixed === undefined ? {} : { fixed: placed(fixed, answer.text) }),
    ...rest,
    ...(proposed.length > 0 ? { proposed } : {}),
    ...(fix === undefined ? {} : { written: fix.kind === 'written', ...(fix.kind === 'refused' ? { notWritten: fix.reason } : {}) }),
  }
}

function placed(issues: unknown, text: string): unknown {
  if (!Array.isArray(issues) || issues.length === 0) return issues
  const lines = new LineIndex(text)
  return issues.map(({ span, ...issue }: Issue) => {
    const { path, suggestion, ...rest } = issue
    const place = span === undefined ? {} : { span, ...placeOf(span, lines) }
    return { ...rest, ...place, ...(path === undefined ? {} : { path }), ...(suggestion === undefined ? {} : { suggestion }) }
  })
}

function indent(text: string, by: string): string {
  return text.replace(/^/gm, by)
}
