import { quoteJson, quoteJsonAtMost, showPath } from './evaluate/show.ts'
import type { SchemaProblem } from './problem.ts'

/** The part of the Standard Schema interface that checking needs: Zod, Valibot and ArkType all offer it. */
export interface StandardLike {
  readonly '~standard': { readonly validate: (value: unknown) => unknown }
}

/** A value as a schema hands it on, or what is wrong with it. */
export type StandardCheck =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly SchemaProblem[] }

/** Whether something is a schema of a library rather than a JSON Schema. */
export function isStandardSchema(schema: unknown): schema is StandardLike {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null || !('~standard' in schema)) return false
  // What Zod writes as JSON Schema carries a hidden one beside it; the text is what was asked for.
  if ('$schema' in schema && Object.getOwnPropertyDescriptor(schema, '~standard')?.enumerable === false) return false
  const standard = schema['~standard']
  return typeof standard === 'object' && standard !== null && 'validate' in standard && typeof standard.validate === 'function'
}

/** Checks a value by a Standard Schema; a promise when the schema answers with one. */
export function checkStandard(schema: StandardLike, value: unknown): StandardCheck | Promise<StandardCheck> {
  const answer = schema['~standard'].validate(value)
  return isThenable(answer) ? Promise.resolve(answer).then(readAnswer) : readAnswer(answer)
}

/** Promises of other libraries are promises too. */
function isThenable(answer: unknown): answer is PromiseLike<unknown> {
  return typeof answer === 'object' && answer !== null && 'then' in answer && typeof answer.then === 'function'
}

function readAnswer(answer: unknown): StandardCheck {
  const { value, issues } = (typeof answer === 'object' && answer !== null ? answer : {}) as { value?: unknown; issues?: unknown }
  // Issues that say nothing still say no.
  if (Array.isArray(issues)) return { ok: false, problems: (issues.length > 0 ? issues : [{}]).map(problemOf) }
  if (issues !== undefined || typeof answer !== 'object' || answer === null || !('value' in answer))
    throw new TypeError('it returned neither a value nor issues')
  return { ok: true, value }
}

function problemOf(issue: { readonly message?: unknown; readonly path?: unknown; readonly code?: unknown }): SchemaProblem {
  const segments: readonly unknown[] = Array.isArray(issue.path) ? issue.path : []
  const path = segments.map((segment) => {
    const key = typeof segment === 'object' && segment !== null && 'key' in segment ? segment.key : segment
    return typeof key === 'number' ? key : String(key)
  })
  const reason = String(issue.message ?? 'it is not valid').replace(/\.$/, '')
  const message = `Correct ${showPath(path, quoteJson)}: ${reason.slice(0, 1).toLowerCase()}${reason.slice(1)}.`
  // The library speaks its own language.
  const said = issue.message === undefined ? 'das Schema nennt keinen Grund' : `das Schema meldet ${quoteJsonAtMost(reason, reason.length)}`
  const german = `Korrigiere ${showPath(path, quoteJson, 'de')}; ${said}.`
  return { path, keyword: typeof issue.code === 'string' ? issue.code : 'schema', message, german, params: {} }
}
