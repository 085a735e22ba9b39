import { type Fields, field, firstField, isFields, textField } from './fields.ts'

/** Longer results are not looked into: they are data. */
const longestReport = 10_000

/** Whether the result of a call says that it succeeded: everything does that does not say otherwise, in a flag, as JSON or in its first word. */
export function hasSucceeded(result: Fields): boolean {
  // Responses: the call has not come to its end.
  if (reportsFailure(result) || /^(?:incomplete|in_progress|cancelled)$/.test(textField(result, 'status'))) return false
  const content = firstField(result, 'content', 'output', 'result', 'response')?.given
  // The AI SDK gives the type of an output: `error-text`, `error-json`, `execution-denied`.
  const type = field(content, 'type')
  if (typeof type === 'string' && /^(?:error|execution-denied)/.test(type)) return false
  return !isFailure(field(content, 'value') ?? content)
}

function isFailure(content: unknown): boolean {
  if (Array.isArray(content)) return isFailure(field(content[0], 'text'))
  if (typeof content !== 'string') return isFields(content) && reportsFailure(content)
  if (/^\s*error:/i.test(content.slice(0, 100))) return true
  if (content.length > longestReport || !content.trimStart().startsWith('{')) return false
  try {
    const report: unknown = JSON.parse(content)
    return isFields(report) && reportsFailure(report)
  } catch {
    return false
  }
}

/** The words and the HTTP codes by which results report a failure. */
function isFailedStatus(status: unknown): boolean {
  if (typeof status === 'number') return status >= 400 && status < 600
  return typeof status === 'string' && status.length < 20 && /^(?:error|failed|failure)$/i.test(status)
}

function reportsFailure(report: Fields): boolean {
  const error = field(report, 'error')
  const errors = field(report, 'errors')
  return (
    (Array.isArray(errors) && errors.length > 0) ||
    isFailedStatus(field(report, 'statusCode')) ||
    isFailedStatus(field(report, 'status_code')) ||
    field(report, 'is_error') === true ||
    field(report, 'isError') === true ||
    field(report, 'ok') === false ||
    field(report, 'success') === false ||
    isFailedStatus(field(report, 'status')) ||
    ['output-error', 'output-denied'].includes(textField(report, 'state')) ||
    (Boolean(error) && (typeof error !== 'object' || Object.keys(error as object).length > 0))
  )
}
