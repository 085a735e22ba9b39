import { ConfigurationError, readYamlConfig, type SourcePosition } from '@stickler/core'
import { type AnswerRequest, answerFields, type Fields, isFields, readAnswerRequest, settledStatuses } from '@stickler/core/internal'
import * as z from 'zod'

const expectation = z
  .strictObject({
    status: z.enum(settledStatuses).optional().describe('Expected status.'),
    codes: z.array(z.string().min(1)).optional().describe('The codes of all issues that the checks find, repaired or not, in any order.'),
    text: z.string().optional().describe('The text that is kept, repaired or not.'),
    value: z.unknown().optional().describe('The value that is read from it.'),
  })
  .refine((given) => Object.keys(given).length > 0, 'expects nothing; give status, codes, text or value')

/** What a case expects. */
export type Expectation = z.output<typeof expectation>

/** Keys of a line of `check --jsonl` that a case has as `answer`. */
const answered: ReadonlySet<string> = new Set(['text', 'message', 'response'])

const caseSchema = () =>
  z.strictObject({
    name: z.string().trim().min(1).optional(),
    answer: z.union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())], 'must be a text, or a message or response'),
    contract: z.string().min(1).optional(),
    expect: expectation,
    ...Object.fromEntries(
      answerFields()
        .filter((name) => !answered.has(name))
        .map((name) => [name, z.unknown().optional()]),
    ),
  })

const fileSchema = () => z.strictObject({ contract: z.string().min(1).optional(), cases: z.array(caseSchema()).min(1) })

/** One case of a file. */
export interface WrittenCase {
  readonly name: string
  readonly position: SourcePosition
  /** A contract of the configuration, or a file with one; the only one of the configuration when absent. */
  readonly contract?: string
  readonly request: AnswerRequest
  readonly expect: Expectation
}

/** Reads a file of cases; throws a ConfigurationError that lists what is wrong, by line and column. */
export function readCaseFile(source: string, file: string): readonly WrittenCase[] {
  const { value, positionOf, within } = readYamlConfig(source, file, fileSchema())
  const names = new Map<string, number>()
  return value.cases.map((written, at) => {
    const { name = `case ${at + 1}`, answer, contract = value.contract, expect, ...rest } = written
    const before = names.get(name)
    return within(['cases', at], () => {
      if (before !== undefined) throw problem(['name'], `${JSON.stringify(name.slice(0, 80))} is also the name of case ${before + 1}`)
      names.set(name, at)
      return {
        name,
        position: positionOf(['cases', at]),
        ...(contract === undefined ? {} : { contract }),
        request: readAnswerRequest({ ...rest, ...answerOf(answer) }, (param, message) => problem(pathOf(param), message)),
        expect,
      }
    })
  })
}

/** A text, one message, or a whole response. */
function answerOf(answer: unknown): Fields {
  if (typeof answer === 'string') return { text: answer }
  return isFields(answer) && typeof answer.role === 'string' ? { message: answer } : { response: answer }
}

/** The place of a field of a request in the case. */
function pathOf(param: string): readonly (string | number)[] {
  const [first = '', ...rest] = param.split('.')
  return answered.has(first) ? ['answer'] : [first, ...rest.map((part) => (/^\d+$/.test(part) ? Number(part) : part))]
}

function problem(path: readonly (string | number)[], message: string): ConfigurationError {
  return new ConfigurationError([{ path, message }])
}
