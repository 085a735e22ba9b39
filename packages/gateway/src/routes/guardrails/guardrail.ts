import type { Answer, Contract, Settled } from '@stickler/core'
import { type Fields, readAnswerRequest } from '@stickler/core/internal'
import type { z } from 'zod'

/** What a guardrail answers with. */
export interface GuardrailReply {
  /** 200 unless the caller fails closed by another status only. */
  readonly status?: number
  readonly body: unknown
}

/** Gives verdicts on the answers of one request. */
export interface Judge {
  readonly contract: Contract
  /** Judges and records an answer from the fields of `POST /v1/check`, its calls by the tools of the request too; throws when they cannot be read. */
  check(fields: Fields): Promise<Verdict>
  /** The same for the choices of a response; throws when there are too many. */
  checkAll(choices: readonly Fields[]): Promise<readonly Verdict[]>
  /** Judges the texts of a prompt one by one, and records the verdict that decides. */
  checkTexts(texts: readonly string[]): Promise<readonly Verdict[]>
  /** Judges an answer, or part of one, without a record. */
  settle(answer: Answer, only?: readonly string[]): Promise<Settled>
  /** Records a verdict. */
  record(settled: Settled): Promise<void>
}

/** A verdict on one answer. */
export interface Verdict {
  readonly given: Answer
  readonly settled: Settled
  /** The calls in the shape they came in; undefined when there are none. */
  readonly toolCalls: readonly unknown[] | undefined
}

/** A program that asks for verdicts: how its requests are read, and how it is answered. */
export interface Guardrail {
  /** Its name, also the tag for checks with `when`. */
  readonly name: string
  /** Below `/guardrails/`; the contract is `:contract`. */
  readonly path: string
  readonly summary: string
  readonly notes: string
  readonly body: z.ZodType
  readonly reply: z.ZodType
  /** What it answers with a 400, where it does. */
  readonly error?: z.ZodType
  /** What the beginning of a body that cannot be read shows of it, where a refusal depends on that. */
  readonly glimpse?: { readonly bytes: number; read(head: Uint8Array): Fields }
  answer(body: Fields, judge: Judge): Promise<GuardrailReply>
  /** Fails closed by the caller's own means. */
  refuse(why: string, body: Fields): GuardrailReply
}

/** The most choices of a response, each of which is recorded, and texts of a prompt, of which one is: no real request has more. */
const most = { choices: 128, texts: 5000 }

/** Throws when a request has too much to judge. */
export function needFew(what: keyof typeof most, { length }: readonly unknown[]): void {
  if (length > most[what]) throw new Unreadable(`The request has more than ${most[what]} ${what}.`)
}

/** Thrown for a request that cannot be read. */
export class Unreadable extends Error {}

/** Reads the fields of a check. */
export function readFields(fields: Fields): ReturnType<typeof readAnswerRequest> {
  return readAnswerRequest(fields, (param, message) => new Unreadable(`${param} ${message}.`))
}

/** Why verdicts let nothing pass, in one text; undefined when all are delivered. */
export function reasonAgainst(verdicts: readonly Verdict[]): string | undefined {
  const against = verdicts.filter(({ settled }) => !settled.delivered)
  return against.length === 0 ? undefined : against.map(({ settled }) => explained(settled)).join(' ')
}

/** The most issues that a reason lists. */
const mostListed = 10

function explained({ issues, unchecked }: Settled): string {
  const errors = issues.filter(({ severity }) => severity === 'error').map(({ code, message }) => `${code}: ${message}`)
  const gaps = unchecked.map(({ validator, message }) => `unchecked: ${validator}: ${message}`)
  return (errors.length > 0 ? errors : gaps).slice(0, mostListed).join(' ')
}
