import { Ajv, type Options } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Draft } from './draft.ts'
import { compilePattern } from './pattern.ts'
import type { RawSchema } from './subschemas.ts'

/** Tells whether code may be generated here: on edge runtimes and under a content security policy it may not. */
export function mayGenerateCode(): boolean {
  try {
    return new Function('return true')() === true
  } catch {
    return false
  }
}

/** Compiles a schema to code that only says yes or no; undefined when ajv cannot. */
export function generate(schema: RawSchema, draft: Draft): ((value: unknown) => boolean) | undefined {
  const Engine = { '7': Ajv, '2019-09': Ajv2019, '2020-12': Ajv2020 }[draft]
  try {
    // An instance keeps all schemas it has seen for ever, so each schema gets its own.
    const check = new Engine(options).compile(schema)
    return (value) => check(value) === true
  } catch {
    return undefined
  }
}

// ajv tells patterns apart by what they say they are.
const regExp = Object.assign((source: string) => ({ ...compilePattern(source), toString: () => source }), { code: 'undefined' })

const options: Options = {
  strict: false,
  // Formats are annotations.
  validateFormats: false,
  // The schema was checked before.
  validateSchema: false,
  ownProperties: true,
  logger: false,
  // ajv wants a RegExp; only `test` is ever called.
  code: { regExp: regExp as unknown as NonNullable<NonNullable<Options['code']>['regExp']> },
}
