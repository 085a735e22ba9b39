import * as z from 'zod'
import type { Route } from '../../front/exchange.ts'

const openAiError = z
  .looseObject({
    error: z.looseObject({
      message: z.string().describe('Human-readable message, one sentence.'),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string().nullable(),
    }),
    stickler: z.looseObject({ status: z.string(), contract: z.string(), attempts: z.int() }).optional(),
    validation: z.looseObject({}).optional().describe('What the rejected answer violates.'),
  })
  .describe("An error in OpenAI's format.")

/** The content of errors where a route says nothing else. */
export const openAiErrors = { 'application/json': openAiError }

/** The name under which a document lists it. */
export const errorNames = { OpenAiError: openAiError }

const always: readonly (readonly [number, string])[] = [[400, 'The request is malformed, or a parameter is not allowed.']]

const withKey: readonly (readonly [number, string])[] = [
  [401, 'The key is missing or unknown.'],
  [403, 'The key, its role, the host or the origin is not allowed.'],
  [429, 'The budget of the key is used up, or the provider asks to wait; see `retry-after`.'],
  [503, 'The gateway is overloaded, shutting down, or cannot record runs; see `retry-after`.'],
]

const withBody: readonly (readonly [number, string])[] = [
  [413, 'The body is too large.'],
  [415, 'The body is not JSON.'],
]

const withModel: readonly (readonly [number, string])[] = [
  [404, 'Nothing with this name exists.'],
  [406, 'No answer met the contract, or could be checked, where the route answers so; see `refusalStatus`.'],
  [422, 'No answer met the contract.'],
  [424, 'The answer could not be checked, and the contract requires it.'],
  [502, 'The provider failed or cannot be reached.'],
  [504, 'The provider took too long.'],
]

/** The description of all other errors. */
export const otherError = ['default', 'Any other error.'] as const

/** Every error that a route may answer with. */
export const allErrors: readonly (readonly [number, string])[] = [...always, ...withKey, ...withBody, ...withModel]

/** The errors that a route may answer with, and what they mean. */
export function errorStatuses({ access, method, path }: Route): readonly (readonly [number, string])[] {
  return [
    ...always,
    ...(access === 'open' || access === 'page' ? [] : withKey),
    ...(method === 'POST' ? withBody : []),
    ...(access === 'call' ? withModel : path.includes('/:') ? withModel.slice(0, 1) : []),
  ].sort(([a], [b]) => a - b)
}
