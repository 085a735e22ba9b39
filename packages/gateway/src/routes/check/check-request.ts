import {
  type AnswerRequest,
  answerShape,
  type RequestFacts,
  readAnswerRequest,
  readShape,
  repairField,
  shortText,
} from '@stickler/core/internal'
import { HttpError } from '@stickler/core/internal/apis'
import * as z from 'zod'

type Fields = Readonly<Record<string, unknown>>

/** When repairs are made; without a model, first and last are the same. */
export type RepairChoice = 'first' | 'last' | 'never'

/** An answer to check, with the context for its validators. */
export interface CheckRequest extends AnswerRequest {
  readonly contract: string | undefined
  readonly preset: string | undefined
  readonly repair: RepairChoice | undefined
  readonly session: string | undefined
  /** The request that the answer is from, for checks with `when`. */
  readonly request: RequestFacts | undefined
}

const ownShape = {
  contract: shortText().describe('Name of a contract; the only one when absent.'),
  preset: shortText().describe('In place of a contract.'),
  repair: repairField,
  session: shortText().describe('Kept with the run.'),
  request: z
    .strictObject(
      { api: shortText().exactOptional(), model: shortText().exactOptional(), tags: z.array(shortText()).max(100).exactOptional() },
      'must be an object with api, model and tags',
    )
    .describe('The request that the answer is from, for checks with `when`: `{ api, model, tags }`.'),
}

/** What each field of a body must be. */
export const checkShape = { ...answerShape(), ...ownShape }

/** Reads the body of a check; throws a 400 that names the invalid parameter. */
export function readCheckRequest(body: Fields): CheckRequest {
  const unknown = Object.keys(body)
    .find((name) => !Object.hasOwn(checkShape, name))
    ?.slice(0, 80)
  // Checks and options come from the configuration alone, so unknown fields must not be ignored
  // silently.
  if (unknown !== undefined)
    throw bad(unknown, `Unknown parameter ${JSON.stringify(unknown)}; there are ${Object.keys(checkShape).join(', ')}.`)
  const { contract, preset, repair, session, request } = readShape(ownShape, body, wrong)
  if (contract !== undefined && preset !== undefined) throw wrong('preset', 'excludes contract')
  return { ...readAnswerRequest(body, wrong), contract, preset, repair, session, request }
}

function wrong(param: string, message: string, code?: string): HttpError {
  return bad(param, `${param} ${message}.`, code)
}

function bad(param: string, message: string, code = 'invalid_parameter'): HttpError {
  return new HttpError(400, message, { param, code })
}
