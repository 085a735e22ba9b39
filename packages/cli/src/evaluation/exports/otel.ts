import { safeJson } from '../../terminal/printable.ts'
import { type EvaluatedRecording, explanationOf, type ResultWriter, scoreOf } from './result.ts'

/** One `gen_ai.evaluation.result` event per line, as OTLP/JSON, which collectors read from files. */
export function otelResults(version: string): ResultWriter {
  const resource = { attributes: [attribute('service.name', 'stickler'), attribute('service.version', version)] }
  return {
    add: (result) => {
      const time = `${Math.trunc(result.at)}000000`
      const record = {
        timeUnixNano: time,
        observedTimeUnixNano: time,
        severityNumber: scoreOf(result.verdict) === true ? 9 : 13,
        eventName: 'gen_ai.evaluation.result',
        attributes: attributesOf(result),
      }
      return `${safeJson({ resourceLogs: [{ resource, scopeLogs: [{ scope: { name: 'stickler', version }, logRecords: [record] }] }] })}\n`
    },
    end: () => '',
  }
}

function attributesOf(result: EvaluatedRecording): readonly object[] {
  const { recording, contract, verdict } = result
  const pass = scoreOf(verdict)
  const explanation = explanationOf(verdict)
  return [
    attribute('gen_ai.evaluation.name', contract),
    attribute('gen_ai.response.id', recording.id),
    // Without a verdict there is no score, and never one that passes.
    ...(pass === undefined
      ? [attribute('error.type', 'unchecked')]
      : [attribute('gen_ai.evaluation.score.value', pass ? 1 : 0), attribute('gen_ai.evaluation.score.label', pass ? 'pass' : 'fail')]),
    ...(explanation === '' ? [] : [attribute('gen_ai.evaluation.explanation', explanation)]),
    attribute('stickler.status', verdict.status),
    ...(verdict.errors.length === 0 ? [] : [attribute('stickler.errors', verdict.errors.join(','))]),
    ...(recording.model === undefined ? [] : [attribute('gen_ai.response.model', recording.model)]),
  ]
}

function attribute(key: string, value: string | number): object {
  return { key, value: typeof value === 'string' ? { stringValue: value } : { doubleValue: value } }
}
