import * as z from 'zod/mini'
import type { Answer } from '../../answer/answer.ts'
import type { TextSpan } from '../../answer/span.ts'
import { type Certificate, repairClasses } from '../../contract/certificate.ts'
import { type Finding, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { clamp, quote } from '../../contract/quote.ts'
import { requestCodes } from '../../contract/request-codes.ts'
import { type CheckContext, defineValidator } from '../../contract/validator.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { isObject } from '../../json/json-value.ts'
import { locateJson } from '../shared/locate-json.ts'
import { readJson, trimmed } from '../shared/read-json.ts'
import { jsonCodes } from './codes.ts'
import { inCalls } from './in-calls.ts'
import { prepareJson } from './index.ts'
import type { JsonCode } from './inspect.ts'
import { findSecondValue } from './second-value.ts'
import { requestedCheck } from './value-check.ts'

type Code = JsonCode | keyof typeof requestCodes

interface RequestMessages {
  missingCall(tool: string): readonly [string, string]
  unusable(reason: string): string
  /** Where the contract has a schema too. */
  byRequest(message: string): string
  conflict(property: string): string
}

const messages: Readonly<Record<Locale, RequestMessages>> = {
  en: {
    missingCall: (tool) => [`Call the tool ${quote(tool)}; the answer does not.`, 'Write nothing but the call'],
    unusable: (reason) => `Correct the schema of the request, which is not enforced as a whole: ${reason}.`,
    byRequest: (message) => `By the schema of the request: ${message}`,
    conflict: (property) =>
      `Correct the schema of the request or that of the contract: one requires the property ${quote(property)}, which the other excludes, so no answer keeps both.`,
  },
  de: {
    missingCall: (tool) => [`Rufe das Tool ${quote(tool)} auf; die Antwort tut das nicht.`, 'Schreibe nichts als den Aufruf'],
    unusable: (reason) => `Korrigiere das Schema der Anfrage, das nicht als Ganzes durchgesetzt wird: ${reason}.`,
    byRequest: (message) => `Nach dem Schema der Anfrage: ${message}`,
    conflict: (property) =>
      `Korrigiere das Schema der Anfrage oder das des Vertrags: Eines verlangt die Eigenschaft ${quote(property)}, die das andere ausschließt, also erfüllt keine Antwort beide.`,
  },
}

/** What a request asks for besides its contract: JSON in its format, or a call of the only tool that it allows; not for contracts as they are written. */
export const requestSchema = defineValidator({
  name: 'request_schema',
  summary: 'The answer is what the request asks for: JSON that matches the schema of its format, or a call whose arguments match.',
  get options() {
    return z.strictObject({
      schema: z.optional(z.unknown()),
      tool: z.optional(z.string()),
      deliver: z.optional(z.enum(['answer', 'value'])),
      allow: z.optional(z.array(z.enum(repairClasses))),
      /** The schema of the contract, where it has one. */
      beside: z.optional(z.unknown()),
    })
  },
  codes: {
    ...jsonCodes,
    ...requestCodes,
  },
  // The request has told the model.
  instruct: () => '',
  prepare: ({ schema, tool, deliver = 'value', allow, beside }) => {
    const { check, flaw } = requestedCheck(schema)
    const conflict = excludedBy(schema, beside) ?? excludedBy(beside, schema)
    const {
      schema: _told,
      value: _value,
      ...text
    } = prepareJson(check, { lines: false, partial: false, deliver, duplicateKeys: 'warn', allow })
    function* besides(findings: Iterable<Finding<JsonCode>>, locale: Locale): Generator<Finding<Code>> {
      for (const one of findings)
        yield beside !== undefined && one.kind === 'issue' && one.code === 'SCHEMA_MISMATCH'
          ? { ...one, message: messages[locale].byRequest(one.message) }
          : one
      if (conflict !== undefined) yield issue('UNUSABLE_SCHEMA', messages[locale].conflict(conflict))
    }
    const judged = {
      ...text,
      check: (answer: Answer, context: CheckContext) =>
        withFlaw(() => besides(text.check(answer, context) as Iterable<Finding<JsonCode>>, context.locale), flaw, context.locale),
    }
    if (tool === undefined) return judged
    const calls = inCalls<Code>(judged, tool)
    const declared = isObject(schema) && isObject(schema.properties) ? schema.properties : {}
    return {
      ...calls,
      asksForCall: true,
      check(answer, context) {
        const { toolCalls, isBetween } = answer
        if (toolCalls.length === 0 ? isBetween : toolCalls.some(({ name }) => name === tool)) return calls.check(answer, context)
        const [message, hint] = messages[context.locale].missingCall(tool)
        return [issue('MISSING_TOOL_CALL', message, { hint })]
      },
      repair: (answer, issues, context, allowed) =>
        answer.isBetween
          ? (calls.repair?.(answer, issues, context, allowed) ?? [])
          : turnIntoCall(answer, tool, declared, beside !== undefined),
    }
  },
})

/** What is found by a schema, and a warning where not all of the schema is used: that is the fault of no answer. */
function* withFlaw(check: () => Iterable<Finding<Code>>, flaw: string | undefined, locale: Locale): Generator<Finding<Code>> {
  let reason = flaw
  try {
    yield* check()
  } catch (thrown) {
    if (!(thrown instanceof ValidatorUnavailable)) throw thrown
    reason = thrown.message
  }
  if (reason !== undefined) yield issue('UNUSABLE_SCHEMA', messages[locale].unusable(clamp(reason, 300).replace(/\.$/, '')))
}

/** A property that a schema requires and another one, which is closed, does not have; only at the root. */
function excludedBy(closed: unknown, other: unknown): string | undefined {
  if (!isObject(closed) || !isObject(other) || closed.type !== 'object' || other.type !== 'object') return undefined
  if (closed.additionalProperties !== false || closed.patternProperties !== undefined) return undefined
  const { properties = {} } = closed
  if (!isObject(properties) || !Array.isArray(other.required)) return undefined
  return other.required.find((name): name is string => typeof name === 'string' && !Object.hasOwn(properties, name))
}

/**
 * repair: a call whose arguments are the whole answer, or the one fence that it is. Amid words they may be what the model refuses to call with:
 * these count only where the contract itself asks for JSON, and so says that words around it are none of the answer.
 */
function* turnIntoCall(answer: Answer, tool: string, declared: object, mayHaveWords: boolean): Generator<Certificate> {
  const { text } = answer
  const region = mayHaveWords ? placeOfValue(answer) : wholeRegion(answer)
  const value = region && readJson(text, region)?.value
  if (!region || !isObject(value) || !Object.keys(value).every((key) => Object.hasOwn(declared, key))) return
  const given = text.slice(region.start, region.end)
  const span = { start: 0, end: text.length }
  yield { rule: 'value-to-call', class: 'lossless', span, before: text, after: '', calls: [{ name: tool, arguments: given }] }
}

/** Where the one object of an answer is, as the contract's own check finds it. */
function placeOfValue(answer: Answer): TextSpan | undefined {
  const accepts = { array: false, object: true }
  const place = locateJson(answer, accepts)
  return place?.valid && !findSecondValue(answer, place, accepts) ? place.region : undefined
}

/** All of an answer, without the fence around it. */
function wholeRegion(answer: Answer): TextSpan {
  const { text } = answer
  const body = trimmed(text, { start: answer.bodyStart, end: text.length })
  const fence = answer.codeBlocks.find(({ span }) => span.start === body.start)
  const isWhole = fence?.verbatim && trimmed(text, fence.span).end === body.end
  const isJson = isWhole && /^[`~]+(?:json[c5]?)?\s*$/i.test(text.slice(body.start, fence.contentSpan.start))
  return isJson ? trimmed(text, fence.contentSpan) : body
}
