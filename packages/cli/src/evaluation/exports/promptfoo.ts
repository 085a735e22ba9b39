import { safeJson } from '../../terminal/printable.ts'
import { type EvaluatedRecording, explanationOf, type ResultWriter, scoreOf } from './result.ts'

/** What `failureReason` says: nothing failed, an assertion failed, the check itself failed. */
const failure = { none: 0, assert: 1, error: 2 } as const

/** One file of version 3, which `promptfoo import` and `promptfoo view` read; streamed result by result. */
export function promptfooResults(): ResultWriter {
  const stats = { successes: 0, failures: 0, errors: 0 }
  const tokens = { total: 0, prompt: 0, completion: 0 }
  let written = 0
  return {
    begin: '{"results":{"version":3,"prompts":[],"results":[',
    add(result) {
      const { usage } = result.recording
      const pass = scoreOf(result.verdict)
      stats[pass === undefined ? 'errors' : pass ? 'successes' : 'failures']++
      tokens.prompt += usage?.promptTokens ?? 0
      tokens.completion += usage?.completionTokens ?? 0
      tokens.total = tokens.prompt + tokens.completion
      return `${written === 0 ? '\n' : ',\n'}${safeJson(resultOf(result, written++))}`
    },
    end({ id, at }) {
      const results = `],"timestamp":"${new Date(at).toISOString()}","stats":${safeJson({ ...stats, tokenUsage: tokens })}}`
      return `\n${results},"evalId":${safeJson(id)},"config":{"description":"stickler"},"shareableUrl":null}\n`
    },
  }
}

function resultOf(result: EvaluatedRecording, testIdx: number): object {
  const { recording, text = '', contract, verdict } = result
  const { id, fields, model = '', usage, label } = recording
  const pass = scoreOf(verdict)
  const reason = explanationOf(verdict)
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
    latencyMs: 0,
    namedScores: { [contract]: graded.score },
    gradingResult: {
      ...graded,
      namedScores: {},
      componentResults: [
        ...verdict.errors.map((rule) => componentOf(rule, false)),
        ...verdict.warnings.map((rule) => componentOf(rule, true)),
      ],
    },
    ...(usage?.cost === undefined ? {} : { cost: usage.cost }),
    metadata: { contract },
  }
}

function componentOf(rule: string, pass: boolean): object {
  return { pass, score: pass ? 1 : 0, reason: rule, assertion: { type: 'javascript', metric: rule } }
}

function tokensOf({ promptTokens, completionTokens }: { readonly promptTokens: number; readonly completionTokens: number }): object {
  return { total: promptTokens + completionTokens, prompt: promptTokens, completion: completionTokens }
}
