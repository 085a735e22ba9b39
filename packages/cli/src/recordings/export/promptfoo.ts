import { safeJson } from '../../terminal/printable.ts'
import { type EvaluatedRecording, explanationOf, type ResultWriter, verdictOf } from './result.ts'

/** What `failureReason` says: nothing failed, an assertion failed, the check itself failed. */
const failure = { none: 0, assert: 1, error: 2 } as const

/** One file of version 3, which `promptfoo import` and `promptfoo view` read; streamed result by result. */
export function promptfooResults({ id, timestamp }: { readonly id: string; readonly timestamp: string }): ResultWriter {
  const stats = { successes: 0, failures: 0, errors: 0 }
  const tokens = { total: 0, prompt: 0, completion: 0 }
  let written = 0
  return {
    begin: `{"evalId":${safeJson(id)},"results":{"version":3,"timestamp":${safeJson(timestamp)},"prompts":[],"results":[`,
    add(result) {
      const { usage } = result.recording
      const verdict = verdictOf(result)
      stats[verdict === undefined ? 'errors' : verdict ? 'successes' : 'failures']++
      tokens.prompt += usage?.promptTokens ?? 0
      tokens.completion += usage?.completionTokens ?? 0
      tokens.total = tokens.prompt + tokens.completion
      return `${written === 0 ? '\n' : ',\n'}${safeJson(resultOf(result, written++))}`
    },
    end: () => `\n],"stats":${safeJson({ ...stats, tokenUsage: tokens })}},"config":{"description":"stickler"},"shareableUrl":null}\n`,
  }
}

function resultOf(result: EvaluatedRecording, testIdx: number): object {
  const { recording, text, contract, issues, ms = 0 } = result
  const { id, fields, model = '', usage, label } = recording
  const pass = verdictOf(result)
  const reason = explanationOf(result)
  const asked = fields.prompt ?? fields.question ?? fields.messages ?? fields.input ?? ''
  const raw = typeof asked === 'string' ? asked : JSON.stringify(asked)
  const graded = { pass: pass === true, score: pass === true ? 1 : 0, reason: reason === '' ? 'The contract is kept.' : reason }
  return {
    id,
    promptIdx: 0,
    testIdx,
    testCase: { description: id, vars: {}, metadata: label === undefined ? {} : { label } },
    promptId: '',
    provider: { id: model, label: '' },
    prompt: { raw, label: raw.slice(0, 80) },
    vars: {},
    response: { output: text, ...(usage === undefined ? {} : { tokenUsage: tokensOf(usage) }) },
    error: pass === true ? null : graded.reason,
    failureReason: pass === undefined ? failure.error : pass ? failure.none : failure.assert,
    success: graded.pass,
    score: graded.score,
    latencyMs: Math.round(ms),
    namedScores: { [contract]: graded.score },
    gradingResult: {
      ...graded,
      namedScores: {},
      componentResults: issues.map(({ code, message, severity }) => ({
        pass: severity !== 'error',
        score: severity === 'error' ? 0 : 1,
        reason: message,
        assertion: { type: 'javascript', metric: code },
      })),
    },
    ...(usage?.cost === undefined ? {} : { cost: usage.cost }),
    metadata: { contract },
  }
}

function tokensOf({ promptTokens, completionTokens }: { readonly promptTokens: number; readonly completionTokens: number }): object {
  return { total: promptTokens + completionTokens, prompt: promptTokens, completion: completionTokens }
}
