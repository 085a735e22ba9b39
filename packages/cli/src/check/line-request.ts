import type { ContractInput } from '@stickler/core'
import { type AnswerRequest, isFields, readAnswerRequest, readShape, repairClasses, repairField } from '@stickler/core/internal'
import * as z from 'zod'
import { overlay } from '../config/choose-contract.ts'
import type { CheckInput } from '../config/contract-options.ts'

const ownShape = {
  checks: z.array(z.unknown(), 'must be a list'),
  repair: repairField,
  allow: z.array(z.enum(repairClasses, `must be one of ${repairClasses.join(', ')}`), 'must be a list'),
  root: z.string('must be a string'),
}

/** One line of input: an answer, and overrides of its contract. */
export interface CheckRequest extends AnswerRequest {
  readonly root: string | undefined
  /** Whether the line has its own checks. */
  readonly hasChecks: boolean
  /** Merges the line's overrides into the contract of the command line. */
  overlay(base: ContractInput): ContractInput
}

/** Reads a line's object; throws an Error that describes the problem. */
export function readRequest(line: unknown): CheckRequest {
  if (!isFields(line)) throw new Error('a line must be a JSON object')
  const { checks, repair, allow, root } = readShape(ownShape, line, wrong)
  return {
    ...readAnswerRequest(withoutOwn(line), wrong),
    root,
    hasChecks: checks !== undefined,
    overlay: (base) =>
      overlay(base, {
        ...(checks ? { check: checks as CheckInput[] } : {}),
        ...(repair ? { repair } : {}),
        ...(allow ? { allow } : {}),
      }),
  }
}

/** The rest of a line, which may itself be a call. */
function withoutOwn(line: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(line).filter(([key]) => !Object.hasOwn(ownShape, key)))
}

function wrong(param: string, message: string): Error {
  return new Error(`${param}: ${message}`)
}
