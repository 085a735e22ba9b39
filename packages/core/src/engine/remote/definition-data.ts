import { optionsSchema } from '../../contract/configuration/describe-options.ts'
import type { CodeEntry, FactUse, ValidatorDefinition } from '../../contract/validator.ts'
import { plainLine } from './plain-line.ts'

/** A validator of another thread as plain data. */
export interface DefinitionData {
  readonly name: string
  readonly summary: string
  readonly codes: Readonly<Record<string, CodeEntry>>
  /** JSON Schema of its options; absent when they have none. */
  readonly options?: Readonly<Record<string, unknown>>
  readonly short?: string
  readonly openCodes?: true
  readonly judges?: 'context' | 'calls' | 'prose'
  readonly ports?: readonly string[]
  readonly facts?: Readonly<Record<string, FactUse>>
  /** Whether it may repair what it finds. */
  readonly repairs?: boolean
}

/** Larger schemas of options are left out: editors need them, checks do not. */
const largestSchema = 256 * 1024

/** Describes a validator to another thread. */
export function describeDefinition(definition: ValidatorDefinition): DefinitionData {
  const { name, summary, codes, short, openCodes, judges, ports, facts, repairs } = definition
  const options = schemaOf(definition)
  return {
    name,
    summary: plainLine(summary),
    codes: Object.fromEntries(Object.entries(codes).map(([code, entry]) => [code, entryOf(entry)])),
    ...(options === undefined ? {} : { options }),
    ...(short === undefined ? {} : { short: plainLine(short) }),
    ...(openCodes === true ? { openCodes } : {}),
    ...(judges === undefined ? {} : { judges }),
    ...(ports === undefined ? {} : { ports: [...ports] }),
    ...(facts === undefined ? {} : { facts: structuredClone(facts) }),
    ...(repairs === true ? { repairs } : {}),
  }
}

function entryOf({ severity, when, fix, repaired }: CodeEntry): CodeEntry {
  return { severity, when: plainLine(when), fix: plainLine(fix), ...(repaired === false ? { repaired } : {}) }
}

/** As JSON and back, so that it can be copied to a thread. */
function schemaOf(definition: ValidatorDefinition): DefinitionData['options'] {
  try {
    const text = JSON.stringify(optionsSchema(definition))
    return text === undefined || text.length > largestSchema ? undefined : (JSON.parse(text) as Record<string, unknown>)
  } catch {
    return undefined
  }
}
